import type { Json, JsonMap } from '../../model/json.js'
import type { Side } from '../change.js'
import { ownOf } from '../items.js'
import type { MergedLists } from './build.js'
import type { Ask, Conflict } from './conflict.js'
import { mergeFields } from './fields.js'
import type { Placing } from './placings.js'
import { EDITED, type Node, ofEach, originOf } from './three-trees.js'

/** The items without those below, and whether each has a list at all. */
export function mergeItems(
  placings: ReadonlyMap<Node, Placing>,
  lists: MergedLists,
  ask: Ask,
): ReadonlyMap<Node, JsonMap> {
  const found = new Map<Node, JsonMap>()
  for (const [node, { fields }] of placings) {
    const says = ofEach((side) => (node[side] === null ? {} : ownOf(node[side].item)))
    if (fields !== null) {
      found.set(node, says[fields])
      continue
    }
    const askField = (field: string, values: Conflict['values']): Side =>
      ask({ kind: 'edit', ...originOf(node), field, values })
    const merged = mergeFields(node.base === null ? null : says.base, says.mine, says.theirs, askField)
    // One side made it a divider, which has nothing below it, and the other put something there.
    const isOverfull =
      merged['type'] === 'divider' &&
      lists.has(node) &&
      EDITED.some((side) => says[side]['type'] === 'divider')
    const types = ofEach((side) => says[side]['type'])
    found.set(node, isOverfull ? says[askField('/type', types)] : merged)
  }
  shareIds(found, ask)
  return found
}

/** Two different items cannot have one id: the one that did not get it from the chosen side loses it. */
function shareIds(found: Map<Node, JsonMap>, ask: Ask): void {
  const holders = new Map<Json, Node>()
  for (const [node, item] of found) {
    const { id } = item
    if (typeof id !== 'string') continue
    const other = holders.get(id)
    if (other === undefined) {
      holders.set(id, node)
      continue
    }
    const isOfMine = (each: Node): boolean => each.mine?.item['id'] === id
    const [first, second] = isOfMine(other) ? [other, node] : [node, other]
    const origin = { ...originOf(second), mine: first.mine?.pointer ?? null }
    const values = { base: second.base?.item['id'], mine: id, theirs: id }
    const loser = ask({ kind: 'id', ...origin, field: '/id', values }) === 'theirs' ? first : second
    const { id: _, ...rest } = found.get(loser) ?? {}
    found.set(loser, rest)
    holders.set(id, loser === first ? second : first)
  }
}
