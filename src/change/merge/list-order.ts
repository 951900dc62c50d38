import { groupBy } from '../../model/group-by.js'
import type { Side } from '../change.js'
import { inSameGap } from './gaps.js'
import type { Placing } from './placings.js'
import { type Node, OTHER, ofEach, SIDES, type ThreeTrees } from './three-trees.js'

/**
 * Merges the order of a list. Two items that all three lists have swap their order when either side swapped it, unless one
 * side moved one of them and the other side the other: then their order follows from the items that stayed. All other orders
 * stay where possible. Swaps never contradict each other, because each brings the later item before the earlier one: both
 * sides may reorder a list without a question, unless both moved one item to different places (`ask`). Items that not all
 * lists have then follow the neighbour before them on their own side; where both sides put some, those of `theirs` come
 * first. Items that came together from one other list share the places that they have then, in the order that both sides
 * want: when one side wraps or moves them and the other reorders them, both changes apply.
 *
 * @param members the items of the merged list
 */
export function mergeOrder(
  trees: ThreeTrees,
  placings: ReadonlyMap<Node, Placing>,
  parent: Node,
  members: readonly Node[],
  ask: (node: Node) => Side,
): readonly Node[] {
  const lists = ofEach((side) => trees.listOf(side, parent))
  const [mine, theirs] = [trees.movedWithin.mine(parent), trees.movedWithin.theirs(parent)]
  const core = lists.base.filter(
    (node) =>
      placings.get(node)?.parent === parent &&
      trees.parentOf('mine', node) === parent &&
      trees.parentOf('theirs', node) === parent,
  )
  const steady = core.filter((node) => !mine.has(node) && !theirs.has(node))
  const agreed = inSameGap(lists.mine, lists.theirs, steady)
  const disputed = core.filter((node) => mine.has(node) && theirs.has(node) && !agreed.has(node))
  const chosen = new Map(disputed.map((node) => [node, ask(node)]))
  const ordered = placeOthers(inTurn(trees, core, chosen))
  return turnTogether(ordered)

  /** Puts items that not all lists have behind their neighbour; the last one put at a place is first there. */
  function placeOthers(ordered: readonly Node[]): readonly Node[] {
    /** From each item to the one behind it; null is the start. */
    const next = new Map<Node | null, Node | null>([[null, null]])
    const put = (node: Node, behind: Node | null): void => {
      next.set(node, next.get(behind) ?? null)
      next.set(behind, node)
    }
    for (const [at, node] of ordered.entries()) put(node, ordered[at - 1] ?? null)
    /** Whether an item left its place on the other side, so that it no longer shows where its neighbours are. */
    const hasLeft = (node: Node, side: Side): boolean =>
      side !== 'base' &&
      trees.movedWithin[OTHER[side]](parent).has(node) &&
      !trees.movedWithin[side](parent).has(node)
    const neighbour = (side: Side, place: number): Node | null => {
      for (let at = place - 1; at >= 0; at--) {
        const node = lists[side][at] as Node
        if (next.has(node) && !hasLeft(node, side)) return node
        for (let up = placings.get(node)?.parent; up !== undefined; up = placings.get(up)?.parent) {
          if (next.has(up) && up[side] === null) return up
        }
      }
      return null
    }
    for (const side of ['mine', 'theirs', 'base'] as const) {
      for (const [at, node] of lists[side].entries()) {
        const { parent: home, place } = placings.get(node) ?? {}
        if (home === parent && place === side && !next.has(node)) put(node, neighbour(side, at))
      }
    }
    const found: Node[] = []
    for (let node = next.get(null) ?? null; node !== null; node = next.get(node) ?? null) found.push(node)
    return [...found, ...members.filter((node) => !next.has(node))]
  }

  function turnTogether(list: readonly Node[]): readonly Node[] {
    const came = list.filter(
      (node) =>
        SIDES.every((side) => node[side] !== null) &&
        placings.get(node)?.place !== 'base' &&
        trees.parentOf('base', node) !== parent,
    )
    const groups = groupBy(came, (node) =>
      JSON.stringify([placings.get(node)?.place, ...SIDES.map((side) => node[side]?.parent?.pointer)]),
    )
    const found = [...list]
    for (const group of groups.values()) {
      const places = group.map((node) => list.indexOf(node))
      const core = group.toSorted((a, b) => placeIn('base', a) - placeIn('base', b))
      for (const [at, node] of inTurn(trees, core, new Map()).entries()) found[places[at] ?? 0] = node
    }
    return found
  }
}

/**
 * Puts items that are in one list of each value, given in the order of the base, in the order that both sides want: takes
 * repeatedly the first that no other has to precede. Where swaps contradict an unswapped order, the swaps win.
 */
function inTurn(trees: ThreeTrees, core: readonly Node[], chosen: ReadonlyMap<Node, Side>): readonly Node[] {
  const sides = ['mine', 'theirs'] as const
  const places = sides.map((side) => core.map((node) => placeIn(side, node)))
  const [only, another] = places.filter((list) => list.some((each, at) => each < (list[at - 1] ?? 0)))
  if (another === undefined && chosen.size === 0)
    return [...core.entries()].sort(([a], [b]) => (only?.[a] ?? 0) - (only?.[b] ?? 0)).map(([, node]) => node)
  const first = core[0] as Node
  const home = trees.parentOf('base', first) as Node
  const [mine, theirs] = sides.map((side) =>
    trees.parentOf(side, first) === home ? trees.movedWithin[side](home) : null,
  )
  const choices = core.map((node) => chosen.get(node))
  /** The side that alone has moved each; null for neither and for both. */
  const movers = core.map((node) => {
    const [isOfMine, isOfTheirs] = [mine?.has(node) === true, theirs?.has(node) === true]
    return isOfMine === isOfTheirs ? null : isOfMine ? 'mine' : 'theirs'
  })
  /** Whether two items change their order: as a side swapped them, else not; null where either order is fine. */
  const isTurned = (first: number, second: number): boolean | null => {
    const [one, other] = [movers[first] ?? null, movers[second] ?? null]
    if (one !== null && other !== null && one !== other) return null
    const of = choices[first] ?? choices[second]
    return places.some(
      (list, side) => (of === undefined || of === sides[side]) && (list[second] ?? 0) < (list[first] ?? 0),
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

function placeIn(side: Side, node: Node): number {
  return node[side]?.place ?? 0
}
