import { type ItemDifference, isOwnChange, type MenuDifference } from '../../change/differences.js'
import type { Json } from '../../change/json.js'
import type { Match } from '../../change/match.js'
import type { Context, Menu } from '../../model/menu.js'
import type { Problem } from '../../model/problem.js'

/** What the menus of two states have that differs, for all forms. */
export interface DiffReport {
  /** The two states in words, such as `main (1a2b3c4)` and `the work tree`. */
  readonly base: string
  readonly head: string
  /** The commits; null for the work tree. */
  readonly baseCommit: string | null
  readonly headCommit: string | null
  /** Those that differ, in the order of their files. */
  readonly menus: readonly MenuReport[]
  readonly unchanged: number
  /** What is wrong with the head and was not with the base; a place is told as the command is. */
  readonly problems: readonly PlacedProblem[]
  /** What trees are shown in. */
  readonly locale: string
  /** Where labels are looked for, the best first. */
  readonly chain: readonly string[]
  /** The permissions of the viewer whose trees are shown; null for all items, hidden ones included. */
  readonly viewer: readonly string[] | null
}

/**
 * What became of a menu. `moved` to another file, nothing else; `broken`, its file cannot be served any more; `mended`,
 * it could not be served before, so that there is nothing to compare with.
 */
export type MenuStatus = 'added' | 'removed' | 'changed' | 'moved' | 'broken' | 'mended'

export interface MenuReport {
  readonly status: MenuStatus
  readonly code: string
  readonly name: string
  readonly context: Context
  /** Null where there is none, or none that can be read. */
  readonly before: MenuSide | null
  readonly after: MenuSide | null
  /** The file before and after, as seen from the folder that the command runs in; null where there is none. */
  readonly files: { readonly before: string | null; readonly after: string | null }
  readonly difference: MenuDifference
  readonly match: Match
  /** Why it is broken, or was. */
  readonly faults: readonly PlacedProblem[]
}

/** A menu in one of the two states. */
export interface MenuSide {
  /** As seen from the folder that the command runs in. */
  readonly file: string
  readonly menu: Menu
  readonly value: Json
  /** The 1-based line of a value, by its pointer. */
  readonly lineOf: (pointer: string) => number
}

export interface PlacedProblem {
  readonly problem: Problem
  readonly file: string
}

/** An item that more viewers may see, or that leads where fewer could before, with how many below it are so only for its sake. */
export interface Widening {
  readonly menu: MenuReport
  readonly item: ItemDifference
  readonly below: number
}

/** Every item by whose change more viewers may see something, or where it leads. */
export function wideningsIn({ menus }: DiffReport): readonly Widening[] {
  return menus.flatMap((menu) => {
    const wider = menu.difference.items.filter(({ widens, exposes }) => widens || exposes)
    const own = wider.filter(isOwnChange)
    const isBelow = (inner: ItemDifference, outer: ItemDifference): boolean =>
      inner.after?.pointer.startsWith(`${outer.after?.pointer}/`) === true
    /** The nearest of those that changed themselves. */
    const cause = (inner: ItemDifference): ItemDifference | undefined =>
      own.filter((outer) => isBelow(inner, outer)).at(-1)
    const causes = wider.filter((each) => !own.includes(each)).map(cause)
    return own.map((item) => ({ menu, item, below: causes.filter((each) => each === item).length }))
  })
}

/** How many menus have each status, in words: `2 changed, 1 added`. */
export function toCounts({ menus }: DiffReport): string {
  const order: readonly MenuStatus[] = ['changed', 'added', 'removed', 'moved', 'broken', 'mended']
  const parts = order.flatMap((status) => {
    const number = menus.filter((menu) => menu.status === status).length
    return number === 0 ? [] : [`${number} ${status}`]
  })
  return parts.length === 0 ? 'nothing changed' : parts.join(', ')
}
