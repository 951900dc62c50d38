import type { Config } from '../../config/load-config.js'
import { FIXABLE_CODES, type Fixed, fixMenu } from '../../document/fix.js'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import type { Limits } from '../../model/limits.js'
import type { Problem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toReason } from '../../service/log.js'
import { diffTexts, type TextPair } from '../../store/git/lone-texts.js'
import { contentHash } from '../../store/hash.js'
import { replaceFile } from '../../store/publish/replace-file.js'
import { readMenuBytes } from '../../store/read-file.js'
import { toParseOptions } from '../reading.js'
import { toSeen } from '../seen-path.js'
import type { FixedProblem } from './report.js'
import type { Scope } from './scope.js'

/** A file whose safe problems are fixed in `after`, or why it is not readable. */
export interface FixedFile extends Fixed, TextPair {
  /** Its path from the menus folder. */
  readonly file: string
  /** The content hash of `before`. */
  readonly version: string
  readonly fault: string | null
}

const CHANGED = 'it changed in the meantime; run this again'

/** The fixes for the files in scope; nothing is written. */
export function planFixes(
  { files }: Snapshot,
  config: Config,
  folder: string,
  { hasFile }: Scope,
): readonly FixedFile[] {
  const { menusFolder } = config
  const options = toParseOptions(config)
  const able = files.filter(
    ({ path, menu, problems, omittedByCode = {} }) =>
      menu !== null &&
      hasFile(path) &&
      FIXABLE_CODES.some(
        (code) => Object.hasOwn(omittedByCode, code) || problems.some((each) => each.code === code),
      ),
  )
  return able.map(({ path: file, version }) => {
    const place = { file, version, path: toSeen(folder, menusFolder, file) }
    const document = readFile(menusFolder, file, options.limits)
    if (document === null || contentHash(document.bytes) !== version) {
      return { ...place, before: '', after: '', fixed: [], left: [], fault: CHANGED }
    }
    const before = document.mark + document.text
    return { ...place, before, ...fixMenu(document, options), fault: null }
  })
}

function readFile(menusFolder: string, path: string, limits: Limits): MenuDocument | null {
  try {
    return readDocument(path, readMenuBytes(menusFolder, path, limits.bytes).bytes, limits)
  } catch {
    return null
  }
}

/** What was fixed, or would be. */
export interface FixReport {
  /** Lines for people. */
  readonly lines: readonly string[]
  readonly fixed: readonly FixedProblem[]
  /** Whether every file could be read and written. */
  readonly isDone: boolean
}

/** Writes the planned fixes, each file in whole or not at all. */
export function writeFixes(plan: readonly FixedFile[], { menusFolder }: Config): FixReport {
  return toFixReport(
    plan.map((each) => {
      if (each.fault !== null || each.before === each.after) return each
      return { ...each, fault: write(menusFolder, each.file, each.version, each.after) }
    }),
    ({ path, fixed }) => [`fixed ${path}: ${describe(fixed)}`],
  )
}

/** The changes of a plan, as a unified difference for `git apply`. Throws GitError when git cannot compare. */
export async function previewFixes(
  plan: readonly FixedFile[],
): Promise<FixReport & { readonly difference: string }> {
  return { ...toFixReport(plan, () => []), difference: await diffTexts(plan) }
}

function toFixReport(
  files: readonly FixedFile[],
  toLines: (file: FixedFile) => readonly string[],
): FixReport {
  return {
    lines: files.flatMap((each) => [
      ...(each.fault === null && each.before !== each.after ? toLines(each) : []),
      ...notesOf(each),
      ...(each.fault === null ? [] : [toError(each, each.fault)]),
    ]),
    fixed: files.filter(({ fault }) => fault === null).flatMap(toList),
    isDone: files.every(({ fault }) => fault === null),
  }
}

function toList({ path, fixed }: FixedFile): readonly FixedProblem[] {
  return fixed.map(({ code, line, column, what }) => ({ path, code, line, column, what }))
}

/** The problems of a plan that need a manual fix. */
function notesOf({ path, left }: FixedFile): readonly string[] {
  return left.map(
    ({ line, column, code }) =>
      `note: ${path}:${line}:${column} ${code} needs a manual fix: it cannot be fixed in place as it is written`,
  )
}

function toError({ path }: FixedFile, fault: string): string {
  return `error: ${path} is left as it was: ${fault}`
}

function write(menusFolder: string, path: string, version: string, text: string): string | null {
  try {
    return replaceFile(menusFolder, path, version, text) ? null : CHANGED
  } catch (thrown) {
    return `it cannot be written (${toReason(thrown)})`
  }
}

/** Each code with the number of its fixes. */
function describe(problems: readonly Problem[]): string {
  const counts = new Map<string, number>()
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, number]) => (number === 1 ? code : `${code} (${number})`)).join(', ')
}
