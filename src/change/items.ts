import { isList, isMap, type Json, type JsonMap } from '../model/json.js'

/** An item of a menu's value, and its place. */
export interface PlacedItem {
  readonly item: JsonMap
  readonly pointer: string
  /** The pointer of the item above it; null for those at the top. */
  readonly parent: string | null
  /** Its place among the items of its list, from 0. */
  readonly place: number
  /** Its place among all items in reading order, from 0. */
  readonly order: number
}

/** A value of a menu with its items. */
export interface Items {
  readonly value: Json
  /** Every item, parents before children. */
  readonly all: readonly PlacedItem[]
  readonly at: (pointer: string | undefined) => PlacedItem | undefined
  /** The items of a list, by the pointer of the item above it; null for those at the top. */
  readonly below: (parent: string | null) => readonly PlacedItem[]
  /** The neighbours of an item in its list. */
  readonly around: (
    item: PlacedItem,
  ) => readonly [above: PlacedItem | undefined, below: PlacedItem | undefined]
}

/** Finds the items of a menu's value. */
export function readItems(value: Json): Items {
  const lists = new Map<string | null, readonly PlacedItem[]>()
  const byPointer = new Map<string, PlacedItem>()
  const walk = (list: Json | undefined, at: string, parent: string | null): void => {
    if (!isList(list)) return
    const own: PlacedItem[] = []
    lists.set(parent, own)
    for (const [index, item] of list.entries()) {
      if (!isMap(item)) continue
      const pointer = `${at}/${index}`
      const placed = { item, pointer, parent, place: own.length, order: byPointer.size }
      own.push(placed)
      byPointer.set(pointer, placed)
      walk(item['children'], `${pointer}/children`, pointer)
    }
  }
  walk(isMap(value) ? value['items'] : undefined, '/items', null)
  const below = (parent: string | null): readonly PlacedItem[] => lists.get(parent) ?? []
  return {
    value,
    all: [...byPointer.values()],
    at: (pointer = '') => byPointer.get(pointer),
    below,
    around: ({ parent, place }) => [below(parent)[place - 1], below(parent)[place + 1]],
  }
}

/** Every item of a menu's value, parents before children. */
export function placedItems(value: Json): readonly PlacedItem[] {
  return readItems(value).all
}

/** An item without the items below it. */
export function ownOf(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children: _, ...own } = item
  return own
}
