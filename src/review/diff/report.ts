import type { CalledItem } from '../../change/compare/called-out.js'
import type { MenuDifference } from '../../change/compare/differences.js'
import type { Match } from '../../change/compare/match.js'
import type { ToldChange } from '../../change/compare/words.js'
import type { Json } from '../../change/json.js'
import type { Context, Menu } from '../../model/menu.js'
import type { Problem } from '../../model/problem.js'

export type DiffFormat = 'text' | 'markdown' | 'json' | 'html'
export const DIFF_FORMATS: readonly DiffFormat[] = ['text', 'markdown', 'json', 'html']

/** What is a finding: any change, or only who sees more. */
export type FailOn = 'changes' | 'widened'
export const FAIL_ON: readonly FailOn[] = ['changes', 'widened']

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
  /** What became of the items of all menus together. */
  readonly counts: ItemCounts
  /** Every item by whose change more viewers may see something, or where it leads. */
  readonly widened: readonly CalledOut[]
  /** Every item by whose change fewer viewers may see something. */
  readonly narrowed: readonly CalledOut[]
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
  readonly counts: ItemCounts
  readonly widened: readonly CalledItem[]
  readonly narrowed: readonly CalledItem[]
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

/** An item that is called out for who sees it. */
export interface CalledOut {
  readonly menu: MenuReport
  readonly item: ToldItem
  /** Who could see it and who can; as a fact, where it leads: fewer viewers had an item that leads there. */
  readonly change: ToldChange
  /** How many below it follow from it. */
  readonly below: number
}

/** What became of an item: it is gone from here, it is new here, it came from elsewhere, it changed in its place. */
export type Mark = 'gone' | 'new' | 'moved' | 'changed' | 'same'

/** What became of one item, in words for every form; all texts are data. */
export interface ToldItem {
  readonly mark: Mark
  readonly name: string
  readonly path: readonly string[]
  /** Whether by its own change more viewers may see it, or where it leads. */
  readonly widens: boolean
  /** Whether by its own change there are viewers who may see it no more. */
  readonly narrows: boolean
  readonly changes: readonly ToldChange[]
  /** The file and line of the item, of where it was for one that is gone. */
  readonly place: string
}

/** How many items became what; one that was moved and edited was moved. */
export interface ItemCounts {
  readonly added: number
  readonly removed: number
  readonly moved: number
  readonly edited: number
}

/** Whether a gate that closes on some changes closes on these. */
export function isFinding({ menus, widened, problems }: DiffReport, failOn: FailOn): boolean {
  // What cannot be compared may hide anything: a gate stays closed.
  const isUnknown = menus.some(({ status }) => status === 'broken' || status === 'mended')
  if (failOn === 'widened') return isUnknown || widened.length > 0
  return menus.length > 0 || problems.length > 0
}
