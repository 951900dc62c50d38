import { act, findItem } from '../../../change/actions/action.js'
import { describeRefusal, toName } from '../../../change/actions/outcome.js'
import type { PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { done, failed, type Result } from '../../../model/result.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { problemOf } from '../../api/faults.js'
import { type FormError, toError, toErrorOf } from '../form-error.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import { toAddresses } from './addresses.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { readPosition, toParents } from './parents.js'
import { takeStep } from './steps.js'

/** Where an item is moved to: any parent that can hold it, and any position there. */
export function placePage(deps: Shown, home: string): Page {
  const { editing, settings, config } = deps
  const { limits } = config.options
  const to = toAddresses(home)

  const page = (
    { t }: Call,
    { file, items, state }: EditedMenu,
    item: PlacedItem,
    form: Fields,
    errors: readonly FormError[] = [],
    status = 200,
  ): Answered => {
    const chain = labelChain(t.lang, settings.locales)
    const nameOf = (each: PlacedItem): string => toName(each.item, t.actions, chain)
    const model = {
      title: t.placeForm.title(nameOf(item)),
      current: 'menus',
      ...{ errors, state, file },
      here: to.place(file, { item: item.pointer }),
      back: to.edit(file, { open: item.pointer }),
      other: to.transfer(file, { item: item.pointer }),
      parents: toParents(items, nameOf, item),
      parent: form.get('parent') ?? item.parent?.pointer ?? '',
      position: form.get('position') ?? '',
      errorOf: toErrorOf(errors),
    }
    return done({ template: 'place', model, status })
  }

  const find = (call: Call, state?: string): Result<{ menu: EditedMenu; item: PlacedItem }, HttpProblem> => {
    const { value: menu, fault } = findEdited(deps, call.operator, call.query.get('file') ?? '', state)
    if (fault !== null) return failed(fault)
    const item = findItem(menu.items, call.query.get('item') ?? '')
    return item === null || item.parent === null ? failed(problemOf('no-item')) : done({ menu, item })
  }
  return {
    role: 'edit',
    show: (call) => {
      const { value, fault } = find(call)
      return fault === null ? page(call, value.menu, value.item, new Map()) : failed(fault)
    },
    submit: (call, form) => {
      const { value, fault } = find(call, form.get('state'))
      if (fault !== null) return failed(fault)
      const { menu, item } = value
      const { t, operator } = call
      const parent = form.get('parent') ?? ''
      const position = readPosition(form)
      const wish = { state: form.get('state') ?? '', wish: `move ${item.pointer} ${parent} ${position}` }
      const taken = takeStep(editing, operator.id, menu, wish, () =>
        act(menu.items, item.pointer, { kind: 'move', parent, position }, limits),
      )
      if (taken.fault === null) {
        const { pointer } = taken.value
        return done({
          location:
            pointer === null ? to.edit(menu.file) : to.edit(menu.file, { did: 'move', open: pointer }),
        })
      }
      if (taken.fault.kind === 'problem') return failed(taken.fault.problem)
      if (taken.fault.kind === 'stale')
        return page(call, menu, item, form, [toError(null, t.editor.stale)], 409)
      const text = describeRefusal(taken.fault.refusal, item, t.actions, labelChain(t.lang, settings.locales))
      return page(call, menu, item, form, [toError('parent', text)], 422)
    },
  }
}
