import { failed } from '../../model/result.js'
import type { PlacedItem } from '../items.js'
import type { Operation } from '../operations/operation.js'

/** What an action comes to. */
export interface Acted {
  readonly operations: readonly Operation[]
  /** Where the item is afterwards, or where the focus goes when it is gone; `''` for the menu itself. */
  readonly pointer: string
}

/** Why an action is impossible. */
export interface Refusal {
  readonly reason: RefusalReason
  /** The item that prevents it. */
  readonly other?: PlacedItem
  /** Which of several items it is about. */
  readonly item?: PlacedItem
  /** The limit that would be passed. */
  readonly limit?: number
}

export type RefusalReason =
  /** The item does not exist (any more). */
  | 'gone'
  | 'first'
  | 'last'
  /** Nothing is in front of the item, under which it could be nested. */
  | 'no-previous'
  /** The item is in no other. */
  | 'outermost'
  /** A divider cannot have items below it. */
  | 'divider'
  /** An item with others below it cannot become a divider. */
  | 'has-items'
  /** An item cannot be moved into itself. */
  | 'itself'
  /** Nothing would change. */
  | 'same'
  | 'levels'
  | 'items'
  /** More items are chosen than can be at a time. */
  | 'too-many'

export function refuse(
  reason: RefusalReason,
  more: Omit<Refusal, 'reason'> = {},
): { readonly value: null; readonly fault: Refusal } {
  return failed({ reason, ...more })
}
