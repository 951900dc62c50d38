import { isEqual, type JsonMap, own } from '../../model/json.js'
import { toPointer } from '../../model/pointer.js'
import { done, failed, type Result } from '../../model/result.js'
import { withFreeIds } from '../branch.js'
import { type Items, ownOf, type PlacedItem, readItems } from '../items.js'
import type { Operation } from '../operations/operation.js'
import { countWith, insertInto, listOf, type MenuLimits, moveTo, roomFor, takeOut } from './places.js'
import { type Acted, type Refusal, refuse } from './refusal.js'

/** What an operator does to an item; for `add`, the item is the one that the new one is put beside or inside. */
export type Action =
  | { readonly kind: Simple }
  /** `parent` is a pointer, `''` for the top; `position` counts from 0 once the item is taken out, and is clamped. */
  | { readonly kind: 'move'; readonly parent: string; readonly position: number }
  | { readonly kind: 'add'; readonly where: 'before' | 'after' | 'inside'; readonly item: JsonMap }
  /** All fields that the item has from now on, apart from the items below it. */
  | { readonly kind: 'set'; readonly fields: JsonMap }

/** The actions that need nothing but an item. `top` is the top of its list; `unnest` puts it behind its parent. */
export const SIMPLE_ACTIONS = [
  'up',
  'down',
  'top',
  'nest',
  'unnest',
  'duplicate',
  'hide',
  'show',
  'remove',
] as const
type Simple = (typeof SIMPLE_ACTIONS)[number]

/**
 * The operations for an action on the item at a pointer, and where the item is afterwards. After `remove` that is where the
 * focus goes: to the next item of the list, else to the previous one, else to the parent.
 */
export function act(
  items: Items,
  pointer: string,
  action: Action,
  limits: MenuLimits,
): Result<Acted, Refusal> {
  const item = findItem(items, pointer)
  if (item === null) return refuse('gone')
  if (action.kind === 'add') return add(items, item, action, limits)
  const { parent } = item
  if (parent === null) return refuse('gone')
  const move = (to: PlacedItem, position: number): Result<Acted, Refusal> =>
    moveTo([item], to, position, limits)
  switch (action.kind) {
    case 'up':
    case 'top':
      return item.index === 0 ? refuse('first') : move(parent, action.kind === 'top' ? 0 : item.index - 1)
    case 'down':
      return item.index === listOf(parent).length - 1 ? refuse('last') : move(parent, item.index + 1)
    case 'nest': {
      const before = parent.below[item.place - 1]
      return before === undefined ? refuse('no-previous') : move(before, listOf(before).length)
    }
    case 'unnest':
      return parent.parent === null ? refuse('outermost') : move(parent.parent, parent.index + 1)
    case 'move': {
      const to = findItem(items, action.parent)
      return to === null ? refuse('gone') : move(to, action.position)
    }
    case 'duplicate':
      return insert(items, parent, item.index + 1, [withFreeIds(item, items)], limits)
    case 'hide':
      return setFields(item, { ...ownOf(item.item), hidden: true })
    case 'show': {
      const { hidden: _, ...shown } = ownOf(item.item)
      return setFields(item, shown)
    }
    case 'remove':
      return done(takeOut([item]))
    case 'set':
      return setFields(item, action.fields)
  }
}

/** The item at a pointer, `''` for the menu itself; null where there is none. */
export function findItem(items: Items, pointer: string): PlacedItem | null {
  return pointer === '' ? items.menu : (items.all.find((each) => each.pointer === pointer) ?? null)
}

function add(
  items: Items,
  beside: PlacedItem,
  { where, item }: Action & { readonly kind: 'add' },
  limits: MenuLimits,
): Result<Acted, Refusal> {
  const { parent } = beside
  if (where === 'inside' || parent === null)
    return insert(items, beside, listOf(beside).length, [item], limits)
  return insert(items, parent, beside.index + (where === 'after' ? 1 : 0), [item], limits)
}

/** Puts new items into a list, one after the other; the pointer is that of the first. */
export function insert(
  items: Items,
  parent: PlacedItem,
  position: number,
  added: readonly JsonMap[],
  limits: MenuLimits,
): Result<Acted, Refusal> {
  const top = readItems({ items: added }).menu
  for (const item of top.below) {
    const refusal = roomFor({ ...top, below: [item] }, parent, limits)
    if (refusal !== null) return failed({ ...refusal, item })
  }
  if (countWith(items.menu, top) > limits.items) return refuse('items', { limit: limits.items })
  const { operations, path } = insertInto(parent, position)
  const adds = added.map((value, place): Operation => {
    return { op: 'add', path: insertInto(parent, position + place).path, value }
  })
  return done({ operations: [...operations, ...adds], pointer: path })
}

/** Gives an item other fields. */
export function setFields({ item, pointer, below }: PlacedItem, fields: JsonMap): Result<Acted, Refusal> {
  if (fields['type'] === 'divider' && below.length > 0) return refuse('has-items')
  const operations = fieldOperations(pointer, ownOf(item), fields)
  return operations.length === 0 ? refuse('same') : done({ operations, pointer })
}

/** The operations that give the map at a pointer other fields. */
export function fieldOperations(pointer: string, before: JsonMap, fields: JsonMap): readonly Operation[] {
  const at = (key: string): string => `${pointer}${toPointer([key])}`
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(fields, key))
  return [
    ...gone.map((key): Operation => ({ op: 'remove', path: at(key) })),
    ...Object.entries(fields).flatMap(([key, value]): Operation[] =>
      isEqual(own(before, key), value) ? [] : [{ op: 'add', path: at(key), value }],
    ),
  ]
}
