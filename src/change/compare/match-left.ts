import { byParent, type PlacedItem, placedItems } from '../items.js'
import type { Json } from '../json.js'
import { type Match, matchItems } from './match.js'

/**
 * Matches the items of two values as `matchItems` does, and then what that leaves: an item that became another type is
 * the only one with its label, and a divider with other fields the one between the same neighbours. Taken for new ones,
 * they would be there twice where the other side changed them, too.
 */
export function matchAll(before: Json, after: Json): Match {
  const match = matchItems(before, after)
  const toAfter = new Map(match.toAfter)
  const toBefore = new Map(match.toBefore)
  const [olds, news] = [toLists(before), toLists(after)]
  const labels = {
    olds: byLabel([...olds.items.values()].filter(({ pointer }) => !toAfter.has(pointer))),
    news: byLabel([...news.items.values()].filter(({ pointer }) => !toBefore.has(pointer))),
  }
  for (const old of olds.items.values()) {
    if (toAfter.has(old.pointer)) continue
    const now = old.item['type'] === 'divider' ? dividerFor(old) : otherTypeFor(old)
    if (now === null || toBefore.has(now.pointer) || !maySame(old, now)) continue
    toAfter.set(old.pointer, now.pointer)
    toBefore.set(now.pointer, old.pointer)
  }
  return { toAfter, toBefore }

  function otherTypeFor(old: PlacedItem): PlacedItem | null {
    const [same, other] = [labels.olds, labels.news].map((map) => map.get(labelOf(old)) ?? [])
    return same?.length === 1 && other?.length === 1 ? (other[0] ?? null) : null
  }

  function dividerFor(old: PlacedItem): PlacedItem | null {
    const parent = old.parent === null ? null : toAfter.get(old.parent)
    if (parent === undefined) return null
    const [above, below] = olds.around(old)
    // What stands behind the neighbour above is the only one that can be it.
    const place = above === null ? 0 : news.placeBehind(toAfter.get(above.pointer))
    const found = place === undefined ? undefined : news.below(parent)[place]
    if (found === undefined || found.item['type'] !== 'divider' || toBefore.has(found.pointer)) return null
    const [over, under] = news.around(found)
    return isSame(above, over) && isSame(below, under) ? found : null
  }

  function isSame(old: PlacedItem | null, now: PlacedItem | null): boolean {
    return old === null || now === null ? old === now : toAfter.get(old.pointer) === now.pointer
  }
}

function maySame({ item }: PlacedItem, { item: other }: PlacedItem): boolean {
  return item['id'] === undefined || other['id'] === undefined || item['id'] === other['id']
}

function labelOf({ item }: PlacedItem): string {
  return JSON.stringify(item['label'] ?? null)
}

function byLabel(items: readonly PlacedItem[]): ReadonlyMap<string, readonly PlacedItem[]> {
  const found = new Map<string, PlacedItem[]>()
  for (const each of items) {
    if (each.item['label'] === undefined) continue
    const list = found.get(labelOf(each))
    if (list === undefined) found.set(labelOf(each), [each])
    else list.push(each)
  }
  return found
}

interface Lists {
  readonly items: ReadonlyMap<string, PlacedItem>
  readonly below: (parent: string | null) => readonly PlacedItem[]
  /** The neighbours of an item in its list; null at the ends. */
  readonly around: (item: PlacedItem) => readonly [above: PlacedItem | null, below: PlacedItem | null]
  /** The place behind an item in its list; undefined for what is no item. */
  readonly placeBehind: (pointer: string | undefined) => number | undefined
}

function toLists(value: Json): Lists {
  const placed = placedItems(value)
  const lists = byParent(placed)
  const places = new Map(
    [...lists.values()].flatMap((list) => list.map(({ pointer }, place) => [pointer, place])),
  )
  const below = (parent: string | null): readonly PlacedItem[] => lists.get(parent ?? '') ?? []
  return {
    items: new Map(placed.map((each) => [each.pointer, each])),
    below,
    around: ({ pointer, parent }) => {
      const place = places.get(pointer) ?? 0
      return [below(parent)[place - 1] ?? null, below(parent)[place + 1] ?? null]
    },
    placeBehind: (pointer = '') => {
      const place = places.get(pointer)
      return place === undefined ? undefined : place + 1
    },
  }
}
