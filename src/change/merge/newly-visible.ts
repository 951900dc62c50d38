import { derived } from '../../model/derived.js'
import type { JsonMap } from '../../model/json.js'
import { type Audience, audiencesOf, EVERYBODY, isWider, narrowBy } from '../compare/audience.js'
import type { PlacedItem } from '../items.js'
import type { Placing } from './placings.js'
import type { Edited, Node, ThreeTrees } from './three-trees.js'

/** What a merge makes of the items: where each is, and what it says. */
export interface MergedItems {
  readonly placings: ReadonlyMap<Node, Placing>
  readonly fields: ReadonlyMap<Node, JsonMap>
}

/**
 * Finds the items that a merge shows to some viewer who sees them on neither side, such as one that one side opened because
 * its section has a guard, while the other side opened the section. Of a branch only the item at its top. Dividers show
 * nothing, on either side.
 */
export function createNewlyVisible({
  items,
  nodes,
  menu,
}: ThreeTrees): (merged: MergedItems) => readonly Node[] {
  const audiences = { mine: audiencesOf(items.mine), theirs: audiencesOf(items.theirs) }
  const audienceIn = (side: Edited, placed: PlacedItem | null): Audience =>
    placed === null || isDivider(placed.item) ? null : (audiences[side].get(placed) ?? null)
  return ({ placings, fields }) => {
    const audienceOf = derived((node: Node): Audience => {
      if (node === menu) return EVERYBODY
      const [parent, item] = [placings.get(node)?.parent, fields.get(node)]
      return parent === undefined || item === undefined || isDivider(item)
        ? null
        : narrowBy(audienceOf(parent), item)
    })
    const isWidened = derived((node: Node) =>
      isWider([audienceIn('mine', node.mine), audienceIn('theirs', node.theirs)], audienceOf(node)),
    )
    return nodes.filter((node) => {
      const parent = placings.get(node)?.parent
      return parent !== undefined && isWidened(node) && (parent === menu || !isWidened(parent))
    })
  }
}

function isDivider({ type }: JsonMap): boolean {
  return type === 'divider'
}
