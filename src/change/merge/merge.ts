import { isEqual, type Json, type JsonMap } from '../../model/json.js'
import type { Change, Side } from '../change.js'
import { ownOf, type PlacedItem } from '../items.js'
import type { Ask, Conflict, ConflictKind, Origin } from './conflict.js'
import { mergeFields } from './fields.js'
import { mergeItems } from './items.js'
import { mergeOrder } from './list-order.js'
import { mergeTree } from './placings.js'
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
 *
 * @param known where the items of `mine` come from in `base`, if that is known
 */
export function mergeMenus(
  base: Json,
  mine: Json,
  theirs: Json,
  choose: Ask = () => 'mine',
  known: Change['origins'] | null = null,
): Merged {
  return mergeTrees(toThreeTrees({ base, mine, theirs }, known), choose)
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
  const members = new Map<Node, Node[]>()
  for (const [node, { parent }] of placings) {
    const list = members.get(parent) ?? []
    members.set(parent, list)
    list.push(node)
  }
  const lists = new Map(
    [...members].map(([parent, list]) => {
      const askMove = (node: Node): Side => askNode('move', node)
      return [parent, mergeOrder(trees, placings, parent, list, askMove)] as const
    }),
  )
  const fields = mergeItems(placings, (node) => lists.has(node), ask)
  const menus = ofEach((side): JsonMap => trees.menu[side]?.item ?? {})
  const frame = mergeFields(menus.base, menus.mine, menus.theirs, (field, values) =>
    ask({ kind: 'edit', ...originOf(trees.menu), field, values }),
  )
  const origins = new Map<string, Origin>()
  const toItems = (parent: Node, at: string): readonly Json[] =>
    (lists.get(parent) ?? []).map((node, place) => {
      const pointer = `${at}/${place}`
      origins.set(pointer, originOf(node))
      const item = fields.get(node) ?? {}
      const list = item['type'] === 'divider' ? [] : toItems(node, `${pointer}/children`)
      return list.length > 0 || wantsEmpty(node) ? { ...item, children: list } : ownOf(item)
    })
  return {
    value: { ...frame, items: toItems(trees.menu, '/items') },
    conflicts,
    origins,
    choosing: (other) => mergeTrees(trees, other),
  }
}

/** Whether an item without items below it has an empty list: a list whose items all went elsewhere leaves nothing behind. */
function wantsEmpty({ base, mine, theirs }: Node): boolean {
  const hasEmpty = (placed: PlacedItem | null): boolean => isEqual(placed?.item['children'], [])
  if (mine === null || theirs === null) return hasEmpty(mine ?? theirs)
  return hasEmpty(hasEmpty(mine) === hasEmpty(base) ? theirs : mine)
}
