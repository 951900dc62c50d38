import { definitelyMoved } from '../compare/order.js'
import type { Node, ThreeTrees } from './three-trees.js'

/** Whether both sides put an item of a list between the same neighbours, among those at the same place on both. */
export function createGaps(trees: ThreeTrees): (node: Node, parent: Node | null) => boolean {
  const gapsOf = (parent: Node | null): ((node: Node) => boolean) => {
    const before = new Set(trees.listOf('base', parent))
    const there = trees.listOf('theirs', parent)
    const places = new Map(there.map((node, place) => [node, place]))
    const hasMoved = (node: Node): boolean =>
      trees.movedWithin('mine', parent).has(node) || trees.movedWithin('theirs', parent).has(node)
    const stayed = (node: Node): boolean => node.base === null || (before.has(node) && !hasMoved(node))
    const common = trees.listOf('mine', parent).filter((node) => places.has(node) && stayed(node))
    const displaced = definitelyMoved(common.map((node) => places.get(node) ?? 0))
    const steady = new Set(common.filter((node, place) => node.base !== null || !displaced.has(place)))
    const [here, other] = [trees.listOf('mine', parent), there].map((list) => ranks(list, steady))
    const isSame = samePrefixes(
      [...steady],
      there.filter((node) => steady.has(node)),
    )
    return (node) => {
      const rank = here?.get(node) ?? 0
      return rank === other?.get(node) && isSame[rank] === true
    }
  }
  const known = new Map<Node | null, (node: Node) => boolean>()
  return (node, parent) => {
    const found = known.get(parent) ?? gapsOf(parent)
    known.set(parent, found)
    return found(node)
  }
}

/** How many of some items precede each item of a list. */
function ranks(list: readonly Node[], some: ReadonlySet<Node>): ReadonlyMap<Node, number> {
  let rank = 0
  return new Map(list.map((node) => [node, some.has(node) ? rank++ : rank]))
}

/** For each length, whether the first items of two orders are the same items. */
function samePrefixes(order: readonly Node[], other: readonly Node[]): readonly boolean[] {
  const odd = new Set<Node>()
  const toggle = (node: Node | undefined): void => {
    if (node !== undefined && !odd.delete(node)) odd.add(node)
  }
  const found = [true]
  for (const [place, node] of order.entries()) {
    toggle(node)
    toggle(other[place])
    found.push(odd.size === 0)
  }
  return found
}
