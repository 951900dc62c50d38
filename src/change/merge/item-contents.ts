import type { Json, JsonMap } from '../../model/json.js'
import type { Side } from '../change.js'
import type { Ask, Conflict } from './conflict.js'
import { mergeFields } from './fields.js'
import type { Guards, Placing } from './placings.js'
import { type Node, ofEach, originOf } from './three-trees.js'

/** What each item says, whatever is below it; `isParent` tells which items of the merge have something below them. */
export function mergeItems(
  placings: ReadonlyMap<Node, Placing>,
  guards: Guards,
  isParent: (node: Node) => boolean,
  ask: Ask,
): ReadonlyMap<Node, JsonMap> {
  const found = new Map<Node, JsonMap>()
  for (const [node, { fields }] of placings) {
    const says = ofEach((side) => node[side]?.item ?? {})
    if (fields !== null) {
      found.set(node, says[fields])
      continue
    }
    const askField = (field: string, values: Conflict['values']): Side =>
      ask({ kind: 'edit', ...originOf(node), field, values })
    const before = node.base === null ? null : says.base
    const merged = mergeFields(before, says.mine, says.theirs, askField, guards.get(node) ?? null)
    const types = ofEach((side) => says[side]['type'])
    // One side made it a divider, which has nothing below it, and the other put something there.
    const isOverfull =
      merged['type'] === 'divider' && isParent(node) && [types.mine, types.theirs].includes('divider')
    found.set(node, isOverfull ? says[askField('/type', types)] : merged)
  }
  shareIds(found, ask)
  return found
}

/**
 * Two different items cannot have one id: the one that did not get it from the chosen side loses it. There are never three,
 * because an id that was there before names the same item on all sides.
 */
function shareIds(found: Map<Node, JsonMap>, ask: Ask): void {
  const holders = new Map<Json, Node>()
  for (const [node, { id }] of found) {
    if (typeof id !== 'string') continue
    const other = holders.get(id)
    if (other === undefined) {
      holders.set(id, node)
      continue
    }
    const [first, second] = other.mine?.item['id'] === id ? [other, node] : [node, other]
    const origin = { ...originOf(second), mine: first.mine?.pointer ?? null }
    const values = { base: second.base?.item['id'], mine: id, theirs: id }
    const loser = ask({ kind: 'id', ...origin, field: '/id', values }) === 'theirs' ? first : second
    const { id: _, ...rest } = found.get(loser) ?? {}
    found.set(loser, rest)
  }
}
