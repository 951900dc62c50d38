import { fieldOperations } from '../../../change/actions/action.js'
import type { Acted } from '../../../change/actions/refusal.js'
import { toClosed } from '../../../model/direction.js'
import { type JsonMap, own, toKey } from '../../../model/json.js'
import { done, failed } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { errorsAfter, takeStep } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import {
  addsCondition,
  fromContext,
  readContext,
  toContextFields,
  yesNoIn,
} from '../../forms/context-fields.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { MENU_KEYS, readMenuForm, toMenuForm } from '../../forms/menu-form.js'
import { type FormError, toError, toFound } from '../../forms/trouble.js'
import { toDefined, toMap } from '../../forms/typed-text.js'
import type { Page } from '../../page.js'
import { createPathTo } from '../path-to.js'
import { isVisibleNow } from '../times.js'

/** The form of a menu itself: code, name, context, and how templates render it. */
export function settingsPage(workspace: Workspace): Page {
  const { current, home, settings } = workspace
  const to = createPathTo(home)

  const judge = (menu: EditedMenu, acted: Acted): readonly FormError[] =>
    errorsAfter(workspace, menu, acted)
      .filter(({ pointer }) => !pointer.startsWith('/items'))
      .map((problem) => toFound(fieldOf(problem.pointer), problem))

  return formPage<EditedMenu>({
    template: 'settings',
    find: (call, form) => findEdited(workspace, call.operator, fileIn(call), form?.get('state')),
    view: ({ t }, { file, state, base, change }, form, { problem }) => {
      const menu = change.value as JsonMap
      const { locales } = settings
      const fields = toMenuForm(
        form === null ? menu : readMenuForm(form, menu, locales, yesNoIn(current(), t)),
        locales,
      )
      const textOf = (name: string, text: string): string => form?.get(name) ?? text
      // Refused as it is, or sent for one more field, it is still about what it was about.
      const kept = problem || (form && addsCondition(form)) ? form : null
      return {
        title: t.fill(t.menuForm.title, { name: toClosed(String(menu['name'] ?? file)) }),
        file,
        was: kept?.get('was') ?? toMark(menu),
        state: kept?.get('state') ?? state,
        back: to('edit', file),
        isLive: isVisibleNow(toMap(base.value)),
        texts: Object.fromEntries(
          Object.entries(fields.texts).map(([name, text]) => [name, textOf(name, text)]),
        ),
        context: toContextFields(form ?? new Map(fromContext(toMap(menu['context']))), current()),
        labels: fields.labels.map((each) => ({ ...each, text: textOf(each.name, each.text) })),
        classes: fields.classes.map((each) => ({ ...each, text: textOf(each.name, each.text) })),
        switches: fields.switches,
      }
    },
    submit({ t, operator }, form, menu) {
      if (addsCondition(form)) return {}
      const value = menu.change.value as JsonMap
      const yesNo = yesNoIn(current(), t)
      const fields = readMenuForm(form, value, settings.locales, yesNo)
      const operations = fieldOperations('', pick(value), fields)
      const acted = { operations, pointer: '' }
      const wish = contentHash(JSON.stringify(['settings', ...form]))
      // Another state of the items does not matter here.
      const isFresh = form.get('was') === toMark(value)
      const state = isFresh && operations.length > 0 ? menu.state : (form.get('state') ?? '')
      let errors: readonly FormError[] = []
      const { fault } = takeStep(workspace, operator.id, menu, { state, wish }, () => {
        const { faults } = readContext(form, yesNo, toMap(value['context']))
        const ofPairs = faults.map(({ field, reason }) => toError(field, t.newMenu[reason]))
        errors = [...needed(fields, t.menuForm), ...ofPairs, ...judge(menu, acted)]
        return errors.length > 0 || operations.length === 0 ? failed({ reason: 'same' }) : done(acted)
      })
      if (errors.length > 0) return { errors }
      if (fault === 'stale') return { errors: [toError(null, t.menuForm.stale)], status: 409 }
      return { location: to('edit', menu.file, fault === null ? { did: 'settings' } : {}) }
    },
  })
}

function pick(menu: JsonMap): JsonMap {
  return toDefined(Object.fromEntries(MENU_KEYS.map((key) => [key, own(menu, key)])))
}

function toMark(menu: JsonMap): string {
  return contentHash(toKey(pick(menu))).slice(0, 12)
}

function needed(fields: JsonMap, t: { needsCode: string; needsName: string }): readonly FormError[] {
  return [
    ...(fields['code'] === undefined ? [toError('code', t.needsCode)] : []),
    ...(fields['name'] === undefined ? [toError('name', t.needsName)] : []),
  ]
}

/** The field for a place in a menu, such as `/display/classes/menu`. */
function fieldOf(pointer: string): string | null {
  const [, key = '', part = '', last = ''] = pointer.split('/')
  if (key === 'context') return 'key1'
  if (key !== 'display') return key === '' ? null : key
  return part === 'classes' ? `class:${last}` : part === 'label' ? `label:${last}` : part
}
