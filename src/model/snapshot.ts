import { describeContext, toContextKey } from './context.js'
import type { Menu } from './menu.js'
import { createNearContexts, type NearContexts } from './near-contexts.js'
import {
  compareProblems,
  compareText,
  isError,
  type Place,
  type Problem,
  type ProblemCounts,
  toProblem,
} from './problem.js'
import type { ProblemCode } from './problem-codes.js'
import type { MenuIndex, ServedMenu } from './select.js'

/** A comment that keeps a problem between files from being reported. */
export interface Disable {
  readonly code: ProblemCode
  /** The 1-based line of what is hidden. */
  readonly line: number
  /** What is reported where there is nothing to hide. */
  readonly unused: Problem
}

/** The content of one file: a menu, or the errors that withhold it. */
export interface MenuFile {
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** The content hash of the bytes; `''` when they could not be read. */
  readonly version: string
  readonly menu: Menu | null
  readonly problems: readonly Problem[]
  /** How many more problems there are than are listed. Default: none. */
  readonly omitted?: number
  /** How many of those are errors. */
  readonly omittedErrors?: number
  /** The number of problems of each code, where they have words. */
  readonly omittedByCode?: Readonly<Partial<Record<ProblemCode, number>>>
  /** Where its context is; null when it has none. */
  readonly contextPlace?: Place | null
  /** Comments that keep problems between files from being reported. */
  readonly disables?: readonly Disable[]
}

const NONE: ReadonlySet<ProblemCode> = new Set()

/** All menus at one moment, immutable. */
export interface Snapshot {
  /** The content hash of what is served and why. */
  readonly revision: string
  /** In byte order of their paths. */
  readonly files: readonly MenuFile[]
  /** What each file serves, by path; a file that serves nothing is absent. */
  readonly served: ReadonlyMap<string, ServedMenu>
  /** The last served version of each file without an error, by path; it replaces the file while that has one. */
  readonly lastGood: ReadonlyMap<string, ServedMenu>
  readonly index: MenuIndex
  /** Of all files, and of the folder itself (path `''`), in reading order. */
  readonly problems: readonly Problem[]
}

export interface SnapshotInputs {
  readonly files: Iterable<MenuFile>
  /** What was served before: the last good version of a file that broke since stays. Null at a cold start. */
  readonly previous: Snapshot | null
  /** Problems of the folder rather than of one text, such as `folder-missing`. */
  readonly folderProblems: readonly Problem[]
  /** Rules that are off. Default: none. */
  readonly off?: ReadonlySet<ProblemCode>
  readonly hash: (text: string) => string
}

/** Lays files together into what is served. The only builder of snapshots: boot, watching, publishing, lint and tests call it. */
export function buildSnapshot(inputs: SnapshotInputs): Snapshot {
  const { files, previous, folderProblems, hash, off = NONE } = inputs
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path))
  const served = new Map<string, ServedMenu>()
  const lastGood = new Map<string, ServedMenu>()
  const index: Index = new Map()
  const problems: Problem[] = [...folderProblems, ...(off.has('path-clash') ? [] : pathClashes(sorted))]
  const near = off.has('near-duplicate-context') ? null : createNearContexts()
  const claimed = sorted.map((file) => {
    const { path, menu, version } = file
    const before = previous?.lastGood.get(path) ?? null
    // What a file serves while nothing is wrong with it; the value of before where nothing changed.
    const isKept = before !== null && before.menu === menu
    const fresh = menu === null ? null : isKept ? before : { menu, path, version, stale: false }
    const rival = fresh === null ? null : enter(index, fresh)
    const good = rival === null ? fresh : null
    const claim = good ?? standIn(index, before)
    if (claim !== null) served.set(path, claim)
    const kept = good ?? before
    if (kept !== null) lastGood.set(path, kept)
    const across = near === null ? [] : nearProblems(file, near, off)
    if (rival !== null) across.push(duplicateMenu(file, rival))
    return across.length === 0 ? file : { ...file, problems: [...file.problems, ...across] }
  })
  for (const file of claimed) problems.push(...file.problems)
  problems.sort(compareProblems)
  const revision = hash(claimed.map((file) => revisionLine(file, served.get(file.path))).join('\n'))
  return Object.freeze({
    revision,
    files: Object.freeze(claimed),
    served,
    lastGood,
    index,
    problems: Object.freeze(problems),
  })
}

