import { mergeTurns } from './list-order.js'
import type { Placing } from './placings.js'
import { type Edited, type Node, ofEach, type ThreeTrees } from './three-trees.js'

/**
 * Puts items that came together from one other list in the order that both sides want: when one side wraps or moves them and
 * the other reorders them, both changes apply. They share the places that they have.
 */
export function turnTogether(
  list: readonly Node[],
  trees: ThreeTrees,
  placings: ReadonlyMap<Node, Placing>,
): readonly Node[] {
  const groups = new Map<string, Node[]>()
  for (const node of list) {
    const { parent, place } = placings.get(node) ?? {}
    const { base, mine, theirs } = node
    if (base === null || mine === null || theirs === null || place === 'base') continue
    if (trees.parentOf('base', node) === parent) continue
    const key = JSON.stringify([place, base.parent, mine.parent, theirs.parent])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [node])
    else group.push(node)
  }
  const found = [...list]
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined || group.length < 2) continue
    const place = ofEach((side) => new Map(group.map((node) => [node, node[side]?.order ?? 0])))
    const core = group.toSorted((a, b) => (place.base.get(a) ?? 0) - (place.base.get(b) ?? 0))
    const home = trees.parentOf('base', first)
    const movedOn = (side: Edited): ReadonlySet<Node> =>
      trees.parentOf(side, first) === home ? trees.movedWithin(side, home) : new Set()
    const both = { mine: movedOn('mine'), theirs: movedOn('theirs') }
    const ordered = mergeTurns(core, place, new Map(), both)
    const places = group.map((node) => list.indexOf(node))
    for (const [at, node] of ordered.entries()) found[places[at] ?? 0] = node
  }
  return found
}
