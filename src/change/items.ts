import { isList, isMap, type Json, type JsonMap } from '../model/json.js'

/** An item of a menu's value, and its place; or the menu itself, which is above the items at the top. */
export interface PlacedItem {
  readonly item: JsonMap
  /** `''` for the menu itself. */
  readonly pointer: string
  /** The item above it, or the menu; null for the menu itself. */
  readonly parent: PlacedItem | null
  readonly below: readonly PlacedItem[]
  /** Its index in its list; -1 for the menu itself. */
  readonly index: number
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
  const enter = (item: JsonMap, pointer: string, parent: PlacedItem | null, index: number): PlacedItem => {
    const [key, order] = parent === null ? ['items', -1] : ['children', all.length]
    const below: PlacedItem[] = []
    const placed = { item, pointer, parent, below, index, place: parent?.below.length ?? 0, order }
    if (parent !== null) all.push(placed)
    const list = item[key]
    for (const [index, child] of isList(list) ? list.entries() : [])
      if (isMap(child)) below.push(enter(child, `${pointer}/${key}/${index}`, placed, index))
    return placed
  }
  return { value, menu: enter(isMap(value) ? value : {}, '', null, -1), all }
}

/** An item, those above it, and the menu. */
export function withAncestors(placed: PlacedItem): readonly PlacedItem[] {
  return placed.parent === null ? [placed] : [placed, ...withAncestors(placed.parent)]
}

/** Every item of a menu's value, parents before children. */
export function placedItems(value: Json): readonly PlacedItem[] {
  return readItems(value).all
}

/** The pointer of the item above another; `''` for the menu, which is above those at the top. */
export function toAbove(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/children/')))
}

/** A short name of the item at a pointer, for addresses and names of fields: `1-0` for `/items/1/children/0`. */
export function toShortName(pointer: string): string {
  return (pointer.match(/\d+/g) ?? []).join('-')
}

/** The pointer of the item with a short name. */
export function fromShortName(name: string): string {
  return `/items/${name.replaceAll('-', '/children/')}`
}

/** An item without the items below it. */
export function ownOf(item: JsonMap): JsonMap {
  if (!isList(item['children'])) return item
  const { children: _, ...own } = item
  return own
}
