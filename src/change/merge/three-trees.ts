import { derived } from '../../model/derived.js'
import { isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Change, Side, ThreeOf } from '../change.js'
import type { Pairs } from '../compare/kinship.js'
import { type Match, matchItems } from '../compare/match.js'
import { definitelyMoved } from '../compare/order.js'
import { type Items, type PlacedItem, readItems } from '../items.js'
import type { Origin } from './conflict.js'

/** One item of a merge, or the menu itself, with its place in each of the three values; null where it is absent. */
export type Node = ThreeOf<PlacedItem | null>

/** The sides that change something, each with the other one. */
export type Edited = 'mine' | 'theirs'
export const OTHER = { mine: 'theirs', theirs: 'mine' } as const

/** The items of three values, matched. */
export interface ThreeTrees {
  readonly items: ThreeOf<Items>
  /** The menu itself, above the items at the top. */
  readonly menu: Node
  /** Each item once: those of the base, then what `mine` added, then what only `theirs` did, parents before children. */
  readonly nodes: readonly Node[]
  readonly nodeOf: (placed: PlacedItem) => Node
  /** The items directly below one, in one of the values; none where it is absent. */
  readonly listOf: (side: Side, parent: Node) => readonly Node[]
  /** The item above one; null for the menu, and where the value does not have it. */
  readonly parentOf: (side: Side, node: Node) => Node | null
  /**
   * The items of a list that one side has certainly moved within it: whichever others count as moved, these have. Of two
   * neighbours that changed places, neither has.
   */
  readonly movedWithin: { readonly [side in Edited]: (parent: Node) => ReadonlySet<Node> }
}

export const SIDES: readonly Side[] = ['base', 'mine', 'theirs']

/** One value for each of the three sides. */
export function ofEach<T>(of: (side: Side) => T): ThreeOf<T> {
  return { base: of('base'), mine: of('mine'), theirs: of('theirs') }
}

/** The pointers of an item in the three values. */
export function originOf(node: Node): Origin {
  return ofEach((side) => node[side]?.pointer ?? null)
}

/**
 * Finds out which items of three values are the same: those of the base by `matchItems`, what both added by `pairAdded`.
 *
 * @param known where the items of `mine` come from, if that is known
 */
export function toThreeTrees(
  values: ThreeOf<Items['value']>,
  known: Change['origins'] | null = null,
): ThreeTrees {
  const items = ofEach((side) => readItems(values[side]))
  const [mine, theirs] = [
    known === null ? matchItems(items.base, items.mine) : matchKnown(items.base, items.mine, known),
    matchItems(items.base, items.theirs),
  ]
  const added = pairAdded(mine, theirs)
  const entered = new Map<PlacedItem, Node>()
  const enter = (
    base: PlacedItem | null,
    mine: PlacedItem | null = null,
    theirs: PlacedItem | null = null,
  ): Node => {
    const node = { base, mine, theirs }
    for (const placed of [base, mine, theirs]) if (placed !== null) entered.set(placed, node)
    return node
  }
  const enterAll = (list: readonly PlacedItem[], enterOne: (placed: PlacedItem) => Node): readonly Node[] =>
    list.filter((placed) => !entered.has(placed)).map(enterOne)
  const menu = enter(items.base.menu, items.mine.menu, items.theirs.menu)
  const nodes = [
    ...enterAll(items.base.all, (base) => enter(base, mine.toAfter.get(base), theirs.toAfter.get(base))),
    ...enterAll(items.mine.all, (placed) => enter(null, placed, added.get(placed))),
    ...enterAll(items.theirs.all, (placed) => enter(null, null, placed)),
  ]
  const nodeOf = (placed: PlacedItem): Node => entered.get(placed) as Node
  const listOf = (side: Side, parent: Node): readonly Node[] => parent[side]?.below.map(nodeOf) ?? []
  const parentOf = (side: Side, node: Node): Node | null =>
    entered.get(node[side]?.parent as PlacedItem) ?? null
  const movedWithin = (side: Edited): ((parent: Node) => ReadonlySet<Node>) =>
    derived((parent) => {
      const common = listOf(side, parent).filter((node) => parentOf('base', node) === parent)
      const moved = definitelyMoved(common.map((node) => node.base?.place ?? 0))
      return new Set(common.filter((_, place) => moved.has(place)))
    })
  return {
    items,
    menu,
    nodes,
    nodeOf,
    listOf,
    parentOf,
    movedWithin: { mine: movedWithin('mine'), theirs: movedWithin('theirs') },
  }
}

/** The match of a value and what operations made of it. */
function matchKnown(before: Items, after: Items, origins: Change['origins']): Match {
  const olds = new Map(before.all.map((placed) => [placed.pointer, placed]))
  const pairs = after.all.flatMap((now): Pairs => {
    const origin = origins.get(now.pointer)
    const old = origin?.side === 'base' ? olds.get(origin.pointer) : undefined
    return old === undefined ? [] : [[old, now]]
  })
  return matchItems(before, after, { pairs, isOpen: () => false })
}

/**
 * The same items added by both sides, those of `mine` with those of `theirs`: items with one id, and those that match as
 * between two versions, under one parent or, if no text of either label was in the base, anywhere. A divider without content
 * of its own is the same only between the same items.
 */
function pairAdded(mine: Match, theirs: Match): ReadonlyMap<PlacedItem, PlacedItem> {
  const shared = mine.before.all.flatMap((base): Pairs => {
    const [one, twin] = [mine.toAfter.get(base), theirs.toAfter.get(base)]
    return one === undefined || twin === undefined ? [] : [[one, twin]]
  })
  const isAdded = (placed: PlacedItem): boolean => !mine.toBefore.has(placed) && !theirs.toBefore.has(placed)
  const { toAfter } = matchItems(mine.after, theirs.after, { pairs: shared, isOpen: isAdded })
  const texts = new Set(mine.before.all.flatMap(({ item }) => textsOf(item)))
  const isNew = ({ item }: PlacedItem): boolean => {
    const own = textsOf(item)
    return own.length > 0 && !own.some((text) => texts.has(text))
  }
  const known = new Map<PlacedItem | null, PlacedItem | null>([
    [mine.after.menu, theirs.after.menu],
    ...shared,
  ])
  const twins = new Set(known.values())
  const pairs = new Map<PlacedItem, PlacedItem>()
  const isElsewhere = (one: PlacedItem, twin: PlacedItem): boolean => {
    const above = one.parent?.below.slice(0, one.place).findLast((each) => known.has(each))
    const twinAbove = twin.parent?.below.slice(0, twin.place).findLast((each) => twins.has(each))
    return (above && known.get(above)) !== twinAbove
  }
  for (const one of mine.after.all.filter(isAdded)) {
    const twin = toAfter.get(one)
    if (twin === undefined) continue
    const hasId = one.item['id'] !== undefined && one.item['id'] === twin.item['id']
    if (!hasId && known.get(one.parent) !== twin.parent && !(isNew(one) && isNew(twin))) continue
    if (isBareDivider(one.item) && isElsewhere(one, twin)) continue
    known.set(one, twin)
    twins.add(twin)
    pairs.set(one, twin)
  }
  return pairs
}

function isBareDivider(item: JsonMap): boolean {
  return item['type'] === 'divider' && Object.keys(item).length === 1
}

/** The texts of a label. */
function textsOf({ label }: JsonMap): readonly Json[] {
  return (isMap(label) ? Object.values(label) : [label ?? null]).filter((text) => typeof text === 'string')
}
