import { derived } from '../../model/derived.js'
import { isEqual } from '../../model/json.js'
import type { Side } from '../change.js'
import { ownOf } from '../items.js'
import { createGaps } from './gaps.js'
import { type Edited, type Node, OTHER, type ThreeTrees } from './three-trees.js'

/** What becomes of an item: its new parent, and the side from which its place among its siblings comes. */
export interface Placing {
  /** The menu for the top. */
  readonly parent: Node
  readonly place: Side
  /** The side whose fields it has; null when those of all three are merged. */
  readonly fields: Side | null
}

/** Asks about an item as a whole; `delete` offers the sides as they are. */
export type AskNode = (kind: 'move' | 'delete' | 'insert' | 'viewers', node: Node) => Side

/** Items whose viewers were decided about, and those around them: the side whose place and guards each has; null: it goes. */
export type Guards = ReadonlyMap<Node, Side | null>

/** Decides which items the merged menu has, and below which others; what is not in the answer is deleted. */
export function mergeTree(trees: ThreeTrees, guards: Guards, ask: AskNode): ReadonlyMap<Node, Placing> {
  const { kept, restored } = mergeDeletions(trees, ask)
  // What is around an item that is shown as on one side is there even if the other side deleted it.
  for (const [node, side] of guards)
    if (side === null || (side !== 'base' && node[OTHER[side]] === null)) kept.set(node, side)
  /** Whether an item is in the merged menu: not deleted, and not added below a deleted one. */
  const lives = derived((node: Node): boolean => {
    const isIn = (side: Side): boolean => {
      const parent = node[side] === null ? null : trees.parentOf(side, node)
      return parent !== null && lives(parent)
    }
    if (node === trees.menu) return true
    const side = kept.get(node)
    if (side === null || side === 'base') return side === 'base'
    if (side !== undefined) return isIn(side)
    if (node.base !== null) return node.mine !== null && node.theirs !== null
    return isIn('mine') || isIn('theirs')
  })
  const sharedGaps = createGaps(trees)
  const found = new Map<Node, Placing>()
  for (const node of trees.nodes) if (lives(node)) found.set(node, placeOf(node))
  breakCycles()
  return found

  function placeOf(node: Node): Placing {
    const only = kept.get(node) ?? (node.mine === null ? 'theirs' : node.theirs === null ? 'mine' : null)
    return only === null ? placed(node, chosenPlace(node), null) : placed(node, only, only)
  }

  /** The side from which the place of an item on both sides is taken. */
  function chosenPlace(node: Node): Side {
    const [base, mine, theirs] = [
      trees.parentOf('base', node),
      trees.parentOf('mine', node) as Node,
      trees.parentOf('theirs', node) as Node,
    ]
    // Where one side put it below an item that is gone by now, that was asked already.
    if (!lives(mine)) return 'theirs'
    if (!lives(theirs)) return 'mine'
    const guard = guards.get(node)
    if (guard != null) return guard
    // A branch kept despite its deletion keeps its items, also those that the other side took out before.
    if (restored.has(mine)) return 'mine'
    if (restored.has(theirs)) return 'theirs'
    if (mine === theirs && (mine === base || sharedGaps(mine).has(node))) return 'mine'
    if (base === null) return ask('insert', node)
    if (theirs === base && !trees.movedWithin.theirs(base).has(node)) return 'mine'
    if (mine === base && !trees.movedWithin.mine(base).has(node)) return 'theirs'
    return ask('move', node)
  }

  /** Falls back to its place on another side, or to what is left around it, when the parent is gone. */
  function placed(node: Node, side: Side, fields: Side | null): Placing {
    for (const place of [side, 'mine', 'theirs', 'base'] as const) {
      const parent = trees.parentOf(place, node)
      if (parent !== null && lives(parent)) return { parent, place, fields }
    }
    let parent = node
    do parent = trees.parentOf('base', parent) as Node
    while (!lives(parent))
    return { parent, place: side, fields }
  }

  /** No item is below itself: where the moves of both sides together would cause that, those of one side count. */
  function breakCycles(): void {
    /** The items whose place was taken from one side to break a cycle. */
    const settled = new Set<Node>()
    for (const start of trees.nodes) {
      for (let cycle = cycleFrom(start, found); cycle.length > 0; cycle = cycleFrom(start, found)) {
        const both = cycle.filter(({ mine, theirs }) => mine !== null && theirs !== null)
        const isMoved = (node: Node): boolean =>
          trees.parentOf('mine', node) !== trees.parentOf('theirs', node)
        const asked = both.find((node) => isMoved(node) && !settled.has(node))
        const side = asked === undefined ? null : ask('move', asked)
        for (const node of side === null ? cycle.slice(0, 1) : both) {
          const { fields = null } = found.get(node) ?? {}
          settled.add(node)
          // Where the answers for several cycles contradict each other, an item goes to the top.
          if (side === null) found.set(node, { parent: trees.menu, place: 'mine', fields })
          else found.set(node, placed(node, node[side] === null ? 'mine' : side, fields))
        }
      }
    }
  }
}

