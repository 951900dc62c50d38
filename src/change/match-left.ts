import type { Json } from './json.js'
import { type Match, matchItems, type PlacedItem, placedItems } from './match.js'

/**
 * Matches the items of two values as `matchItems` does, and then what that leaves: a section under another label is the
 * one that has most of its items, and a divider with other fields the one between the same neighbours. Taken for new
 * ones, they would stand in the way of every change that another side makes below or beside them.
 */
export function matchAll(before: Json, after: Json): Match {
  const match = matchItems(before, after)
  const toAfter = new Map(match.toAfter)
  const toBefore = new Map(match.toBefore)
  const [olds, news] = [toLists(before), toLists(after)]
  const candidate = (old: PlacedItem): PlacedItem | null =>
    old.item['type'] === 'divider' ? dividerFor(old) : listFor(old)
  // What lies deepest first: it tells where what is above it has gone.
  for (const old of [...olds.items.values()].reverse()) {
    const now = toAfter.has(old.pointer) ? null : candidate(old)
    if (now === null || toBefore.has(now.pointer) || !maySame(old, now)) continue
    toAfter.set(old.pointer, now.pointer)
    toBefore.set(now.pointer, old.pointer)
  }
  return { toAfter, toBefore }

  /** The item that has most of what was below one, and little else that was there before. */
  function listFor(old: PlacedItem): PlacedItem | null {
    const counts = new Map<string, number>()
    let kept = 0
    for (const { pointer } of olds.below(old.pointer)) {
      const now = news.items.get(toAfter.get(pointer) ?? '')
      if (now === undefined) continue
      kept++
      if (now.parent !== null) counts.set(now.parent, (counts.get(now.parent) ?? 0) + 1)
    }
    const [parent, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
    if (parent === undefined || count * 2 <= kept) return null
    const known = news.below(parent).filter(({ pointer }) => toBefore.has(pointer))
    return count * 2 > known.length ? (news.items.get(parent) ?? null) : null
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
      return !toBefore.has(each.pointer) && maySame(old, each) && over === above && under === below
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
  if ((item['type'] ?? 'link') !== (other['type'] ?? 'link')) return false
  return item['id'] === undefined || other['id'] === undefined || item['id'] === other['id']
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
