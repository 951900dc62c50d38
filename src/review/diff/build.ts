import { narrowedBy, widenedBy } from '../../change/compare/called-out.js'
import { differences, isUnchanged } from '../../change/compare/differences.js'
import { matchMenus } from '../../change/compare/match.js'
import type { Json } from '../../change/json.js'
import type { Options } from '../../config/options.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import type { MenuFile, Snapshot } from '../../model/snapshot.js'
import { judgeByRules } from '../../service/project-rules.js'
import type { MenuState } from '../../store/git/menus.js'
import { NO_MENUS } from '../../store/git/two-states.js'
import { countItems } from './counts.js'
import { type FilePair, pairFiles } from './pairs.js'
import type { DiffReport, MenuReport, MenuSide, MenuStatus, PlacedProblem } from './report.js'
import type { Sides } from './sides.js'
import { tellCalled } from './told.js'

export interface ReportOptions {
  /** The severities that the project gives to problems. */
  readonly rules: Options['lint']['rules']
  readonly locale: string
  readonly chain: readonly string[]
  readonly viewer: readonly string[] | null
  /** Only the menus with this code; null for all. */
  readonly code: string | null
  /** A file of the menus folder as seen from where the command runs. */
  readonly fileOf: (path: string) => string
}

/** What a menu is told against that is there in one of the states only. */
const NO_MENU: Json = {}

/** Lays two states beside each other. */
export function buildReport({ base, head, unread }: Sides, options: ReportOptions): DiffReport {
  const [before, after] = [base.state ?? NO_MENUS, head.state ?? NO_MENUS]
  const pairs = pairFiles(before.snapshot, after.snapshot).filter((pair) => isAsked(pair, options.code))
  const reports = pairs.map((pair) => toReport(pair, before, after, options))
  const menus = reports
    .filter((report) => report !== null)
    .sort((a, b) => compareText(a.files.after ?? a.files.before ?? '', b.files.after ?? b.files.before ?? ''))
  return {
    base: base.title,
    head: head.title,
    baseCommit: base.commit,
    headCommit: head.commit,
    menus,
    unchanged:
      (options.code === null ? unread : 0) +
      pairs.filter(({ before, after }) => before?.menu != null && after?.menu != null).length -
      menus.filter(({ status }) => status === 'changed' || status === 'moved').length,
    counts: countItems(menus.map(({ difference }) => difference)),
    widened: tellCalled(menus, 'widened'),
    narrowed: tellCalled(menus, 'narrowed'),
    problems: newProblems(pairs, before.snapshot, after.snapshot, options),
    locale: options.locale,
    chain: options.chain,
    viewer: options.viewer,
  }
}

function isAsked({ before, after }: FilePair, code: string | null): boolean {
  return code === null || before?.menu?.code === code || after?.menu?.code === code
}

/** Null when nothing changed, and where nothing can be read in either state. */
function toReport(
  { before, after }: FilePair,
  oldState: MenuState,
  newState: MenuState,
  options: ReportOptions,
): MenuReport | null {
  // Another file has its place by now; what came of it is told there.
  const isReplaced = after === null && before !== null && isDouble(before, oldState)
  if (isReplaced && newState.snapshot.files.some(({ path }) => path === before.path)) return null
  const isSame = before !== null && after !== null && before.version === after.version
  const isMoved = before !== null && after !== null && before.path !== after.path
  if (isSame && !isMoved) return null
  const isDoubled = before === null && after !== null && isDouble(after, newState)
  const [old, now] = [toSide(before, oldState, options), isDoubled ? null : toSide(after, newState, options)]
  const shown = now?.menu ?? old?.menu ?? (isDoubled ? after.menu : null)
  const broken = after !== null && now === null ? after : before !== null && old === null ? before : null
  if (shown === null && (after === null || before !== null)) return null
  const isAlone = (before === null && now !== null) || (after === null && old !== null)
  const isComparable = (old !== null && now !== null) || isAlone
  const [oldValue, newValue] = (isComparable ? [old, now] : []).map((side) => side?.value ?? NO_MENU)
  const match = matchMenus(oldValue ?? NO_MENU, newValue ?? NO_MENU)
  const difference = differences(match, options.chain)
  const status = isDoubled ? 'broken' : toStatus(before, after, isMoved && isUnchanged(difference))
  if (status === 'changed' && isUnchanged(difference)) return null
  return {
    status,
    code: shown?.code ?? '',
    name: shown?.name ?? '',
    context: shown?.context ?? {},
    before: old,
    after: now,
    files: {
      before: before === null ? null : options.fileOf(before.path),
      after: after === null ? null : options.fileOf(after.path),
    },
    difference,
    match,
    counts: countItems([difference]),
    widened: widenedBy(difference.items, match),
    narrowed: narrowedBy(difference.items, match),
    faults:
      broken === null
        ? []
        : broken.problems.filter(isError).map((problem) => placed(problem, options.fileOf)),
  }
}

/** Whether a file has the code and context of another one, which is served in its place. */
function isDouble({ menu, path }: MenuFile, { snapshot }: MenuState): boolean {
  return menu !== null && !snapshot.served.has(path)
}

function toStatus(before: MenuFile | null, after: MenuFile | null, onlyMoved: boolean): MenuStatus {
  if (after !== null && after.menu === null) return 'broken'
  if (before !== null && before.menu === null) return after === null ? 'removed' : 'mended'
  if (before === null) return 'added'
  if (after === null) return 'removed'
  return onlyMoved ? 'moved' : 'changed'
}

/** What a file that can be served says, with the line of each value. */
function toSide(file: MenuFile | null, { documents }: MenuState, { fileOf }: ReportOptions): MenuSide | null {
  const document = documents.get(file?.path ?? '')
  if (file?.menu == null || document?.value == null) return null
  const { value, lineOf } = document
  return { file: fileOf(file.path), menu: file.menu, value, lineOf }
}

/** What is wrong with the later files and was not with the earlier ones; lines move, so they are not compared. */
function newProblems(
  pairs: readonly FilePair[],
  oldSnapshot: Snapshot,
  newSnapshot: Snapshot,
  { rules, fileOf }: ReportOptions,
): readonly PlacedProblem[] {
  const found: Problem[] = []
  const [olds, news] = [byPath(oldSnapshot), byPath(newSnapshot)]
  for (const { before, after } of pairs) {
    const known = new Map<string, number>()
    for (const problem of olds.get(before?.path ?? '') ?? []) {
      known.set(toKey(problem), (known.get(toKey(problem)) ?? 0) + 1)
    }
    for (const problem of news.get(after?.path ?? '') ?? []) {
      const left = known.get(toKey(problem)) ?? 0
      if (left > 0) known.set(toKey(problem), left - 1)
      else found.push(problem)
    }
  }
  return judgeByRules(found, rules)
    .map((problem) => placed(problem, fileOf))
    .sort((a, b) => compareText(a.file, b.file) || a.problem.line - b.problem.line)
}

function byPath({ problems }: Snapshot): ReadonlyMap<string, readonly Problem[]> {
  const found = new Map<string, Problem[]>()
  for (const problem of problems) {
    const own = found.get(problem.path) ?? []
    own.push(problem)
    found.set(problem.path, own)
  }
  return found
}

function toKey({ code, what }: Problem): string {
  return `${code} ${what}`
}

function placed(problem: Problem, fileOf: (path: string) => string): PlacedProblem {
  return { problem, file: fileOf(problem.path) }
}
