import { groupBy } from '../../model/group-by.js'
import { isEqual, type Json, type JsonMap } from '../../model/json.js'
import type { Change, ItemOrigin, Side } from '../change.js'
import { ownOf, type PlacedItem } from '../items.js'
import type { Ask, Conflict, ConflictKind, Origin } from './conflict.js'
import { mergeFields } from './fields.js'
import { mergeOrder } from './list-order.js'
import { createNewlyVisible, type MergedItems } from './newly-visible.js'
import { type Guards, mergeTree, type Placing } from './placings.js'
import { type Node, ofEach, originOf, type ThreeTrees, toThreeTrees } from './three-trees.js'

/** The result of two changes of one menu. */
export interface Merged {
  /** The merged menu; where there are conflicts, with what was chosen. */
  readonly value: Json
  readonly conflicts: readonly Conflict[]
  /**
   * The conflicts about viewers whose choices do not fit others: with them, `value` shows an item to a viewer who sees it on
   * neither side. Empty if one side is chosen at all conflicts about viewers and types.
   */
  readonly contradictory: readonly Conflict[]
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

/** The place of an item on the first side that has it; null if no side has it. */
export function firstOf(origin: Origin, sides: readonly Side[]): ItemOrigin | null {
  for (const side of sides) if (origin[side] !== null) return { side, pointer: origin[side] }
  return null
}

/** A merge as a change whose items come from where `sourceOf` finds them; null for a new one. */
export function changeOf(
  { value, origins }: Merged,
  sourceOf: (origin: Origin) => ItemOrigin | null,
): Change {
  const known = [...origins].flatMap(([pointer, origin]): [string, ItemOrigin][] => {
    const source = sourceOf(origin)
    return source === null ? [] : [[pointer, source]]
  })
  return { value, origins: new Map(known) }
}

function mergeTrees(trees: ThreeTrees, choose: Ask): Merged {
  const conflicts = new Map<string, { readonly conflict: Conflict; readonly side: Side }>()
  const ask: Ask = (conflict) => {
    const { kind, base, mine, theirs, field } = conflict
    const key = JSON.stringify([kind, base, mine, theirs, field])
    const side = conflicts.get(key)?.side ?? choose(conflict)
    conflicts.set(key, { conflict, side })
    return side
  }
  const askNode = (kind: ConflictKind, node: Node): Side => ask(conflictAt(kind, node))
  const findNewlyVisible = createNewlyVisible(trees)
  const guards = new Map<Node, Side | null>()
  const decided = new Set<Node>()
  for (;;) {
    const merged = mergeOnce(trees, guards, ask, askNode)
    const shown = findNewlyVisible(merged)
    const open = shown.filter((node) => !decided.has(node))
    if (open.length === 0)
      return {
        ...toMerged(trees, merged, ask),
        conflicts: [...conflicts.values()].map(({ conflict }) => conflict),
        contradictory: shown.map((node) => conflictAt('viewers', node)),
        choosing: (other) => mergeTrees(trees, other),
      }
    for (const node of open) {
      decided.add(node)
      guardAs(askNode('viewers', node), node)
    }
  }

  /** Who sees an item is decided by its place and its guards, and by those of all items around it. */
  function guardAs(side: Side, node: Node): void {
    if (node[side] === null) guards.set(node, null)
    for (let up: Node | null = node; up !== null && up[side] !== null; up = trees.parentOf(side, up))
      if (!guards.has(up)) guards.set(up, side)
  }
}

function conflictAt(kind: ConflictKind, node: Node): Conflict {
  return { kind, ...originOf(node), field: null, values: ofEach((side) => node[side]?.item) }
}

/** What becomes of each item, and in which order. */
interface Outcome extends MergedItems {
  readonly lists: ReadonlyMap<Node, readonly Node[]>
}

function mergeOnce(
  trees: ThreeTrees,
  guards: Guards,
  ask: Ask,
  askNode: (kind: ConflictKind, node: Node) => Side,
): Outcome {
  const placings = mergeTree(trees, guards, askNode)
  const members = groupBy(placings.keys(), (node) => placings.get(node)?.parent as Node)
  const lists = new Map(
    [...members].map(([parent, list]) => {
      const askMove = (node: Node): Side => askNode('move', node)
      return [parent, mergeOrder(trees, placings, parent, list, askMove)] as const
    }),
  )
  return { placings, lists, fields: mergeItems(placings, guards, (node) => lists.has(node), ask) }
}

function toMerged(
  trees: ThreeTrees,
  { lists, fields }: Outcome,
  ask: Ask,
): Pick<Merged, 'value' | 'origins'> {
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
  return { value: { ...frame, items: toItems(trees.menu, '/items') }, origins }
}

/** Whether an item without items below it has an empty list: a list whose items all went elsewhere leaves nothing behind. */
function wantsEmpty({ base, mine, theirs }: Node): boolean {
  const hasEmpty = (placed: PlacedItem | null): boolean => isEqual(placed?.item['children'], [])
  if (mine === null || theirs === null) return hasEmpty(mine ?? theirs)
  return hasEmpty(hasEmpty(mine) === hasEmpty(base) ? theirs : mine)
}

/** What each item says, whatever is below it; `isParent` tells which items of the merge have something below them. */
function mergeItems(
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
