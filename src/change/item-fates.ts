import { isEqual, isMap, type Json, type JsonMap } from './json.js'
import { matchItems, type PlacedItem, placedItems } from './match.js'
import { stayingPlaces } from './order.js'

/** What a change did to an item that is there after it. What is below an item does not change it. */
export interface ItemFate {
  /** Where the item was; null for one that was added. */
  readonly before: string | null
  /** The keys of its own that differ, such as `url`, of labels by locale: `label.es`. */
  readonly edited: readonly string[]
  /** Whether it stands in another list, or at another place among those that stayed. */
  readonly isMoved: boolean
}

/** What a change of a menu did, item by item. */
export interface Fates {
  /** By the pointers of the later value, in reading order. */
  readonly items: ReadonlyMap<string, ItemFate>
  readonly removed: number
  /** The keys of the menu itself that differ. */
  readonly menu: readonly string[]
}

/** Tells what became of each item between two values of a menu. */
export function toFates(before: Json, after: Json): Fates {
  const { toBefore, toAfter } = matchItems(before, after)
  const olds = placedItems(before)
  const byPointer = new Map(olds.map((each) => [each.pointer, each]))
  const oldOf = ({ pointer }: PlacedItem): PlacedItem | undefined =>
    byPointer.get(toBefore.get(pointer) ?? '')
  const news = placedItems(after)
  const moved = movedOf(news, oldOf, toBefore)
  const items = new Map<string, ItemFate>()
  for (const each of news) {
    const old = oldOf(each)
    items.set(each.pointer, {
      before: old?.pointer ?? null,
      edited: old === undefined ? [] : keysThatDiffer(old.item, each.item, 'children'),
      isMoved: moved.has(each.pointer),
    })
  }
  const menu = isMap(before) && isMap(after) ? keysThatDiffer(before, after, 'items') : []
  return { items, removed: olds.length - toAfter.size, menu }
}

/** A change in words, such as `1 item added, 2 edited; name`; `nothing but its form` where the values are equal. */
export function toSummary({ items, removed, menu }: Fates): string {
  const fates = [...items.values()]
  const counts = [
    [fates.filter((fate) => fate.before === null).length, 'added'],
    [fates.filter((fate) => fate.edited.length > 0).length, 'edited'],
    [fates.filter((fate) => fate.isMoved && fate.edited.length === 0).length, 'moved'],
    [removed, 'removed'],
  ] as const
  const some = counts.filter(([count]) => count > 0)
  const words = some.map(([count, what], place) => {
    const noun = place > 0 ? '' : count === 1 ? ' item' : ' items'
    return `${count}${noun} ${what}`
  })
  const parts = [words.join(', '), menu.length === 0 ? '' : `${menu.join(', ')} of the menu`]
  return parts.filter((part) => part !== '').join('; ') || 'nothing but its form'
}

function movedOf(
  news: readonly PlacedItem[],
  oldOf: (item: PlacedItem) => PlacedItem | undefined,
  toBefore: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const moved = new Set<string>()
  const lists = new Map<string | null, { readonly pointer: string; readonly order: number }[]>()
  for (const each of news) {
    const old = oldOf(each)
    if (old === undefined) continue
    const home = each.parent === null ? null : toBefore.get(each.parent)
    if (home !== old.parent) {
      moved.add(each.pointer)
      continue
    }
    const list = lists.get(each.parent) ?? []
    list.push({ pointer: each.pointer, order: old.order })
    lists.set(each.parent, list)
  }
  for (const list of lists.values()) {
    const staying = stayingPlaces(list.map(({ order }) => order))
    for (const [place, { pointer }] of list.entries()) if (!staying.has(place)) moved.add(pointer)
  }
  return moved
}

function keysThatDiffer(before: JsonMap, after: JsonMap, leftOut: string): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => key !== leftOut)
  return keys.flatMap((key) => {
    const [from, to] = [own(before, key), own(after, key)]
    if (isEqual(from, to)) return []
    if (key !== 'label' || !isMap(from) || !isMap(to)) return [key]
    const locales = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return locales
      .filter((locale) => !isEqual(own(from, locale), own(to, locale)))
      .map((locale) => `${key}.${locale}`)
  })
}

function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
