import type { ItemDifference, ItemPlace } from '../../change/differences.js'
import { isOwnChange } from '../../change/differences.js'
import { describeGate } from '../../change/gate.js'
import { type ToldChange, tellField, tellMove } from '../../change/words.js'
import { describeContext } from '../../model/context.js'
import type { MenuReport } from './report.js'
import type { Mark } from './tree.js'

/** What became of one item, in words for every form; all texts are data. */
export interface ToldItem {
  readonly mark: Mark
  readonly name: string
  readonly path: readonly string[]
  /** Whether more viewers may see it, or where it leads. */
  readonly widens: boolean
  readonly changes: readonly ToldChange[]
  /** The file and line of the item, of where it was for one that is gone. */
  readonly place: string
}

/** The items of a menu that changed by themselves. */
export function tellItems(menu: MenuReport): readonly ToldItem[] {
  return menu.difference.items.filter(isOwnChange).map((item) => tellItem(menu, item))
}

export function tellItem(menu: MenuReport, item: ItemDifference): ToldItem {
  const { kind, before, after, moved, fields, widens, narrows, exposes } = item
  const mark = kind === 'added' ? 'new' : kind === 'removed' ? 'gone' : moved ? 'moved' : 'changed'
  const { name = '', path = [] } = after ?? before ?? {}
  const changes: ToldChange[] = []
  if (before !== null && after !== null) {
    if (moved) changes.push(tellMove(before, after))
    changes.push(...fields.map(tellField))
    if (widens || narrows) changes.push(tellViewers(before, after))
  } else if (after !== null) {
    if (after.target !== '') changes.push({ what: 'leads to', from: null, to: after.target })
    if (after.viewers?.length !== 0)
      changes.push({ what: 'seen by', from: null, to: describeGate(after.viewers) })
  }
  return { mark, name, path, widens: widens || exposes, changes, place: placeOf(menu, before, after) }
}

/** Why an item is seen by more viewers: who could see it and who can, or null with what it leads to. */
export function tellWidening({ widens, before, after }: ItemDifference): ToldChange {
  if (widens && before !== null && after !== null) return tellViewers(before, after)
  return { what: 'leads to', from: null, to: after?.target ?? '' }
}

/** What is said of an item that leads where fewer viewers could see an item lead. */
export const EXPOSED = 'to which fewer viewers had an item before'

/** Who could see an item and who can. */
function tellViewers(before: ItemPlace, after: ItemPlace): ToldChange {
  return { what: 'seen by', from: describeGate(before.viewers), to: describeGate(after.viewers) }
}

/** What changed of the menu itself, its file included. */
export function tellMenu({ difference, files, status }: MenuReport): readonly ToldChange[] {
  const { before, after } = files
  const isMoved = before !== null && after !== null && before !== after
  const file: readonly ToldChange[] = isMoved ? [{ what: 'file', from: before, to: after }] : []
  return status === 'broken' || status === 'mended' ? file : [...file, ...difference.fields.map(tellField)]
}

/** `menus/main.yaml`, where the menu is or was. */
export function fileOf({ files }: MenuReport): string {
  return files.after ?? files.before ?? ''
}

/** The code, with the context of a variant. */
export function titleOf({ code, context }: MenuReport): string {
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
export function countWidened(below: number): string {
  return below === 0 ? '' : `, with ${below} ${below === 1 ? 'item' : 'items'} below it`
}
