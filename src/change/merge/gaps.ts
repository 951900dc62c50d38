import { derived } from '../../model/derived.js'
import { definitelyMoved } from '../compare/order.js'
import type { Node, ThreeTrees } from './three-trees.js'

/** The items below a parent that both sides put between the same neighbours, among those at the same place on both. */
export function createGaps(trees: ThreeTrees): (parent: Node) => ReadonlySet<Node> {
  return derived((parent) => {
    const [mine, theirs] = [trees.listOf('mine', parent), trees.listOf('theirs', parent)]
    const isKnown = (node: Node): boolean =>
      trees.parentOf('base', node) === parent &&
      !trees.movedWithin.mine(parent).has(node) &&
      !trees.movedWithin.theirs(parent).has(node)
    const common = mine.filter(
      (node) => trees.parentOf('theirs', node) === parent && (node.base === null || isKnown(node)),
    )
    const displaced = definitelyMoved(common.map((node) => node.theirs?.place ?? 0))
    return inSameGap(
      mine,
      theirs,
      common.filter((node, at) => node.base !== null || !displaced.has(at)),
    )
  })
}

/** The items of a list that the same of some steady items precede there and in another list. */
export function inSameGap(
  list: readonly Node[],
  other: readonly Node[],
  steady: readonly Node[],
): ReadonlySet<Node> {
  const isSteady = new Set(steady)
  let rank = 0
  const ranks = new Map(other.map((node) => [node, isSteady.has(node) ? rank++ : rank]))
  let [count, furthest] = [0, -1]
  return new Set(
    list.filter((node) => {
      const there = ranks.get(node) ?? -1
      const isSame = there === count && furthest < count
      if (isSteady.has(node)) {
        count++
        furthest = Math.max(furthest, there)
      }
      return isSame
    }),
  )
}