/** Enters the last good version of a file that has an error; null when there is none, or its place was taken since. */
function standIn(index: Index, before: ServedMenu | null): ServedMenu | null {
  if (before === null) return null
  const claim = { ...before, stale: true }
  return enter(index, claim) === null ? claim : null
}

type Index = Map<string, Map<string, ServedMenu>>

/** Enters a claim into the index; answers the menu that already has this code and context, if there is one. */
function enter(index: Index, claim: ServedMenu): ServedMenu | null {
  const { code, context } = claim.menu
  const variants = index.get(code) ?? new Map<string, ServedMenu>()
  const key = toContextKey(context)
  const rival = variants.get(key)
  if (rival !== undefined) return rival
  index.set(code, variants.set(key, claim))
  return null
}

function duplicateMenu(file: MenuFile, rival: ServedMenu): Problem {
  const { code, context } = rival.menu
  return toProblem({
    code: 'duplicate-menu',
    path: file.path,
    line: file.menu?.line ?? 1,
    pointer: '/code',
    what: `The menu ${JSON.stringify(code)} with ${describeContext(context)} is in ${rival.path} already.`,
    todo: `Change the code or the context here, or delete this file or ${rival.path}.`,
    related: rival.path,
  })
}

/** A context that was surely meant to be one that came before, and the comments of its file that hide no such thing. */
function nearProblems(
  { path, menu, contextPlace, disables = [] }: MenuFile,
  near: NearContexts,
  off: ReadonlySet<ProblemCode>,
): Problem[] {
  const code = 'near-duplicate-context'
  const found = menu === null ? null : near.find(menu.code, menu.context)
  if (menu !== null) near.add({ path, menu })
  // As for nearly every file; a change of one goes over all.
  if (found === null && disables.length === 0) return []
  const place = { path, pointer: '/context', ...(contextPlace ?? { line: menu?.line ?? 1 }) }
  const problem = found && toProblem({ code, ...place, what: found.what, related: found.other.path })
  const hiding = disables.filter((each) => each.code === code && each.line === problem?.line)
  const idle = off.has('unused-disable') ? [] : disables.filter((each) => !hiding.includes(each))
  return [...(problem === null || hiding.length > 0 ? [] : [problem]), ...idle.map(({ unused }) => unused)]
}

/** Paths that a disk cannot hold apart where case and the composition of letters do not count, as on macOS. */
function pathClashes(sorted: readonly MenuFile[]): Problem[] {
  const first = new Map<string, string>()
  return sorted.flatMap(({ path }) => {
    const folded = path.normalize('NFC').toLowerCase()
    const other = first.get(folded)
    if (other === undefined) {
      first.set(folded, path)
      return []
    }
    const isCase = path.toLowerCase() === other.toLowerCase()
    const how = isCase ? 'upper and lower case' : 'how letters are composed, or in case'
    const what = `This path differs from ${other} only in ${how}.`
    return [toProblem({ code: 'path-clash', path, what, related: other })]
  })
}

function revisionLine(file: MenuFile, served: ServedMenu | undefined): string {
  const broken = file.problems.some(isError)
  return JSON.stringify([file.path, file.version, served?.version ?? null, broken])
}

/** Counts listed problems, and those that the files of the list have beyond. */
export function countProblems(problems: readonly Problem[], files: readonly MenuFile[]): ProblemCounts {
  const omitted = files.reduce((sum, file) => sum + (file.omitted ?? 0), 0)
  const omittedErrors = files.reduce((sum, file) => sum + (file.omittedErrors ?? 0), 0)
  const errors = problems.filter(isError).length
  return {
    errors: errors + omittedErrors,
    warnings: problems.length - errors + omitted - omittedErrors,
    omitted,
  }
}
