import { isEqual } from '../../model/json.js'
import type { Side } from '../change.js'
import { ownOf } from '../items.js'
import { createGaps } from './one-gap.js'
import { EDITED, type Edited, type Node, type ThreeTrees } from './three-trees.js'

/** What becomes of an item: its new parent, and the side from which its place among its siblings comes. */
export interface Placing {
  /** Null for the top. */
  readonly parent: Node | null
  readonly place: Side
  /** The side whose fields it has; null when those of all three are merged. */
  readonly fields: Side | null
}

/** Asks about an item as a whole; `delete` offers the sides as they are. */
export type AskNode = (kind: 'move' | 'delete' | 'insert', node: Node) => Side

/** Decides which items the merged menu has, and below which others; what is not in the answer is deleted. */
export function mergeTree(trees: ThreeTrees, ask: AskNode): ReadonlyMap<Node, Placing> {
  const { kept, restored } = mergeDeletions(trees, ask)
  const found = new Map<Node, Placing>()
  const lives = createLives(trees, kept)
  const isOneGap = createGaps(trees)
  for (const node of trees.nodes) {
    if (!lives(node)) continue
    found.set(node, placeOf(node))
  }
  breakCycles(found)
  return found

  function placeOf(node: Node): Placing {
    const fields = kept.get(node) ?? null
    if (fields !== null) return placed(node, fields, fields)
    if (node.mine === null) return placed(node, 'theirs', 'theirs')
    if (node.theirs === null) return placed(node, 'mine', 'mine')
    return placed(node, chosenPlace(node), null)
  }

  /** The side from which the place of an item on both sides is taken. */
  function chosenPlace(node: Node): Side {
    const [mine, theirs] = [trees.parentOf('mine', node), trees.parentOf('theirs', node)]
    // Where one side put it below an item that is gone by now, that was asked already.
    if (mine !== null && !lives(mine)) return 'theirs'
    if (theirs !== null && !lives(theirs)) return 'mine'
    // A branch kept despite its deletion keeps its items, also those that the other side took out before.
    if (mine !== null && restored.has(mine)) return 'mine'
    if (theirs !== null && restored.has(theirs)) return 'theirs'
    if (node.base === null) {
      return mine === theirs && isOneGap(node, mine) ? 'mine' : ask('insert', node)
    }
    const base = trees.parentOf('base', node)
    if (mine === base && theirs === base) return 'mine'
    if (theirs === base) return trees.movedWithin('theirs', base).has(node) ? ask('move', node) : 'mine'
    if (mine === base) return trees.movedWithin('mine', base).has(node) ? ask('move', node) : 'theirs'
    return mine === theirs && isOneGap(node, mine) ? 'mine' : ask('move', node)
  }

  /** Falls back to its place on another side, or to what is left around it, when the parent is gone. */
  function placed(node: Node, side: Side, fields: Side | null): Placing {
    for (const place of [side, 'mine', 'theirs', 'base'] as const) {
      if (node[place] === null) continue
      const parent = trees.parentOf(place, node)
      if (parent === null || lives(parent)) return { parent, place, fields }
    }
    let up = trees.parentOf('base', node)
    while (up !== null && !lives(up)) up = trees.parentOf('base', up)
    return { parent: up, place: side, fields }
  }

  /** No item is below itself: where the moves of both sides together would cause that, those of one side count. */
  function breakCycles(placings: Map<Node, Placing>): void {
    /** How often the place of an item was taken from one side to break a cycle. */
    const settled = new Map<Node, number>()
    for (const start of trees.nodes) {
      for (let cycle = cycleFrom(start, placings); cycle !== null; cycle = cycleFrom(start, placings)) {
        const both = cycle.filter(({ mine, theirs }) => mine !== null && theirs !== null)
        const shown = both.find((node) => trees.parentOf('theirs', node) !== trees.parentOf('mine', node))
        const times = Math.min(...both.map((node) => settled.get(node) ?? 0))
        const side = times === 0 && shown !== undefined ? ask('move', shown) : 'mine'
        for (const node of both) {
          settled.set(node, (settled.get(node) ?? 0) + 1)
          const { fields = null } = placings.get(node) ?? {}
          placings.set(node, placed(node, node[side] === null ? 'mine' : side, fields))
        }
        // Choices for several cycles can contradict each other.
        const [first = start] = cycle
        const { fields = null } = placings.get(first) ?? {}
        if (times > 1) placings.set(first, { parent: null, place: 'mine', fields })
      }
    }
  }
}

