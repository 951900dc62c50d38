import type { Side, ThreeOf } from '../change.js'
import { matchAll } from '../compare/match-left.js'
import { definitelyMoved } from '../compare/order.js'
import { type Items, type PlacedItem, readItems } from '../items.js'
import type { Origin } from './conflict.js'
import { pairAdded } from './pair-added.js'

/** One item of a merge, with its place in each of the three values; null where it is absent. */
export type Node = ThreeOf<PlacedItem | null>

/** The sides that change something. */
export type Edited = 'mine' | 'theirs'
export const EDITED: readonly Edited[] = ['mine', 'theirs']

/** The items of three values, matched; null is the menu, above the items at the top. */
export interface ThreeTrees {
  readonly items: ThreeOf<Items>
  /** Each item once: those of the base, then what `mine` added, then what only `theirs` did, parents before children. */
  readonly nodes: readonly Node[]
  /** The items of one of the values in reading order. */
  readonly inOrder: (side: Side) => readonly Node[]
  /** The items directly below one, in one of the values; none where it is absent. */
  readonly listOf: (side: Side, parent: Node | null) => readonly Node[]
  /** The item above one; null at the top, and where the value does not have it. */
  readonly parentOf: (side: Side, node: Node) => Node | null
  /**
   * The items of a list that one side has certainly moved within it: whichever others count as moved, these have. Of two
   * neighbours that changed places, neither has.
   */
  readonly movedWithin: (side: Edited, parent: Node | null) => ReadonlySet<Node>
}

export const SIDES: readonly Side[] = ['base', 'mine', 'theirs']

/** One value for each of the three sides. */
export function ofEach<T>(of: (side: Side) => T): ThreeOf<T> {
  return { base: of('base'), mine: of('mine'), theirs: of('theirs') }
}

/** The pointers of an item in the three values. */
export function originOf(node: Node): Origin {
  return ofEach((side) => node[side]?.pointer ?? null)
}

/** Finds out which items of three values are the same: those of the base by `matchAll`, what both added by `pairAdded`. */
export function toThreeTrees(values: ThreeOf<Items['value']>): ThreeTrees {
  const items = ofEach((side) => readItems(values[side]))
  const twins = { mine: matchAll(items.base, items.mine), theirs: matchAll(items.base, items.theirs) }
  const added = pairAdded(twins.mine, twins.theirs)
  const nodes: Node[] = []
  const nodeAt = ofEach(() => new Map<string, Node>())
  const take = (pointers: { readonly [side in Side]?: string | undefined }): void => {
    const node = ofEach((side) => items[side].at(pointers[side]) ?? null)
    nodes.push(node)
    for (const side of SIDES) if (node[side] !== null) nodeAt[side].set(node[side].pointer, node)
  }
  for (const { pointer: base } of items.base.all) {
    take({ base, mine: twins.mine.toAfter.get(base), theirs: twins.theirs.toAfter.get(base) })
  }
  for (const { pointer: mine } of items.mine.all) {
    if (!nodeAt.mine.has(mine)) take({ mine, theirs: added.get(mine) })
  }
  for (const { pointer: theirs } of items.theirs.all) if (!nodeAt.theirs.has(theirs)) take({ theirs })

  const toNodes = (side: Side, list: readonly PlacedItem[]): readonly Node[] =>
    list.flatMap(({ pointer }) => nodeAt[side].get(pointer) ?? [])
  const listOf: ThreeTrees['listOf'] = (side, parent) => {
    const pointer = parent === null ? null : parent[side]?.pointer
    return pointer === undefined ? [] : toNodes(side, items[side].below(pointer))
  }
  const findMoved: ThreeTrees['movedWithin'] = (side, parent) => {
    const places = new Map(listOf('base', parent).map((node, place) => [node, place]))
    const common = listOf(side, parent).filter((node) => places.has(node))
    const moved = definitelyMoved(common.map((node) => places.get(node) ?? 0))
    return new Set(common.filter((_, place) => moved.has(place)))
  }
  const known = ofEach(() => new Map<Node | null, ReadonlySet<Node>>())
  return {
    items,
    nodes,
    inOrder: (side) => toNodes(side, items[side].all),
    listOf,
    parentOf: (side, node) => nodeAt[side].get(node[side]?.parent ?? '') ?? null,
    movedWithin(side, parent) {
      const found = known[side].get(parent) ?? findMoved(side, parent)
      known[side].set(parent, found)
      return found
    },
  }
}
