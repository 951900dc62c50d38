import { isList, isMap, type Json, type JsonMap } from './json.js'
import { toPointer } from './pointer.js'

/** An item of a menu's value, and where it is. */
export interface PlacedItem {
  readonly item: JsonMap
  readonly pointer: string
  /** The pointer of the item above it; null for those at the top. */
  readonly parent: string | null
  /** Its place among all items in reading order, from 0. */
  readonly order: number
}

/** Every item of a menu's value, parents before children. */
export function placedItems(value: Json): readonly PlacedItem[] {
  const found: PlacedItem[] = []
  const walk = (list: Json | undefined, steps: readonly string[], parent: string | null): void => {
    if (!isList(list)) return
    for (const [place, item] of list.entries()) {
      if (!isMap(item)) continue
      const own = [...steps, String(place)]
      const pointer = toPointer(own)
      found.push({ item, pointer, parent, order: found.length })
      walk(item['children'], [...own, 'children'], pointer)
    }
  }
  walk(isMap(value) ? value['items'] : undefined, ['items'], null)
  return found
}

/** Items by the pointer of the item above them, `''` for those at the top, each list in its order. */
export function byParent(items: Iterable<PlacedItem>): ReadonlyMap<string, readonly PlacedItem[]> {
  const lists = new Map<string, PlacedItem[]>()
  for (const each of items) {
    const list = lists.get(each.parent ?? '')
    if (list === undefined) lists.set(each.parent ?? '', [each])
    else list.push(each)
  }
  return lists
}

/** An item without what is below it. */
export function ownOf(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children: _, ...own } = item
  return own
}
