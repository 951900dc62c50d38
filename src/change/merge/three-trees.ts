import type { Side } from '../change.js'
import { matchAll } from '../compare/match-left.js'
import { byParent, type PlacedItem, placedItems } from '../items.js'
import type { Json } from '../json.js'
import type { Origin } from './conflict.js'
import { type Placed, pairAdded } from './pair-added.js'

/** One item of a merge, as it stands in each of the three values; null where it does not. */
export type Node = { readonly [side in Side]: PlacedItem | null }

/** The items of three values, known to be the same; null stands for the menu, above the items at the top. */
export interface ThreeTrees {
  /** Each item once: those of the base, then what `mine` added, then what only `theirs` did, parents before children. */
  readonly nodes: readonly Node[]
  /** The items directly below one, in one of the values; none where it is not. */
  readonly listOf: (side: Side, parent: Node | null) => readonly Node[]
  /** The item above one; asked of a value that has it. */
  readonly parentOf: (side: Side, node: Node) => Node | null
}

/** The pointers of an item in the three values. */
export function originOf({ base, mine, theirs }: Node): Origin {
  return { base: base?.pointer ?? null, mine: mine?.pointer ?? null, theirs: theirs?.pointer ?? null }
}

const NONE: readonly Node[] = []

/** Finds out which items of three values are the same: those of the base by `matchAll`, what both added by `pairAdded`. */
export function toThreeTrees(base: Json, mine: Json, theirs: Json): ThreeTrees {
  const placed = { base: byPointer(base), mine: byPointer(mine), theirs: byPointer(theirs) }
  const twins = {
    mine: matchAll(base, mine).toAfter,
    theirs: matchAll(base, theirs).toAfter,
  }
  const added = pairAdded(placed, twins)
  const nodes: Node[] = []
  const nodeAt = {
    base: new Map<string, Node>(),
    mine: new Map<string, Node>(),
    theirs: new Map<string, Node>(),
  }
  const take = (pointers: { readonly [side in Side]: string | undefined }): void => {
    const at = (side: Side): PlacedItem | null => placed[side].get(pointers[side] ?? '') ?? null
    const node = { base: at('base'), mine: at('mine'), theirs: at('theirs') }
    nodes.push(node)
    for (const side of SIDES) {
      const pointer = pointers[side]
      if (pointer !== undefined) nodeAt[side].set(pointer, node)
    }
  }
  for (const pointer of placed.base.keys()) {
    take({ base: pointer, mine: twins.mine.get(pointer), theirs: twins.theirs.get(pointer) })
  }
  for (const pointer of placed.mine.keys()) {
    if (!nodeAt.mine.has(pointer)) take({ base: undefined, mine: pointer, theirs: added.get(pointer) })
  }
  for (const pointer of placed.theirs.keys()) {
    if (!nodeAt.theirs.has(pointer)) take({ base: undefined, mine: undefined, theirs: pointer })
  }
  const lists = {
    base: toLists(placed.base, nodeAt.base),
    mine: toLists(placed.mine, nodeAt.mine),
    theirs: toLists(placed.theirs, nodeAt.theirs),
  }
  return {
    nodes,
    listOf: (side, parent) =>
      lists[side].get(parent === null ? '' : (parent[side]?.pointer ?? 'none')) ?? NONE,
    parentOf: (side, node) => nodeAt[side].get(node[side]?.parent ?? '') ?? null,
  }
}

export const SIDES: readonly Side[] = ['base', 'mine', 'theirs']

function byPointer(value: Json): Placed {
  return new Map(placedItems(value).map((each) => [each.pointer, each]))
}

function toLists(placed: Placed, nodeAt: ReadonlyMap<string, Node>): ReadonlyMap<string, readonly Node[]> {
  const lists = [...byParent(placed.values())].map(
    ([parent, list]) => [parent, list.flatMap(({ pointer }) => nodeAt.get(pointer) ?? [])] as const,
  )
  return new Map(lists)
}
