import { isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Side } from '../change.js'
import { buildItems, type MergedLists, withList } from './build.js'
import type { Ask, Conflict, ConflictKind, Origin } from './conflict.js'
import { mergeFields } from './fields.js'
import { mergeItems } from './items.js'
import { mergeOrder } from './list-order.js'
import { turnTogether } from './moved-together.js'
import { mergeTree, type Placing } from './placings.js'
import { type Node, ofEach, originOf, type ThreeTrees, toThreeTrees } from './three-trees.js'

/** The result of two changes of one menu. */
export interface Merged {
  /** The merged menu; where there are conflicts, with what was chosen. */
  readonly value: Json
  readonly conflicts: readonly Conflict[]
  /** Where each item of `value` is in the three values, by its pointer in `value`. */
  readonly origins: ReadonlyMap<string, Origin>
  /** The same merge with other choices at its conflicts; nothing is matched again. */
  readonly choosing: (choose: Ask) => Merged
}

/**
 * Merges two changes of a menu, item by item. What only one side changed is as that side has it; equal changes of both count
 * once; an edit and a move combine, and so do edits of different fields. Contradictions are conflicts, resolved as in `mine`
 * unless `choose` decides otherwise; 'base' undoes both. The values have the form of a menu.
 */
export function mergeMenus(base: Json, mine: Json, theirs: Json, choose: Ask = () => 'mine'): Merged {
  return mergeTrees(toThreeTrees({ base, mine, theirs }), choose)
}

function mergeTrees(trees: ThreeTrees, choose: Ask): Merged {
  const conflicts: Conflict[] = []
  const ask: Ask = (conflict) => {
    conflicts.push(conflict)
    return choose(conflict)
  }
  const askNode = (kind: ConflictKind, node: Node): Side =>
    ask({ kind, ...originOf(node), field: null, values: ofEach((side) => node[side]?.item) })
  const placings = mergeTree(trees, askNode)
  const lists = mergeLists(trees, placings, (node) => askNode('move', node))
  const fields = mergeItems(placings, lists, ask)
  const menus = ofEach((side): JsonMap => (isMap(trees.items[side].value) ? trees.items[side].value : {}))
  const { base, mine, theirs } = ofEach((side): JsonMap => {
    const { items: _, ...frame } = menus[side]
    return frame
  })
  const frame = mergeFields(base, mine, theirs, (field, values) =>
    ask({ kind: 'edit', ...MENU, field, values }),
  )
  const { items, origins } = buildItems(fields, lists)
  return {
    value: withList(frame, 'items', items, menus),
    conflicts,
    origins,
    choosing: (other) => mergeTrees(trees, other),
  }
}

const MENU: Origin = { base: '', mine: '', theirs: '' }

function mergeLists(
  trees: ThreeTrees,
  placings: ReadonlyMap<Node, Placing>,
  ask: (node: Node) => Side,
): MergedLists {
  const members = new Map<Node | null, Map<Node, Side>>()
  for (const [node, { parent, place }] of placings) {
    const list = members.get(parent) ?? new Map<Node, Side>()
    members.set(parent, list.set(node, place))
  }
  const above = (node: Node): Node | null => placings.get(node)?.parent ?? null
  const merged = [...members].map(([parent, list]) => {
    const lists = ofEach((side) => trees.listOf(side, parent))
    const moved = { mine: trees.movedWithin('mine', parent), theirs: trees.movedWithin('theirs', parent) }
    const order = mergeOrder({ lists, members: list, moved, above }, ask)
    return [parent, turnTogether(order, trees, placings)] as const
  })
  return new Map(merged)
}
