import type { Side, ThreeOf } from '../change.js'
import { EDITED, type Edited, type Node, ofEach } from './three-trees.js'

/** The items that each side has certainly moved within the list or into it. */
export type Moved = { readonly [side in Edited]: ReadonlySet<Node> }

/** A list to be merged. */
export interface ListMerge {
  /** The lists of one parent in the three values. */
  readonly lists: ThreeOf<readonly Node[]>
  /** The items of the merged list, each with the side whose place it takes. */
  readonly members: ReadonlyMap<Node, Side>
  readonly moved: Moved
  /** The item above one in the result, to find what now wraps an item that is gone. */
  readonly above: (node: Node) => Node | null
}

/**
 * Merges the order of a list. Two items that all three lists have swap their order when either side swapped it, unless one
 * side moved one of them and the other side the other: then their order follows from the items that stayed. All other orders
 * stay where possible. Swaps never contradict each other, because each brings the later item before the earlier one: both
 * sides may reorder a list without a question, unless both moved one item to different places (`ask`). Items that not all
 * lists have then follow the neighbour before them on their own side; where both sides put some, those of `theirs` come
 * first.
 */
export function mergeOrder(merge: ListMerge, ask: (node: Node) => Side): readonly Node[] {
  const { lists, members, moved } = merge
  const place = ofEach((side) => new Map(lists[side].map((node, at) => [node, at])))
  const core = lists.base.filter(
    (node) => members.has(node) && place.mine.has(node) && place.theirs.has(node),
  )
  const steady = core.filter((node) => !moved.mine.has(node) && !moved.theirs.has(node))
  const before = (side: Side, node: Node): readonly Node[] =>
    steady.filter((each) => (place[side].get(each) ?? 0) < (place[side].get(node) ?? 0))
  const chosen = new Map<Node, Side>()
  for (const node of core) {
    if (!moved.mine.has(node) || !moved.theirs.has(node)) continue
    const there = new Set(before('theirs', node))
    const here = before('mine', node)
    if (here.length !== there.size || here.some((each) => !there.has(each))) chosen.set(node, ask(node))
  }
  const ordered = mergeTurns(core, place, chosen, moved)
  return placeOthers(ordered, merge)
}

/**
 * Repeatedly takes the first item, in the order of the base, that no other has to precede. Where swaps contradict an
 * unswapped order, the swaps win.
 */
export function mergeTurns(
  core: readonly Node[],
  place: ThreeOf<ReadonlyMap<Node, number>>,
  chosen: ReadonlyMap<Node, Side>,
  moved: Moved,
): readonly Node[] {
  const places = EDITED.map((side) => core.map((node) => place[side].get(node) ?? 0))
  const turned = places.filter((list) => list.some((each, at) => each < (list[at - 1] ?? 0)))
  const [only] = turned
  if (turned.length < 2 && chosen.size === 0) {
    return only === undefined
      ? core
      : [...core.keys()].sort((a, b) => (only[a] ?? 0) - (only[b] ?? 0)).map((at) => core[at] as Node)
  }
  const choices = core.map((node) => chosen.get(node))
  /** The side that alone has moved each; null for neither and for both. */
  const movers = core.map((node) => {
    const [mine, theirs] = [moved.mine.has(node), moved.theirs.has(node)]
    return mine === theirs ? null : mine ? 'mine' : 'theirs'
  })
  /** Whether two items change their order: as a side swapped them, else not; null where either order is fine. */
  const isTurned = (first: number, second: number): boolean | null => {
    const [one, other] = [movers[first] ?? null, movers[second] ?? null]
    if (one !== null && other !== null && one !== other) return null
    const of = choices[first] ?? choices[second]
    return places.some(
      (list, side) => (of === undefined || of === EDITED[side]) && (list[second] ?? 0) < (list[first] ?? 0),
    )
  }
  /** For each item, how many not yet taken must precede it, by a swap and without one. */
  const turns = core.map(() => 0)
  const stays = core.map(() => 0)
  const count = (first: number, second: number, by: 1 | -1): void => {
    const turned = isTurned(first, second)
    if (turned === true) turns[first] = (turns[first] ?? 0) + by
    if (turned === false) stays[second] = (stays[second] ?? 0) + by
  }
  for (const first of core.keys()) {
    for (let second = first + 1; second < core.length; second++) count(first, second, 1)
  }
  const left = new Set(core.keys())
  const ordered: Node[] = []
  while (left.size > 0) {
    const free = [...left].filter((each) => turns[each] === 0)
    const next = free.find((each) => stays[each] === 0) ?? free[0] ?? 0
    ordered.push(core[next] as Node)
    left.delete(next)
    for (const each of left) count(Math.min(each, next), Math.max(each, next), -1)
  }
  return ordered
}

/** Puts items that not all lists have behind their neighbour; the last one put at a place is first there. */
function placeOthers(ordered: readonly Node[], { lists, members, moved, above }: ListMerge): readonly Node[] {
  /** From each item to the one behind it; null is the start. */
  const next = new Map<Node | null, Node | null>([[null, null]])
  const put = (node: Node, behind: Node | null): void => {
    next.set(node, next.get(behind) ?? null)
    next.set(behind, node)
  }
  for (const [at, node] of ordered.entries()) put(node, ordered[at - 1] ?? null)
  /** Whether an item left its place on the other side, so that it no longer shows where its neighbours are. */
  const hasLeft = (node: Node, side: Side): boolean =>
    side !== 'base' && moved[side === 'mine' ? 'theirs' : 'mine'].has(node) && !moved[side].has(node)
  const neighbour = (side: Side, place: number): Node | null => {
    for (let at = place - 1; at >= 0; at--) {
      const node = lists[side][at] as Node
      if (next.has(node) && !hasLeft(node, side)) return node
      for (let up = above(node); up !== null; up = above(up)) {
        if (next.has(up) && up[side] === null) return up
      }
    }
    return null
  }
  for (const side of ['mine', 'theirs', 'base'] as const) {
    for (const [place, node] of lists[side].entries()) {
      if (members.get(node) === side && !next.has(node)) put(node, neighbour(side, place))
    }
  }
  const found: Node[] = []
  for (let node = next.get(null) ?? null; node !== null; node = next.get(node) ?? null) found.push(node)
  return [...found, ...[...members.keys()].filter((node) => !next.has(node))]
}
