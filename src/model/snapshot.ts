import { describeContext, toContextKey } from './context.js'
import type { Menu } from './menu.js'
import type { MenuIndex, ServedMenu } from './menu-index.js'
import { compareProblems, compareText, isError, type Problem, toProblem } from './problem.js'

/** What one file says: a menu, or the errors that withhold it. */
export interface MenuFile {
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** The content hash of the bytes; `''` when they could not be read. */
  readonly version: string
  readonly menu: Menu | null
  readonly problems: readonly Problem[]
  /** How many more problems there are than are listed; none unless told. */
  readonly omitted?: number
}

/** All menus at one moment, immutable. */
export interface Snapshot {
  /** The content hash of what is served and why. */
  readonly revision: string
  /** In byte order of their paths. */
  readonly files: readonly MenuFile[]
  /** What each file serves, by path; a file that serves nothing is absent. */
  readonly served: ReadonlyMap<string, ServedMenu>
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
  readonly hash: (text: string) => string
}

/** Lays files together into what is served. The only builder of snapshots: boot, watching, publishing, lint and tests call it. */
export function buildSnapshot({ files, previous, folderProblems, hash }: SnapshotInputs): Snapshot {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path))
  const served = new Map<string, ServedMenu>()
  const index = new Map<string, Map<string, ServedMenu>>()
  const problems: Problem[] = [...folderProblems, ...pathClashes(sorted)]
  const claimed = sorted.map((file) => {
    const claim = toClaim(file, previous)
    const rival = claim === null ? null : enter(index, claim)
    if (claim !== null && rival === null) served.set(file.path, claim)
    return rival === null ? file : { ...file, problems: [...file.problems, duplicateMenu(file, rival)] }
  })
  for (const file of claimed) problems.push(...file.problems)
  problems.sort(compareProblems)
  const revision = hash(claimed.map((file) => revisionLine(file, served.get(file.path))).join('\n'))
  return Object.freeze({
    revision,
    files: Object.freeze(claimed),
    served,
    index,
    problems: Object.freeze(problems),
  })
}

/** What a file wants to serve: its menu, else its last good version, which keeps the claim of the file. */
function toClaim(file: MenuFile, previous: Snapshot | null): ServedMenu | null {
  const before = previous?.served.get(file.path) ?? null
  if (file.menu === null) return before === null ? null : before.stale ? before : { ...before, stale: true }
  if (before !== null && before.menu === file.menu && !before.stale) return before
  return {
    menu: file.menu,
    path: file.path,
    version: file.version,
    stale: false,
  }
}

/** Enters a claim into the index; answers the menu that already has this code and context, if there is one. */
function enter(index: Map<string, Map<string, ServedMenu>>, claim: ServedMenu): ServedMenu | null {
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
  })
}

/** Paths that a case-insensitive disk cannot hold apart. */
function pathClashes(sorted: readonly MenuFile[]): Problem[] {
  const first = new Map<string, string>()
  const problems: Problem[] = []
  for (const { path } of sorted) {
    const folded = path.toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, path)
    else {
      const what = `This path differs from ${other} only in upper and lower case.`
      problems.push(toProblem({ code: 'path-clash', path, what }))
    }
  }
  return problems
}

function revisionLine(file: MenuFile, served: ServedMenu | undefined): string {
  const broken = file.problems.some(isError)
  return JSON.stringify([file.path, file.version, served?.version ?? null, broken])
}

/** The snapshot of a folder with nothing in it. */
export function emptySnapshot(hash: (text: string) => string): Snapshot {
  return buildSnapshot({ files: [], previous: null, folderProblems: [], hash })
}
