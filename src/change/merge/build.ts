import { isList, type Json, type JsonMap } from '../../model/json.js'
import type { ThreeOf } from '../change.js'
import type { Origin } from './conflict.js'
import { type Node, ofEach, originOf } from './three-trees.js'

/** The items of each list of the merged menu, in order, by the item above them. */
export type MergedLists = ReadonlyMap<Node | null, readonly Node[]>

interface Built {
  readonly items: readonly Json[]
  readonly origins: ReadonlyMap<string, Origin>
}

/** Puts the items into their lists, and records where each comes from. */
export function buildItems(fields: ReadonlyMap<Node, JsonMap>, lists: MergedLists): Built {
  const origins = new Map<string, Origin>()
  const toItems = (parent: Node | null, at: string): readonly Json[] =>
    (lists.get(parent) ?? []).map((node, place) => {
      const pointer = `${at}/${place}`
      origins.set(pointer, originOf(node))
      const item = fields.get(node) ?? {}
      const children = item['type'] === 'divider' ? [] : toItems(node, `${pointer}/children`)
      return withList(
        item,
        'children',
        children,
        ofEach((side) => node[side]?.item),
      )
    })
  return { items: toItems(null, '/items'), origins }
}

/**
 * A map with its list, at its usual place. An empty result is written only where the source has an empty list; a list whose
 * items all went elsewhere leaves nothing behind. `items` is always written.
 */
export function withList(
  map: JsonMap,
  key: 'items' | 'children',
  list: readonly Json[],
  { base, mine, theirs }: ThreeOf<JsonMap | undefined>,
): JsonMap {
  const hasEmpty = (value: JsonMap | undefined): boolean => {
    const own = value?.[key]
    return isList(own) && own.length === 0
  }
  const isChanged = theirs === undefined || hasEmpty(mine) !== hasEmpty(base)
  const wants = mine === undefined ? hasEmpty(theirs) : isChanged ? hasEmpty(mine) : hasEmpty(theirs)
  if (list.length === 0 && !wants && key === 'children') return map
  const entries = Object.entries(map)
  const keys = Object.keys((isList(mine?.[key]) ? mine : (theirs ?? mine)) ?? {})
  const before = keys.slice(0, keys.indexOf(key) + 1).reverse()
  const neighbour = keys.includes(key)
    ? before.find((each) => Object.hasOwn(map, each))
    : Object.keys(map).at(-1)
  const place = neighbour === undefined ? 0 : entries.findIndex(([name]) => name === neighbour) + 1
  return Object.fromEntries(entries.toSpliced(place, 0, [key, list]))
}
