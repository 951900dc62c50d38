import { type JsonMap, toKey } from '../../model/json.js'
import type { ItemOrigin } from '../change.js'
import { ownOf } from '../items.js'

/** An item that an operation took away, as it was then. */
interface RemovedItem {
  /** Null for one that an operation had added. */
  readonly origin: ItemOrigin | null
  readonly keys: readonly string[]
}

/** The items that operations took away and none put back so far, by each key that identifies them; the latest last. */
export type RemovedItems = ReadonlyMap<string, readonly RemovedItem[]>

/** Remembers an item that an operation takes away. */
export function addRemoved(
  removed: Map<string, readonly RemovedItem[]>,
  item: JsonMap,
  origin: ItemOrigin | null,
): void {
  const entry = { origin, keys: [idKey, contentKey, ownKey].flatMap((keyOf) => keyOf(item) ?? []) }
  for (const key of entry.keys) removed.set(key, [...(removed.get(key) ?? []), entry])
}

/** The removed item with a key, the latest of those that `isWanted`; null for none. It is forgotten. */
export function takeRemoved(
  removed: Map<string, readonly RemovedItem[]>,
  key: string | null,
  isWanted: (entry: RemovedItem) => boolean,
): RemovedItem | null {
  const entry = removed.get(key ?? '')?.findLast(isWanted)
  if (entry === undefined) return null
  for (const each of entry.keys) {
    const others = removed.get(each)?.filter((other) => other !== entry) ?? []
    if (others.length > 0) removed.set(each, others)
    else removed.delete(each)
  }
  return entry
}

export function idKey({ id }: JsonMap): string | null {
  return typeof id === 'string' ? `id ${id}` : null
}

/** The content of an item with all below it. */
export function contentKey(item: JsonMap): string {
  return `content ${toKey(item)}`
}

/** The content of an item alone. */
export function ownKey(item: JsonMap): string {
  return `own ${toKey(ownOf(item))}`
}
