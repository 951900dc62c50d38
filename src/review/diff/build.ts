import { describeAudience } from '../../change/compare/audience.js'
import { calledOut } from '../../change/compare/called-out.js'
import {
  differences,
  type ItemDifference,
  type ItemPlace,
  isOwnChange,
  isUnchanged,
} from '../../change/compare/differences.js'
import { toSummary } from '../../change/compare/field-words.js'
import { matchMenus } from '../../change/compare/match.js'
import type { Options } from '../../config/options.js'
import type { MenuDocument } from '../../document/menu-document.js'
import type { Json } from '../../model/json.js'
import type { Menu } from '../../model/menu.js'
import type { MenuFile } from '../../model/menu-file.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { judgeByRules } from '../../service/project-rules.js'
import type { MenuState } from '../../store/git/compare-trees.js'
import { NOTHING } from '../../store/load.js'
import { byFile, toSeenProblem } from '../problem-text.js'
import { type FilePair, pairFiles } from './pairs.js'
import type {
  Called,
  CalledOut,
  DiffReport,
  ItemCounts,
  ItemReport,
  ItemSide,
  MenuReport,
  MenuStatus,
  ShownItem,
} from './report.js'
import { toItemChanges, toMenuChanges, toTitle, toViewing } from './report-words.js'
import type { ComparedStates } from './states.js'
import { type MarkedChanges, type Trees, toTrees } from './trees.js'

export interface ReportOptions {
  /** The project's severities of problems. */
  readonly rules: Options['lint']['rules']
  readonly locale: string
  /** The locales for labels, the best first. */
  readonly chain: readonly string[]
  readonly viewer: readonly string[] | null
  /** Only the menus with this code; null for all. */
  readonly code: string | null
  /** A file of the menus folder as seen from where the command runs. */
  readonly fileOf: (path: string) => string
}

/** The state of a missing folder. */
const NO_MENUS: MenuState = { snapshot: NOTHING.snapshot, documents: new Map() }

/** Compares two states. */
export function buildReport({ base, head, unread }: ComparedStates, options: ReportOptions): DiffReport {
  const { code, locale, viewer } = options
  const [before, after] = [base.state ?? NO_MENUS, head.state ?? NO_MENUS]
  const pairs = pairFiles(before.snapshot, after.snapshot).filter((pair) => isAsked(pair, code))
  const menus = pairs
    .flatMap((pair) => toReport(pair, before, after, options) ?? [])
    .sort((a, b) => compareText(a.shown.file, b.shown.file))
  const called = (which: 'widened' | 'narrowed'): readonly CalledOut[] =>
    menus.flatMap((menu, place) => menu.shown[which].map((each) => toCalledOut(menu, each, place + 1)))
  const both = pairs.filter((pair) => pair.before?.menu != null && pair.after?.menu != null).length
  const differ = menus.filter(({ status }) => status === 'changed' || status === 'moved').length
  return {
    base: { title: base.title, commit: base.commit },
    head: { title: head.title, commit: head.commit },
    unchanged: (code === null ? unread : 0) + both - differ,
    counts: countItems(menus.flatMap(({ items }) => items)),
    seenByMore: called('widened'),
    seenByFewer: called('narrowed'),
    menus,
    problems: newProblems(pairs, before.snapshot, after.snapshot, options),
    shown: { locale, viewer },
  }
}

function isAsked({ before, after }: FilePair, code: string | null): boolean {
  return code === null || before?.menu?.code === code || after?.menu?.code === code
}