/** The items on a way up that returns to its start; null when it ends at the top. */
function cycleFrom(start: Node, placings: ReadonlyMap<Node, Placing>): readonly Node[] | null {
  const way: Node[] = []
  const seen = new Set<Node>()
  for (let node = placings.get(start) === undefined ? null : start; node !== null; ) {
    if (seen.has(node)) return way.slice(way.indexOf(node))
    seen.add(node)
    way.push(node)
    node = placings.get(node)?.parent ?? null
  }
  return null
}

/** Whether an item is in the merged menu: not deleted, and not added below a deleted one. */
function createLives(trees: ThreeTrees, kept: ReadonlyMap<Node, Side | null>): (node: Node) => boolean {
  const known = new Map<Node, boolean>()
  const isIn = (side: Side, node: Node): boolean => {
    const parent = trees.parentOf(side, node)
    return parent === null || lives(parent)
  }
  const isAlive = (node: Node): boolean => {
    const side = kept.get(node)
    if (side === null || side === 'base') return side === 'base'
    if (side !== undefined) return isIn(side, node)
    if (node.base !== null) return node.mine !== null && node.theirs !== null
    return EDITED.some((each) => node[each] !== null && isIn(each, node))
  }
  const lives = (node: Node): boolean => {
    const found = known.get(node) ?? isAlive(node)
    known.set(node, found)
    return found
  }
  return lives
}

/** What becomes of the items that one side deleted and the other has. */
interface Deletions {
  /** Null when they go, else the side from which they are taken. */
  readonly kept: ReadonlyMap<Node, Side | null>
  /** Those of branches kept despite their deletion. */
  readonly restored: ReadonlySet<Node>
}

/**
 * Decides about the items that one side deleted. A deleted branch goes unless the other side changed something in it; then a
 * person decides about the branch as a whole. Items that the other side moved out of it survive.
 */
function mergeDeletions(trees: ThreeTrees, ask: AskNode): Deletions {
  const kept = new Map<Node, Side | null>()
  const restored = new Set<Node>()
  for (const deleting of EDITED) {
    const other = deleting === 'mine' ? 'theirs' : 'mine'
    /** Each deleted item with the uppermost of the branch that was deleted with it. */
    const rootOf = new Map<Node, Node>()
    for (const node of trees.nodes) {
      if (node.base === null || node[deleting] !== null) continue
      const parent = trees.parentOf('base', node)
      rootOf.set(node, (parent === null ? undefined : rootOf.get(parent)) ?? node)
    }
    const changed = new Set<Node>()
    const left = new Map<Node, Node[]>()
    for (const node of trees.inOrder(other)) {
      const root = rootOf.get(node)
      if (root === undefined) continue
      const parent = trees.parentOf(other, node)
      const isRescued =
        node !== root && (parent === null || rootOf.get(parent) !== root || kept.get(parent) === other)
      if (isRescued) {
        kept.set(node, other)
        continue
      }
      const members = left.get(root)
      if (members === undefined) left.set(root, [node])
      else members.push(node)
      const isTouched =
        isEdited(node, other) ||
        parent !== trees.parentOf('base', node) ||
        trees.movedWithin(other, parent).has(node) ||
        hasOtherChildren(node, (child) => rootOf.get(child) === root)
      if (isTouched) changed.add(root)
    }
    for (const [root, members] of left) {
      const side = changed.has(root) ? ask('delete', root) : deleting
      for (const node of members) {
        kept.set(node, side === deleting ? null : side)
        if (side === other) restored.add(node)
      }
    }
  }
  return { kept, restored }

  /** Whether the side that kept an item put others below it, or reordered its deleted items. */
  function hasOtherChildren(node: Node, goes: (child: Node) => boolean): boolean {
    const other = node.mine === null ? 'theirs' : 'mine'
    const list = trees.listOf(other, node)
    if (list.some((child) => child.base === null || trees.parentOf('base', child) !== node)) return true
    const places = list.filter(goes).map((child) => child.base?.order ?? 0)
    return places.some((place, at) => place < (places[at - 1] ?? 0))
  }
}

/** Whether a side's version of an item differs from the base. */
function isEdited({ base, ...sides }: Node, side: Edited): boolean {
  const other = sides[side]
  return base !== null && other !== null && !isEqual(ownOf(base.item), ownOf(other.item))
}
