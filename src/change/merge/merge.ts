import type { Side } from '../change.js'
import { isMap, type Json, type JsonMap } from '../json.js'
import { buildItems, type MergedLists, withList } from './build.js'
import type { Ask, Conflict, ConflictKind, Origin } from './conflict.js'
import { mergeFields } from './fields.js'
import { mergeItems } from './items.js'
import { mergeOrder, movedWithin } from './list-order.js'
import { turnTogether } from './moved-together.js'
import { mergeTree, type Placing } from './placings.js'
import { type Node, originOf, type ThreeTrees, toThreeTrees } from './three-trees.js'

/** What becomes of two changes of one menu. */
export interface Merged {
  /** The merged menu; where there are conflicts, with what was chosen. */
  readonly value: Json
  readonly conflicts: readonly Conflict[]
  /** Where each item of `value` stands in the three values, by its pointer in `value`. */
  readonly origins: ReadonlyMap<string, Origin>
}

/**
 * Merges two changes of a menu, item by item. What only one side changed is as that side has it; what both changed alike
 * is changed once; an edit and a move combine, and so do edits of different fields. What contradicts each other is a
 * conflict and as in `mine`, unless `choose` says otherwise; 'base' undoes both. The values have the form of a menu.
 */
export function mergeMenus(base: Json, mine: Json, theirs: Json, choose: Ask = () => 'mine'): Merged {
  const conflicts: Conflict[] = []
  const ask: Ask = (conflict) => {
    conflicts.push(conflict)
    return choose(conflict)
  }
  const trees = toThreeTrees(base, mine, theirs)
  const askNode = (kind: ConflictKind, node: Node): Side =>
    ask({ kind, ...originOf(node), field: null, values: itemsOf(node) })
  const moved = createMoved(trees)
  const placings = mergeTree(trees, moved, askNode)
  const lists = mergeLists(trees, placings, moved, (node) => askNode('move', node))
  const fields = mergeItems(placings, lists, ask)
  const frame = mergeFields(frameOf(base), frameOf(mine), frameOf(theirs), (field, values) =>
    ask({ kind: 'edit', ...MENU, field, values }),
  )
  const { items, origins } = buildItems(fields, lists)
  const maps = { base: mapOf(base), mine: mapOf(mine), theirs: mapOf(theirs) }
  return { value: withList(frame, 'items', items, maps), conflicts, origins }
}

const MENU: Origin = { base: '', mine: '', theirs: '' }

function itemsOf({ base, mine, theirs }: Node): Conflict['values'] {
  return { base: base?.item, mine: mine?.item, theirs: theirs?.item }
}

function mapOf(value: Json): JsonMap {
  return isMap(value) ? value : {}
}

/** A menu without its items. */
function frameOf(value: Json): JsonMap {
  const { items: _, ...frame } = mapOf(value)
  return frame
}

type Moved = (side: 'mine' | 'theirs', parent: Node | null) => ReadonlySet<Node>

/** Which items were moved within a list, found out once for each. */
function createMoved(trees: ThreeTrees): Moved {
  const known = {
    mine: new Map<Node | null, ReadonlySet<Node>>(),
    theirs: new Map<Node | null, ReadonlySet<Node>>(),
  }
  return (side, parent) => {
    const found = known[side].get(parent) ?? movedWithin(trees, side, parent)
    known[side].set(parent, found)
    return found
  }
}

function mergeLists(
  trees: ThreeTrees,
  placings: ReadonlyMap<Node, Placing>,
  moved: Moved,
  ask: (node: Node) => Side,
): MergedLists {
  const members = new Map<Node | null, Map<Node, Side>>()
  for (const [node, { parent, place }] of placings) {
    const list = members.get(parent)
    if (list === undefined) members.set(parent, new Map([[node, place]]))
    else list.set(node, place)
  }
  const above = (node: Node): Node | null => placings.get(node)?.parent ?? null
  const merged = [...members].map(([parent, list]) => {
    const lists = {
      base: trees.listOf('base', parent),
      mine: trees.listOf('mine', parent),
      theirs: trees.listOf('theirs', parent),
    }
    const both = { mine: moved('mine', parent), theirs: moved('theirs', parent) }
    const order = mergeOrder(lists, list, both, ask, above)
    return [parent, turnTogether(order, trees, placings, moved)] as const
  })
  return new Map(merged)
}
