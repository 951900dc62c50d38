import { type ItemDifference, type ItemPlace, numberOfChanges } from '../../change/compare/differences.js'
import type { FieldChange } from '../../change/compare/field-changes.js'
import type { DescribedChange } from '../../change/compare/field-words.js'
import type { Context } from '../../model/menu.js'
import type { Problem } from '../../model/problem.js'
import type { StateName } from './states.js'
import type { Mark, Trees } from './trees.js'

export type DiffFormat = 'text' | 'markdown' | 'json' | 'html'
export const DIFF_FORMATS: readonly DiffFormat[] = ['text', 'markdown', 'json', 'html']

/** What counts as a finding: any change, or only who sees more. */
export type FailOn = 'changes' | 'widened'
export const FAIL_ON: readonly FailOn[] = ['changes', 'widened']

/** The differences between the menus of two states. Members called `shown` are for people, all others for programs, too. */
export interface DiffReport {
  readonly base: StateName
  readonly head: StateName
  readonly unchanged: number
  /** How many items of all menus were added, removed, moved or edited. */
  readonly counts: ItemCounts
  /** Every item whose change lets more viewers see something, or its destination. */
  readonly seenByMore: readonly CalledOut[]
  /** Every item whose change lets fewer viewers see something. */
  readonly seenByFewer: readonly CalledOut[]
  /** Those that differ, in the order of their files. */
  readonly menus: readonly MenuReport[]
  /** Problems of the head that the base does not have; paths are as seen from where the command runs. */
  readonly problems: readonly Problem[]
  readonly shown: View
}

/** The locale of the trees. */
export interface View {
  readonly locale: string
  /** The permissions of the viewer of the trees; null for all items, hidden ones included. */
  readonly viewer: readonly string[] | null
}

/**
 * What became of a menu. `moved`: only to another file; `broken`: its file cannot be served any more; `fixed`: it could not
 * be served before, so there is nothing to compare with.
 */
export type MenuStatus = 'added' | 'removed' | 'changed' | 'moved' | 'broken' | 'fixed'

export interface MenuReport {
  readonly status: MenuStatus
  readonly code: string
  readonly name: string
  readonly context: Context
  /** The file before and after, as seen from where the command runs; null where there is none. */
  readonly files: { readonly before: string | null; readonly after: string | null }
  readonly summary: string
  readonly counts: ItemCounts
  /** What changed of the menu itself. */
  readonly fields: readonly FieldChange[]
  readonly items: readonly ItemReport[]
  /** Why it is broken, or was. */
  readonly faults: readonly Problem[]
  readonly shown: {
    /** The code, with the context of a variant; the file of a menu that has none. */
    readonly title: string
    /** Where the menu is or was. */
    readonly file: string
    /** What changed of the menu itself, its file included; for a new one, what its title does not show. */
    readonly changes: readonly DescribedChange[]
    /** The items that changed by themselves. */
    readonly items: readonly ShownItem[]
    readonly trees: Trees
    readonly widened: readonly Called[]
    readonly narrowed: readonly Called[]
  }
}

/** A called-out item of a menu, with how many below it follow from it. */
export interface Called {
  readonly item: ItemReport
  readonly below: number
}

export interface ItemReport extends ItemDifference {
  readonly before: ItemSide | null
  readonly after: ItemSide | null
}

/** An item in one of the two states. */
export interface ItemSide extends ItemPlace {
  /** Who sees it, in words. */
  readonly seenBy: string
  readonly file: string
  readonly line: number
}

interface NamedItem {
  readonly name: string
  /** The names of the items above it, from the top. */
  readonly path: readonly string[]
  /** The file and line of the item; for a removed one, where it was. */
  readonly place: string
}

/** Who could see an item and who can; else the destination, which fewer viewers could reach before. */
export type Viewing = { readonly from: string; readonly to: string } | { readonly exposes: string }

/** A called-out item. */
export type CalledOut = NamedItem &
  Viewing &
  Pick<MenuReport, 'code' | 'context'> & {
    /** How many below it follow from it. */
    readonly below: number
    /** The title of its menu, and the menu's number, from 1. */
    readonly shown: { readonly title: string; readonly menu: number }
  }

/** What became of one item, in words for every format; all texts are data. */
export interface ShownItem extends NamedItem {
  readonly mark: Mark
  /** Whether its own change lets more viewers see it, or its destination. */
  readonly widens: boolean
  /** Whether its own change hides it from some viewers. */
  readonly narrows: boolean
  readonly changes: readonly DescribedChange[]
}

/** How many items had which change; a moved and edited item counts as moved. */
export type ItemCounts = Readonly<Record<'added' | 'removed' | 'moved' | 'edited', number>>

/** Whether a gate that closes on some changes closes on these. */
export function isFinding({ menus, seenByMore, problems }: DiffReport, failOn: FailOn): boolean {
  // Incomparable files may hide anything: a gate stays closed.
  const isUnknown = menus.some(({ status }) => status === 'broken' || status === 'fixed')
  if (failOn === 'widened') return isUnknown || seenByMore.length > 0
  return menus.length > 0 || problems.length > 0
}

/** How many changes a menu has, as a review lists them. */
export function changesIn({ status, files: { before, after }, fields, items }: MenuReport): number {
  if (status !== 'changed') return 1
  return numberOfChanges(items, fields.length > 0 || before !== after)
}

/** A report for programs: everything, with the file and line of each item on both sides. */
export function toDiffJson({ shown, ...report }: DiffReport): object {
  const { base, head, unchanged, counts, seenByMore, seenByFewer, menus, problems } = report
  const [widened, narrowed] = [seenByMore.length, seenByFewer.length]
  return {
    version: 1,
    ...{ base, head, unchanged, counts, widened, narrowed },
    seenByMore: seenByMore.map(withoutShown),
    seenByFewer: seenByFewer.map(withoutShown),
    menus: menus.map(withoutShown),
    problems,
  }
}

function withoutShown({ shown, ...rest }: { readonly shown: unknown }): object {
  return rest
}
