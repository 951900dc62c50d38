import { isList, type JsonList } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import type { PlacedItem } from '../items.js'
import type { Operation } from '../operations/operation.js'
import { type Acted, type Refusal, refuse } from './refusal.js'

/** How large a menu may get. */
export type MenuLimits = Pick<Limits, 'items' | 'levels'>

/** The items of a menu or an item, as its value has them. */
export function listOf({ item, parent }: PlacedItem): JsonList {
  const list = item[parent === null ? 'items' : 'children']
  return isList(list) ? list : []
}

/** How many items a branch and something added to it have. */
export function countWith(branch: PlacedItem, added: PlacedItem): number {
  const count = ({ below }: PlacedItem): number => below.reduce((sum, each) => sum + 1 + count(each), 0)
  return count(branch) + count(added)
}

/** The level of an item: 1 for those at the top, 0 for the menu itself. */
export function levelOf({ parent }: PlacedItem): number {
  return parent === null ? 0 : levelOf(parent) + 1
}

/** How many levels are below an item. */
export function levelsBelow({ below }: PlacedItem): number {
  return below.reduce((most, each) => Math.max(most, levelsBelow(each) + 1), 0)
}

/** Why what is below `branch` cannot be put below `parent`; null when it can. */
export function roomFor(branch: PlacedItem, parent: PlacedItem, { levels }: MenuLimits): Refusal | null {
  if (parent.item['type'] === 'divider') return { reason: 'divider', other: parent }
  return levelOf(parent) + levelsBelow(branch) > levels ? { reason: 'levels', limit: levels } : null
}

/** The operation that a list may need before something is put into it, and where that goes. */
export function insertInto(
  parent: PlacedItem,
  position: number,
): { readonly operations: readonly Operation[]; readonly path: string } {
  const path = listPointer(parent)
  const hasList = isList(parent.item[parent.parent === null ? 'items' : 'children'])
  const operations: readonly Operation[] = hasList ? [] : [{ op: 'add', path, value: [] }]
  return { operations, path: `${path}/${position}` }
}

/** Moves an item with all below it to a place in a list, which counts without the item. */
export function moveTo(
  item: PlacedItem,
  parent: PlacedItem,
  position: number,
  limits: MenuLimits,
): Result<Acted, Refusal> {
  if (isWithin(parent, item)) return refuse('itself')
  const isHome = parent === item.parent
  const alone = { ...item, below: [item] }
  const refusal = isHome ? null : roomFor(alone, parent, limits)
  if (refusal !== null) return failed(refusal)
  const last = listOf(parent).length - (isHome ? 1 : 0)
  const place = Math.min(Math.max(0, position), last)
  if (isHome && place === item.index) return refuse('same')
  const { operations } = insertInto(parent, 0)
  const path = `${without(listPointer(parent), item.pointer)}/${place}`
  const emptied = isHome ? [] : dropEmpty(item, (pointer) => withAdded(pointer, path))
  return done({ operations: [...operations, ...toMoves(item.pointer, path), ...emptied], pointer: path })
}

/** A path below `from` is refused (RFC 6902, section 4.4), even where it means the sibling that takes the item's place: that goes first. */
function toMoves(from: string, path: string): readonly Operation[] {
  if (!path.startsWith(`${from}/`)) return [{ op: 'move', from, path }]
  const next = withAdded(from, from)
  return [
    { op: 'move', from: next, path: from },
    { op: 'move', from: next, path },
  ]
}

/** Removes an item with all below it; the pointer is where the focus goes. */
export function takeOut(item: PlacedItem): Acted {
  const { pointer, parent } = item
  const operations: Operation[] = [{ op: 'remove', path: pointer }, ...dropEmpty(item, (home) => home)]
  const { index } = item
  const length = parent === null ? 0 : listOf(parent).length
  if (index < length - 1) return { operations, pointer }
  const previous = parent === null || index === 0 ? '' : `${listPointer(parent)}/${index - 1}`
  return { operations, pointer: previous === '' ? (parent?.pointer ?? '') : previous }
}

/** An item whose last child left has no list of children any more. */
function dropEmpty({ parent }: PlacedItem, now: (pointer: string) => string): Operation[] {
  if (parent === null || parent.parent === null || listOf(parent).length > 1) return []
  return [{ op: 'remove', path: `${now(parent.pointer)}/children` }]
}

function listPointer({ pointer, parent }: PlacedItem): string {
  return `${pointer}/${parent === null ? 'items' : 'children'}`
}

/** Whether an item is another one, or somewhere below it. */
export function isWithin(item: PlacedItem | null, above: PlacedItem): boolean {
  return item !== null && (item === above || isWithin(item.parent, above))
}

/** A pointer, once the item at another one is taken out. */
function without(pointer: string, taken: string): string {
  return shifted(pointer, taken, (index, gone) => (index > gone ? index - 1 : index))
}

/** A pointer, once an item is put at another one. */
function withAdded(pointer: string, added: string): string {
  return shifted(pointer, added, (index, put) => (index >= put ? index + 1 : index))
}

function shifted(pointer: string, by: string, shift: (index: number, place: number) => number): string {
  const end = by.lastIndexOf('/') + 1
  if (!pointer.startsWith(by.slice(0, end))) return pointer
  const [index = '', ...rest] = pointer.slice(end).split('/')
  return `${by.slice(0, end)}${[shift(Number(index), Number(by.slice(end))), ...rest].join('/')}`
}
