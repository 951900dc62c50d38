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

/**
 * Moves items with all below them to a place in a list, which counts without the items: there they follow each other.
 *
 * @param chosen in reading order; none is below another one
 */
export function moveTo(
  chosen: readonly PlacedItem[],
  parent: PlacedItem,
  position: number,
  limits: MenuLimits,
): Result<Acted, Refusal> {
  for (const item of chosen) {
    if (isWithin(parent, item)) return refuse('itself', { item })
    const refusal = item.parent === parent ? null : roomFor({ ...item, below: [item] }, parent, limits)
    if (refusal !== null) return failed({ ...refusal, item })
  }
  const moving = new Set(chosen)
  const staying = parent.below.filter((each) => !moving.has(each))
  const place = Math.min(Math.max(0, position), staying.length)
  const after = [...staying.slice(0, place), ...chosen, ...staying.slice(place)]
  if (after.length === parent.below.length && after.every((each, index) => each === parent.below[index]))
    return refuse('same')
  const operations = [...insertInto(parent, 0).operations]
  const homes = new Set(chosen.flatMap((item) => (item.parent === null ? [] : [item.parent])))
  homes.delete(parent)
  let left = chosen.map(({ pointer }) => pointer)
  // An item whose last child left has no list of children any more.
  let emptied = [...homes].flatMap((home) =>
    home.parent !== null && home.below.every((each) => moving.has(each)) ? [home.pointer] : [],
  )
  let list = listPointer(parent)
  let before = staying[place - 1]?.pointer ?? null
  let first: string | null = null
  for (let from = left.shift(); from !== undefined; from = left.shift()) {
    const taken = from
    const path = before === null ? `${without(list, taken)}/0` : toNext(without(before, taken))
    if (path !== taken) operations.push(...toMoves(taken, path))
    const shift = (pointer: string): string => withAdded(without(pointer, taken), path)
    left = left.map(shift)
    emptied = emptied.map(shift)
    list = shift(list)
    first = first === null ? path : shift(first)
    before = path
  }
  const dropped = emptied.map((pointer): Operation => ({ op: 'remove', path: `${pointer}/children` }))
  return done({ operations: [...operations, ...dropped], pointer: first ?? '' })
}

/** The pointer behind another one of the same list. */
function toNext(pointer: string): string {
  const end = pointer.lastIndexOf('/') + 1
  return `${pointer.slice(0, end)}${Number(pointer.slice(end)) + 1}`
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

/**
 * Removes items with all below them; the pointer is where the focus goes.
 *
 * @param chosen in reading order; none is below another one
 */
export function takeOut(chosen: readonly PlacedItem[]): Acted {
  const left = new Map<PlacedItem, number>()
  // From the last one on, so that the pointers of those before it stay.
  const operations = [...chosen].reverse().flatMap(({ pointer, parent }): Operation[] => {
    if (parent === null) return []
    const count = (left.get(parent) ?? listOf(parent).length) - 1
    left.set(parent, count)
    const out = { op: 'remove', path: pointer } as const
    // An item whose last child left has no list of children any more.
    return count > 0 || parent.parent === null
      ? [out]
      : [out, { op: 'remove', path: `${parent.pointer}/children` }]
  })
  const { pointer, parent, index } = chosen[0] as PlacedItem
  const length = parent === null ? 0 : (left.get(parent) ?? 0)
  if (index < length) return { operations, pointer }
  const previous = parent === null || index === 0 ? '' : `${listPointer(parent)}/${index - 1}`
  return { operations, pointer: previous === '' ? (parent?.pointer ?? '') : previous }
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
