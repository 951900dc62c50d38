import { isMap, type RawMap } from '../../model/json.js'
import type { Pointer } from '../value.js'

/** An entry of a list of items, of any form. */
export interface RawItem {
  readonly entry: unknown
  /** The entry, or an empty map where it is not a map. */
  readonly item: RawMap
  readonly pointer: Pointer
  readonly level: number
}

/** Every entry of a list of items and of the lists below it, in the order of the file. */
export function* rawItems(list: unknown, pointer: Pointer, level: number): Generator<RawItem> {
  if (!Array.isArray(list)) return
  for (const [place, entry] of list.entries()) {
    // What is not a map counts as an item, too: the limit bounds everything that is judged.
    const item = isMap(entry) ? entry : {}
    yield { entry, item, pointer: [...pointer, place], level }
    yield* rawItems(item['children'], [...pointer, place, 'children'], level + 1)
  }
}

export function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}
