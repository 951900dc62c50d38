import { act, findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import type { PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { takeStep } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toShownTrouble } from '../../forms/trouble.js'
import type { Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { toAddresses } from './addresses.js'
import { readPosition, toParents, toStepTrouble } from './parents.js'

/** Where an item is moved to: any parent that can hold it, and any position there. */
export function placePage(workspace: Workspace): Page {
  const { config, home, settings } = workspace
  const to = toAddresses(home)

  return formPage<{ readonly menu: EditedMenu; readonly item: PlacedItem }>({
    find: (call, form) => {
      const menu = findEdited(workspace, call.operator, fileIn(call), form?.get('state'))
      const item = findItem(menu.items, call.query.get('item') ?? '')
      if (item === null || item.parent === null) throw new Refusal('no-item')
      return { menu, item }
    },
    view: ({ t }, { menu: { file, items, state }, item }, form, trouble) => {
      const chain = labelChain(t.lang, settings.locales)
      const nameOf = (each: PlacedItem): string => toName(each.item, t.actions, chain)
      const { status, ...shown } = toShownTrouble(t, trouble)
      const model = {
        title: t.fill(t.placeForm.title, { name: nameOf(item) }),
        current: 'menus',
        ...{ state, file, ...shown },
        here: to.place(file, { item: item.pointer }),
        back: to.edit(file, { open: item.pointer }),
        other: to.transfer(file, { item: item.pointer }),
        parents: toParents(items, nameOf, item),
        parent: form?.get('parent') ?? item.parent?.pointer ?? '',
        position: form?.get('position') ?? '',
      }
      return { template: 'place', model, status }
    },
    submit(call, form, subject) {
      const { menu, item } = subject
      const parent = form.get('parent') ?? ''
      const position = readPosition(form)
      const wish = {
        state: form.get('state') ?? '',
        wish: `move ${item.pointer} ${parent} ${position}`,
        key: form.get('key'),
      }
      const { value: step, fault } = takeStep(workspace, call.operator.id, menu, wish, () =>
        act(menu.items, item.pointer, { kind: 'move', parent, position }, config.options.limits),
      )
      if (fault !== null)
        return this.view(call, subject, form, toStepTrouble(call.t, fault, item, settings.locales))
      const { pointer, draft } = step
      return {
        draft,
        location: pointer === null ? to.edit(menu.file) : to.edit(menu.file, { did: 'move', open: pointer }),
      }
    },
  })
}
