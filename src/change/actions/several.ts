import type { JsonMap } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Items, ownOf, type PlacedItem } from '../items.js'
import { findItem, setFields } from './action.js'
import { type MenuLimits, moveTo, takeOut } from './places.js'
import { type Acted, type Refusal, refuse } from './refusal.js'

/** What an operator does to several items in one step: to all of them, or to none. */
export type SharedAction =
  | { readonly kind: 'hide' | 'show' | 'remove' }
  | { readonly kind: 'move'; readonly parent: string; readonly position: number }
  /** Of no permissions, everybody may see them. */
  | { readonly kind: 'permissions'; readonly permissions: readonly string[]; readonly isAny: boolean }

/** The actions on several items that need nothing but the items. */
export const SHARED_ACTIONS = ['hide', 'show', 'remove'] as const

/** Items that can be chosen at a time: all that an address can name. */
const MOST = 500

/** The items at some pointers, in reading order, without those below another one of them: what is done to that means them too. */
export function chooseItems(
  items: Items,
  pointers: readonly string[],
): Result<readonly PlacedItem[], Refusal> {
  const wanted = new Set(pointers)
  if (wanted.size > MOST) return refuse('too-many', { limit: MOST })
  const found = items.all.filter(({ pointer }) => wanted.has(pointer))
  if (found.length === 0 || found.length < wanted.size) return refuse('gone')
  const isBelow = ({ parent }: PlacedItem): boolean =>
    parent !== null && (wanted.has(parent.pointer) || isBelow(parent))
  return done(found.filter((item) => !isBelow(item)))
}

/** The operations for an action on several items, and where the first of them is afterwards, or the focus goes. */
export function actOnAll(
  items: Items,
  pointers: readonly string[],
  action: SharedAction,
  limits: MenuLimits,
): Result<Acted, Refusal> {
  const { value: chosen, fault } = chooseItems(items, pointers)
  if (fault !== null) return failed(fault)
  if (action.kind === 'remove') return done(takeOut(chosen))
  if (action.kind === 'move') {
    const to = findItem(items, action.parent)
    return to === null ? refuse('gone') : moveTo(chosen, to, action.position, limits)
  }
  // Those that are so already stay as they are.
  const operations = chosen.flatMap(
    (item) => setFields(item, fieldsAfter(ownOf(item.item), action)).value?.operations ?? [],
  )
  return operations.length === 0 ? refuse('same') : done({ operations, pointer: chosen[0]?.pointer ?? '' })
}

function fieldsAfter(own: JsonMap, action: SharedAction): JsonMap {
  if (action.kind === 'hide') return { ...own, hidden: true }
  const { hidden: _, ...shown } = own
  if (action.kind !== 'permissions') return shown
  const { permissions, permissionMode, ...free } = own
  if (action.permissions.length === 0) return free
  return { ...free, permissions: action.permissions, ...(action.isAny && { permissionMode: 'any' }) }
}
