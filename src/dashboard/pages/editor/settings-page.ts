import { fieldOperations } from '../../../change/actions/action.js'
import { writeChange } from '../../../document/edit/write-change.js'
import { toClosed } from '../../../model/direction.js'
import { type JsonMap, own, toKey } from '../../../model/json.js'
import { isError } from '../../../model/problem.js'
import { done, failed } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { type FormError, toError, toErrorOf, toFormError, toFound } from '../form-error.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import { toAddresses } from './addresses.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { glyphsOf } from './glyphs.js'
import { MENU_KEYS, readMenuForm, toMenuForm } from './menu-form.js'
import { changeAfter, takeStep } from './steps.js'

/** The form of a menu itself: code, name, context, and how templates render it. */
export function settingsPage(deps: Shown, home: string): Page {
  const { editing, settings } = deps
  const to = toAddresses(home)
  const glyphOf = glyphsOf(editing, home)

  const page = (
    { t }: Call,
    { file, state, change }: EditedMenu,
    form: Fields | null,
    { note = null, fault = null, ...more }: Shortcomings = {},
  ): Answered => {
    const menu = change.value as JsonMap
    const errors = fault === null ? (more.errors ?? []) : [toFormError(t, fault)]
    const shown = toMenuForm(
      form === null ? menu : readMenuForm(form, menu, settings.locales),
      settings.locales,
    )
    const textOf = (name: string, text: string): string => form?.get(name) ?? text
    const model = {
      title: t.menuForm.title(toClosed(String(menu['name'] ?? file))),
      current: 'menus',
      ...{ file, errors, note },
      was: (fault && form?.get('was')) ?? toMark(menu),
      state: (fault && form?.get('state')) ?? state,
      here: to.settings(file),
      back: to.edit(file),
      texts: Object.fromEntries(
        Object.entries(shown.texts).map(([name, text]) => [name, textOf(name, text)]),
      ),
      labels: shown.labels.map((each) => ({ ...each, text: textOf(each.name, each.text) })),
      classes: shown.classes.map((each) => ({ ...each, text: textOf(each.name, each.text) })),
      switches: shown.switches,
      hasIcons: editing.icons.size > 0,
      glyphOf,
      errorOf: toErrorOf(errors),
    }
    const status = fault?.status ?? (errors.length > 0 ? 422 : note === null ? 200 : 409)
    return done({ template: 'settings', model, status })
  }

  return {
    role: 'edit',
    show: (call) => {
      const { value: menu, fault } = findEdited(deps, call.operator, call.query.get('file') ?? '')
      return fault === null ? page(call, menu, null) : failed(fault)
    },
    submit: (call, form) => {
      const { t, operator, query } = call
      const { value: menu, fault } = findEdited(deps, operator, query.get('file') ?? '', form.get('state'))
      if (fault !== null) return failed(fault)
      const value = menu.change.value as JsonMap
      const fields = readMenuForm(form, value, settings.locales)
      const operations = fieldOperations('', pick(value), fields)
      const acted = { operations, pointer: '' }
      const wish = contentHash(JSON.stringify(['settings', ...form]))
      // Another state of the items does not matter here.
      const isFresh = form.get('was') === toMark(value)
      const state = isFresh && operations.length > 0 ? menu.state : (form.get('state') ?? '')
      let errors: readonly FormError[] = []
      const taken = takeStep(editing, operator.id, menu, { state, wish }, () => {
        errors = [...needed(fields, t.menuForm), ...judge(acted)]
        return errors.length > 0 || operations.length === 0 ? failed({ reason: 'same' }) : done(acted)
      })
      if (errors.length > 0) return page(call, menu, form, { errors })
      if (taken.fault?.kind === 'problem') return failed(taken.fault.problem)
      if (taken.fault?.kind === 'stale') return page(call, menu, form, { note: t.menuForm.stale })
      return done({ location: to.edit(menu.file, taken.fault === null ? { did: 'settings' } : {}) })

      function judge(what: typeof acted): readonly FormError[] {
        const change = changeAfter(menu as EditedMenu, what)
        const written = change && writeChange((menu as EditedMenu).base, change).value
        if (!written) return []
        return editing.store
          .judge(written)
          .problems.filter((each) => isError(each) && !each.pointer.startsWith('/items'))
          .map((problem) => toFound(fieldOf(problem.pointer), problem))
      }
    },
    refused: (call, form, refusal) => {
      const file = call.query.get('file') ?? ''
      const { value: menu } = findEdited(deps, call.operator, file, form.get('state'))
      return menu === null ? failed(refusal) : page(call, menu, form, { fault: refusal })
    },
  }
}

interface Shortcomings {
  readonly errors?: readonly FormError[]
  /** Why the form is not taken: it is still about what it was about. */
  readonly fault?: HttpProblem | null
  readonly note?: string | null
}

function pick(menu: JsonMap): JsonMap {
  return Object.fromEntries(
    MENU_KEYS.flatMap((key) => {
      const value = own(menu, key)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
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
  if (key !== 'display') return key === '' ? null : key
  return part === 'classes' ? `class:${last}` : part === 'label' ? `label:${last}` : part
}
