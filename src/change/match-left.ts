import type { Json } from './json.js'
import { type Match, matchItems, type PlacedItem, placedItems } from './match.js'

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
    const [above, below] = neighbours(olds.below(old.parent), old).map((each) =>
      each === undefined ? 'end' : toAfter.get(each.pointer),
    )
    const list = news.below(parent)
    const found = list.find((each) => {
      const [over, under] = neighbours(list, each).map((next) => next?.pointer ?? 'end')
      const isOpen = each.item['type'] === 'divider' && !toBefore.has(each.pointer)
      return isOpen && over === above && under === below
    })
    return found ?? null
  }
}

function neighbours(
  list: readonly PlacedItem[],
  item: PlacedItem,
): readonly [PlacedItem | undefined, PlacedItem | undefined] {
  const place = list.indexOf(item)
  return [list[place - 1], list[place + 1]]
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
}

function toLists(value: Json): Lists {
  const placed = placedItems(value)
  const lists = new Map<string | null, PlacedItem[]>()
  for (const each of placed) {
    const list = lists.get(each.parent)
    if (list === undefined) lists.set(each.parent, [each])
    else list.push(each)
  }
  return {
    items: new Map(placed.map((each) => [each.pointer, each])),
    below: (parent) => lists.get(parent) ?? [],
  }
}
