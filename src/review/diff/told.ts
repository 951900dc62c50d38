import type { ItemDifference, ItemPlace } from '../../change/compare/differences.js'
import { isOwnChange } from '../../change/compare/differences.js'
import { factsOf } from '../../change/compare/facts.js'
import { describeGate } from '../../change/compare/gate.js'
import { type ToldChange, tellField, tellMove } from '../../change/compare/words.js'
import { describeContext } from '../../model/context.js'
import type { CalledOut, MenuReport, ToldItem } from './report.js'

/** What is said of an item that leads where fewer viewers could see an item lead. */
export const EXPOSED = 'to which fewer viewers had an item before'

/** The items of a menu that changed by themselves. */
export function tellItems(menu: MenuReport): readonly ToldItem[] {
  return menu.difference.items.filter(isOwnChange).map((item) => tellItem(menu, item))
}

export function tellItem(menu: MenuReport, item: ItemDifference): ToldItem {
  const { kind, before, after, moved, fields } = item
  const mark = kind === 'added' ? 'new' : kind === 'removed' ? 'gone' : moved ? 'moved' : 'changed'
  const { name = '', path = [] } = after ?? before ?? {}
  const widens = menu.widened.some((each) => each.item === item)
  const narrows = menu.narrowed.some((each) => each.item === item)
  const changes: ToldChange[] = []
  if (before === null || after === null) changes.push(...factsOf(item))
  else {
    if (moved) changes.push(tellMove(before, after))
    changes.push(...fields.map(tellField))
    if ((widens && item.widens) || narrows) changes.push(tellViewers(before, after))
  }
  return { mark, name, path, widens, narrows, changes, place: placeOf(menu, before, after) }
}

/** The items of menus that are called out for who sees them. */
export function tellCalled(
  menus: readonly MenuReport[],
  which: 'widened' | 'narrowed',
): readonly CalledOut[] {
  return menus.flatMap((menu) =>
    menu[which].map(({ item, below }) => {
      return { menu, item: tellItem(menu, item), change: tellViewing(item), below }
    }),
  )
}

/** Why an item is called out: who could see it and who can, or as a fact where it leads. */
function tellViewing({ widens, narrows, before, after }: ItemDifference): ToldChange {
  if ((widens || narrows) && before !== null && after !== null) {
    const told = tellViewers(before, after)
    return after.viewers === null ? { ...told, to: `${told.to} (hidden)` } : told
  }
  return { what: 'leads to', from: null, to: after?.target ?? '', isFact: true }
}

/** Who could see an item and who can. */
function tellViewers(before: ItemPlace, after: ItemPlace): ToldChange {
  const [from, to] = [before, after].map(({ viewers }) => describeGate(viewers))
  return { what: 'seen by', from: from ?? null, to: to ?? null }
}

/** What changed of the menu itself, its file included; of a new one, what is not in its title. */
export function tellMenu({ difference, files, status }: MenuReport): readonly ToldChange[] {
  const { before, after } = files
  const isMoved = before !== null && after !== null && before !== after
  const file: readonly ToldChange[] = isMoved ? [{ what: 'file', from: before, to: after }] : []
  if (status === 'broken' || status === 'mended' || status === 'removed') return file
  const told = difference.fields.map(tellField)
  if (status !== 'added') return [...file, ...told]
  const isInTitle = ['version', 'code', 'name', 'context']
  return told.filter(({ what }) => !isInTitle.includes(what)).map((each) => ({ ...each, isFact: true }))
}

/** `menus/main.yaml`, where the menu is or was. */
export function fileOf({ files }: Pick<MenuReport, 'files'>): string {
  return files.after ?? files.before ?? ''
}

/** The code, with the context of a variant; the file of a menu that has none. */
export function titleOf(menu: MenuReport): string {
  const { code, context } = menu
  if (code === '') return fileOf(menu)
  const isVariant = Object.keys(context).length > 0
  return isVariant ? `${code} ${describeContext(context)}` : code
}

function placeOf(menu: MenuReport, before: ItemPlace | null, after: ItemPlace | null): string {
  if (after !== null && menu.after !== null) return `${menu.after.file}:${menu.after.lineOf(after.pointer)}`
  if (before !== null && menu.before !== null)
    return `${menu.before.file}:${menu.before.lineOf(before.pointer)}`
  return fileOf(menu)
}

/** How many items below one follow it. */
export function countBelow(below: number): string {
  return below === 0 ? '' : `, with ${below} ${below === 1 ? 'item' : 'items'} below it`
}