/** Null when nothing changed, and when neither state is readable. */
function toReport(
  { before, after }: FilePair,
  oldState: MenuState,
  newState: MenuState,
  { fileOf, chain, viewer }: ReportOptions,
): MenuReport | null {
  // Another file has its place by now; its outcome is reported there.
  const isReplaced = after === null && before !== null && isDouble(before, oldState)
  if (isReplaced && newState.snapshot.files.some(({ path }) => path === before.path)) return null
  const isSame = before !== null && after !== null && before.version === after.version
  const isMoved = before !== null && after !== null && before.path !== after.path
  if (isSame && !isMoved) return null
  const isDoubled = before === null && after !== null && isDouble(after, newState)
  const [old, now] = [toServable(before, oldState), isDoubled ? null : toServable(after, newState)]
  const menu = now?.menu ?? old?.menu ?? (isDoubled ? after.menu : null)
  const broken = after !== null && now === null ? after : before !== null && old === null ? before : null
  if (menu === null && (after === null || before !== null)) return null
  const isComparable = (before === null || old !== null) && (after === null || now !== null)
  // The other side of a menu that is in only one of the states is empty.
  const toValue = (side: ServableFile | null): Json => (isComparable ? (side?.document.value ?? {}) : {})
  const match = matchMenus(toValue(old), toValue(now))
  const difference = differences(match, chain)
  const status = isDoubled ? 'broken' : toStatus(before, after, isMoved && isUnchanged(difference))
  if (status === 'changed' && isUnchanged(difference)) return null
  const toItemSide = (place: ItemPlace | null, side: ServableFile | null): ItemSide | null => {
    if (place === null || side === null) return null
    const { path, lineOf } = side.document
    return {
      ...place,
      seenBy: describeAudience(place.viewers),
      file: fileOf(path),
      line: lineOf(place.pointer),
    }
  }
  const items = difference.items.map((item) => {
    return { ...item, before: toItemSide(item.before, old), after: toItemSide(item.after, now) }
  })
  const { code = '', name = '', context = {} } = menu ?? {}
  const facts = {
    ...{ status, code, name, context },
    files: { before: before && fileOf(before.path), after: after && fileOf(after.path) },
    summary: status === 'changed' ? toSummary(difference) : status,
    counts: countItems(items),
    fields: difference.fields,
    items,
    faults: (broken?.problems ?? []).filter(isError).map((each) => toSeenProblem(each, fileOf)),
  }
  const file = facts.files.after ?? facts.files.before ?? ''
  const { widened, narrowed } = calledOut(items, match)
  const toItems = (called: readonly Called[]): ReadonlySet<ItemReport> =>
    new Set(called.map(({ item }) => item))
  const marked = { match, items, widens: toItems(widened), narrows: toItems(narrowed) }
  const isShown = status !== 'broken'
  let trees: Trees | null = null
  const shown = {
    title: toTitle(facts, file),
    file,
    changes: toMenuChanges(facts),
    items: items.filter(isOwnChange).map((item) => toShownItem(item, marked)),
    // Made on first use: a commit's message needs none.
    get trees() {
      const [was, is] = isShown ? [old?.menu, now?.menu] : []
      trees ??= toTrees(was, is, marked, chain, viewer)
      return trees
    },
    widened,
    narrowed,
  }
  return { ...facts, shown }
}

function toShownItem(item: ItemReport, marked: MarkedChanges): ShownItem {
  const { kind, moved } = item
  const [widens, narrows] = [marked.widens.has(item), marked.narrows.has(item)]
  const mark = kind === 'added' ? 'new' : kind === 'removed' ? 'gone' : moved ? 'moved' : 'changed'
  const changes = toItemChanges(item, (widens && item.widens) || narrows)
  return { ...toNamed(item), mark, widens, narrows, changes }
}

function toCalledOut(menu: MenuReport, { item, below }: Called, number: number): CalledOut {
  const { code, context, shown } = menu
  const shownMenu = { title: shown.title, menu: number }
  return { code, context, ...toNamed(item), ...toViewing(item), below, shown: shownMenu }
}

function toNamed({ before, after }: ItemReport): Pick<CalledOut, 'name' | 'path' | 'place'> {
  const { name = '', path = [], file = '', line = 1 } = after ?? before ?? {}
  return { name, path, place: `${file}:${line}` }
}

/** How many of these items were added, removed, moved or edited. */
function countItems(items: readonly ItemDifference[]): ItemCounts {
  const counts = { added: 0, removed: 0, moved: 0, edited: 0 }
  for (const { kind, moved } of items.filter(isOwnChange))
    counts[kind !== 'changed' ? kind : moved ? 'moved' : 'edited']++
  return counts
}

/** Whether a file has the code and context of another one, which is served instead. */
function isDouble({ menu, path }: MenuFile, { snapshot }: MenuState): boolean {
  return menu !== null && !snapshot.served.has(path)
}

function toStatus(before: MenuFile | null, after: MenuFile | null, onlyMoved: boolean): MenuStatus {
  if (after !== null && after.menu === null) return 'broken'
  if (before !== null && before.menu === null) return after === null ? 'removed' : 'fixed'
  if (before === null) return 'added'
  if (after === null) return 'removed'
  return onlyMoved ? 'moved' : 'changed'
}

/** A menu in one of the states: a file that can be served. */
interface ServableFile {
  readonly menu: Menu
  readonly document: MenuDocument
}

function toServable(file: MenuFile | null, { documents }: MenuState): ServableFile | null {
  const document = documents.get(file?.path ?? '')
  return file?.menu == null || document?.value == null ? null : { menu: file.menu, document }
}

/** Problems of the later files that the earlier ones did not have; lines move, so they are not compared. */
function newProblems(
  pairs: readonly FilePair[],
  oldSnapshot: Snapshot,
  newSnapshot: Snapshot,
  { rules, fileOf }: ReportOptions,
): readonly Problem[] {
  const [olds, news] = [byFile(oldSnapshot.problems), byFile(newSnapshot.problems)]
  const found = pairs.flatMap(({ before, after }) => {
    const known = (olds.get(before?.path ?? '') ?? []).map(toKey)
    return (news.get(after?.path ?? '') ?? []).filter((problem) => {
      const place = known.indexOf(toKey(problem))
      if (place !== -1) known.splice(place, 1)
      return place === -1
    })
  })
  return judgeByRules(found, rules)
    .map((problem) => toSeenProblem(problem, fileOf))
    .sort((a, b) => compareText(a.path, b.path) || a.line - b.line)
}

function toKey({ code, what }: Problem): string {
  return `${code} ${what}`
}
