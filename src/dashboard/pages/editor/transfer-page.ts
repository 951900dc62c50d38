import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import type { PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { transferItem } from '../../deeds/transfer.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toShownTrouble } from '../../forms/trouble.js'
import type { Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { createMeasure, readSearch, toMenuRows } from '../menu-rows.js'
import { toAddresses } from './addresses.js'
import { readPosition, toParents, toStepTrouble } from './parents.js'

/** Menus that the page offers; a search finds the others. */
const MOST_MENUS = 50

/** A branch, and the menu that it goes to; null until one is chosen. */
interface Subject {
  readonly menu: EditedMenu
  /** Null where nothing is at the pointer, as after a move. */
  readonly item: PlacedItem | null
  readonly target: EditedMenu | null
}

/** The form that moves or copies an item to another menu. What visitors see changes with the publish of each. */
export function transferPage(workspace: Workspace): Page {
  const { current, home, settings } = workspace
  const to = toAddresses(home)
  const measure = createMeasure([])

  return formPage<Subject>({
    find: ({ operator, query }, form) => {
      const file = fileIn({ query })
      const other = query.get('to')
      const menu = findEdited(workspace, operator, file, form?.get('state'))
      const found = findItem(menu.items, query.get('item') ?? '')
      const item = found?.parent == null ? null : found
      if (other === file) throw new Refusal('same-file')
      const target = other === undefined ? null : findEdited(workspace, operator, other, form?.get('toState'))
      return { menu, item, target }
    },
    view: ({ t, query }, { menu, item, target }, form, trouble) => {
      if (item === null) throw new Refusal('no-item')
      const chain = labelChain(t.lang, settings.locales)
      const nameOf = (each: PlacedItem): string => toName(each.item, t.actions, chain)
      const { file } = menu
      const { q, words } = readSearch(query)
      const rows = target !== null ? [] : toMenuRows(current(), [], words, measure)
      const others = rows.filter((row) => row.file !== file && row.code !== null && row.errors.length === 0)
      const at = { item: item.pointer }
      const { status, ...shown } = toShownTrouble(t, trouble)
      const model = {
        title: t.fill(t.transfer.title, { name: nameOf(item) }),
        current: 'menus',
        ...{ file, q, ...shown, item: item.pointer },
        state: menu.state,
        back: to.edit(file, { open: item.pointer }),
        chooser: to.transfer(file, at),
        below: menu.items.all.filter(({ pointer }) => pointer.startsWith(`${item.pointer}/`)).length,
        menus: others
          .slice(0, MOST_MENUS)
          .map((row) => ({ ...row, href: to.transfer(file, { ...at, to: row.file }) })),
        hasMore: others.length > MOST_MENUS,
        target: target && {
          file: target.file,
          state: target.state,
          name: String((target.change.value as { readonly name?: unknown }).name ?? target.file),
          here: to.transfer(file, { ...at, to: target.file }),
          parents: toParents(target.items, nameOf, null),
        },
        parent: form?.get('parent') ?? '',
        position: form?.get('position') ?? '',
      }
      return { template: 'transfer', model, status }
    },
    submit(call, form, subject) {
      const { t, operator, query } = call
      const { menu, item, target } = subject
      if (target === null) return this.view(call, subject, form, {})
      const isMove = form.get('do') === 'move'
      const parent = form.get('parent') ?? ''
      const position = readPosition(form)
      const wish = `transfer ${menu.file} ${query.get('item')} ${isMove} ${parent} ${position}`
      const { value: step, fault } = transferItem(
        workspace,
        operator.id,
        { menu, item, state: form.get('state') ?? '' },
        { menu: target, parent, position, state: form.get('toState') ?? '' },
        { wish, isMove },
      )
      if (fault !== null)
        return this.view(call, subject, form, toStepTrouble(t, fault, item, settings.locales))
      const { pointer } = step
      const did = { did: isMove ? 'moved-in' : 'copied-in', from: menu.file }
      return { location: to.edit(target.file, pointer === null ? {} : { ...did, at: pointer }) }
    },
  })
}
