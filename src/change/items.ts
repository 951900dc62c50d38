import { isList, isMap, type Json, type JsonMap } from '../model/json.js'

/** An item of a menu's value, and its place; or the menu itself, which is above the items at the top. */
export interface PlacedItem {
  readonly item: JsonMap
  /** `''` for the menu itself. */
  readonly pointer: string
  /** The item above it, or the menu; null for the menu itself. */
  readonly parent: PlacedItem | null
  readonly below: readonly PlacedItem[]
  /** Its place among the items of its list, from 0. */
  readonly place: number
  /** Its place among all items in reading order, from 0. */
  readonly order: number
}

/** A value of a menu with its items. */
export interface Items {
  readonly value: Json
  readonly menu: PlacedItem
  /** Every item, parents before children. */
  readonly all: readonly PlacedItem[]
}

/** Finds the items of a menu's value. */
export function readItems(value: Json): Items {
  const all: PlacedItem[] = []
  const enter = (map: JsonMap, at: Omit<PlacedItem, 'item' | 'below'>, key: string): PlacedItem => {
    const below: PlacedItem[] = []
    const placed = { ...at, item: map, below }
    if (at.parent !== null) all.push(placed)
    const list = map[key]
    for (const [index, item] of isList(list) ? list.entries() : []) {
      if (!isMap(item)) continue
      const pointer = `${at.pointer}/${key}/${index}`
      below.push(enter(item, { pointer, parent: placed, place: below.length, order: all.length }, 'children'))
    }
    return placed
  }
  const top = { pointer: '', parent: null, place: 0, order: -1 }
  return { value, menu: enter(isMap(value) ? value : {}, top, 'items'), all }
}

/** Every item of a menu's value, parents before children. */
export function placedItems(value: Json): readonly PlacedItem[] {
  return readItems(value).all
}

/** The pointer of the item above another; `''` for the menu, which is above those at the top. */
export function toAbove(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/children/')))
}

/** An item without the items below it. */
export function ownOf(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children: _, ...own } = item
  return own
}
