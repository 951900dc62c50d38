import { FIXABLE_CODES, type Fixed, fixMenu } from '../../document/fix-problems.js'
import { groupBy } from '../../model/group-by.js'
import type { Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toReason } from '../../service/log.js'
import { contentHash } from '../../store/hash.js'
import { writeFile } from '../../store/publish/write-file.js'
import { readMenu, toParseOptions } from '../reading.js'
import { type Site, toSeen } from '../site.js'
import type { TextPair } from '../unified-diff.js'
import type { FixedProblem } from './report.js'
import type { Scope } from './scope.js'

/** A file whose safe problems are fixed in `after`, or why it is left as it was. */
export interface FixedFile extends Fixed, TextPair {
  readonly before: string
  readonly after: string
  /** Its path from the menus folder. */
  readonly file: string
  /** The content hash of `before`. */
  readonly version: string
  readonly fault: string | null
}

const CHANGED = 'it changed in the meantime; run this again'

/** The fixes for the files in scope; nothing is written. */
export function planFixes({ files }: Snapshot, site: Site, { hasFile }: Scope): readonly FixedFile[] {
  const options = toParseOptions(site)
  const able = files.filter(
    ({ path, menu, problems, omittedByCode = {} }) =>
      menu !== null &&
      hasFile(path) &&
      FIXABLE_CODES.some(
        (code) => Object.hasOwn(omittedByCode, code) || problems.some((each) => each.code === code),
      ),
  )
  return able.map(({ path: file, version }) => {
    const place = { file, version, path: toSeen(site, file) }
    const document = readMenu(site, file)
    if (document === null || contentHash(document.bytes) !== version)
      return { ...place, before: '', after: '', fixed: [], left: [], fault: CHANGED }
    return { ...place, before: document.mark + document.text, ...fixMenu(document, options), fault: null }
  })
}

/** Writes planned fixes, each file in whole or not at all. */
export function writeFixes(plan: readonly FixedFile[], { menusFolder }: Site): readonly FixedFile[] {
  return plan.map((each) => {
    if (each.fault !== null || each.before === each.after) return each
    try {
      const isWritten = writeFile(menusFolder, each.file, each.version, each.after)
      return { ...each, fault: isWritten ? null : CHANGED }
    } catch (thrown) {
      return { ...each, fault: `it cannot be written (${toReason(thrown)})` }
    }
  })
}

/** What was fixed, or would be. */
export interface FixReport {
  /** Lines for people. */
  readonly lines: readonly string[]
  readonly fixed: readonly FixedProblem[]
  /** Whether every file could be read and written. */
  readonly isDone: boolean
}

export function toFixReport(files: readonly FixedFile[], isWritten: boolean): FixReport {
  const lines = files.flatMap(({ path, before, after, fixed, left, fault }) => [
    ...(isWritten && fault === null && before !== after ? [`fixed ${path}: ${describe(fixed)}`] : []),
    ...left.map(
      ({ line, column, code }) =>
        `note: ${path}:${line}:${column} ${code} needs a manual fix: it cannot be fixed in place as it is written`,
    ),
    ...(fault === null ? [] : [`error: ${path} is left as it was: ${fault}`]),
  ])
  const done = files.filter(({ fault }) => fault === null)
  const fixed = done.flatMap((file) =>
    file.fixed.map(({ code, line, column, what }) => ({ path: file.path, code, line, column, what })),
  )
  return { lines, fixed, isDone: done.length === files.length }
}

/** Each code with the number of its fixes. */
function describe(problems: readonly Problem[]): string {
  const byCode = groupBy(problems, ({ code }) => code)
  return [...byCode].map(([code, { length }]) => (length === 1 ? code : `${code} (${length})`)).join(', ')
}