/** The items on a way up that returns to its start; none when it ends at the top. */
function cycleFrom(start: Node, placings: ReadonlyMap<Node, Placing>): readonly Node[] {
  const way = new Set<Node>()
  for (let node: Node | undefined = start; node !== undefined; node = placings.get(node)?.parent) {
    if (way.has(node)) return [...way].slice([...way].indexOf(node))
    way.add(node)
  }
  return []
}

/**
 * Decides about the items that one side deleted. A deleted branch goes unless the other side changed something in it; then a
 * person decides about the branch as a whole. Items that the other side moved out of it survive.
 */
function mergeDeletions(trees: ThreeTrees, ask: AskNode) {
  /** The side from which each is taken; null for those that go. */
  const kept = new Map<Node | null, Side | null>()
  /** Those of branches kept despite their deletion. */
  const restored = new Set<Node>()
  for (const deleting of ['mine', 'theirs'] as const) {
    const other = OTHER[deleting]
    /** Each deleted item with the uppermost of the branch that was deleted with it. */
    const rootOf = new Map<Node | null, Node>()
    for (const node of trees.nodes) {
      if (node.base === null || node[deleting] !== null) continue
      rootOf.set(node, rootOf.get(trees.parentOf('base', node)) ?? node)
    }
    const branches = new Map<Node, { readonly members: Node[]; isTouched: boolean }>()
    for (const node of trees.items[other].all.map(trees.nodeOf)) {
      const root = rootOf.get(node)
      if (root === undefined) continue
      const parent = trees.parentOf(other, node) as Node
      if (node !== root && (rootOf.get(parent) !== root || kept.get(parent) === other)) {
        kept.set(node, other)
        continue
      }
      const branch = branches.get(root) ?? { members: [], isTouched: false }
      branches.set(root, branch)
      branch.members.push(node)
      branch.isTouched ||=
        isEdited(node, other) ||
        parent !== trees.parentOf('base', node) ||
        trees.movedWithin[other](parent).has(node) ||
        hasOtherChildren(trees, node, other, (child) => rootOf.get(child) === root)
    }
    for (const [root, { members, isTouched }] of branches) {
      const side = isTouched ? ask('delete', root) : deleting
      for (const node of members) {
        kept.set(node, side === deleting ? null : side)
        if (side === other) restored.add(node)
      }
    }
  }
  return { kept, restored }
}

/** Whether a side put other items below one, or reordered some of those below. */
function hasOtherChildren(
  trees: ThreeTrees,
  node: Node,
  side: Edited,
  isOfThese: (child: Node) => boolean,
): boolean {
  const list = trees.listOf(side, node)
  if (list.some((child) => trees.parentOf('base', child) !== node)) return true
  const places = list.filter(isOfThese).map((child) => child.base?.order ?? 0)
  return places.some((place, at) => place < (places[at - 1] ?? 0))
}

/** Whether a side's version of an item differs from the base. */
function isEdited({ base, ...sides }: Node, side: Edited): boolean {
  const other = sides[side]
  return base !== null && other !== null && !isEqual(ownOf(base.item), ownOf(other.item))
}
