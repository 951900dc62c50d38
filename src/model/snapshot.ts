import { type Claims, claimMenus, reclaimMenus, type Served } from './claims.js'
import type { MenuFile } from './menu-file.js'
import {
  compareProblems,
  compareText,
  isError,
  type Problem,
  type ProblemCounts,
  toProblem,
} from './problem.js'
import type { ProblemCode } from './problem-codes.js'

const NONE: ReadonlySet<ProblemCode> = new Set()

/** All menus at one moment, immutable. */
export interface Snapshot extends Served {
  /** The content hash of what is served and why. */
  readonly revision: string
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

/** What a snapshot was made of; most of the next one will be the same. */
interface Making {
  readonly claims: Claims
  readonly off: ReadonlySet<ProblemCode>
  readonly clashes: readonly Problem[]
  /** What the revision says of each file. */
  readonly lines: readonly string[]
}

const makings = new WeakMap<Snapshot, Making>()

/** Lays files together into what is served. The only builder of snapshots: boot, watching, publishing, lint and tests call it. */
export function buildSnapshot(inputs: SnapshotInputs): Snapshot {
  const { files, previous, folderProblems, hash, off = NONE } = inputs
  const given = [...files].sort((a, b) => compareText(a.path, b.path))
  const making = lay(given, previous, off)
  const { claims, clashes, lines } = making
  const problems: Problem[] = [...folderProblems, ...clashes]
  for (const file of claims.files) if (file.problems.length > 0) problems.push(...file.problems)
  const snapshot = Object.freeze({
    revision: hash(lines.join('\n')),
    files: Object.freeze(claims.files),
    served: claims.served,
    lastGood: claims.lastGood,
    index: claims.index,
    problems: Object.freeze(problems.sort(compareProblems)),
  })
  makings.set(snapshot, making)
  return snapshot
}

function lay(given: readonly MenuFile[], previous: Snapshot | null, off: ReadonlySet<ProblemCode>): Making {
  const before = previous === null ? undefined : makings.get(previous)
  const changes = before?.off === off ? changesOf(before.claims.given, given) : null
  const reclaimed = before && changes && reclaimMenus(before.claims, changes)
  if (before && changes && reclaimed) {
    const lines = [...before.lines]
    for (const [place, file] of changes) lines[place] = revisionLine(file, reclaimed)
    return { ...before, claims: reclaimed, lines }
  }
  const claims = claimMenus(given, previous, off)
  const clashes = off.has('path-clash') ? [] : pathClashes(given)
  return { claims, off, clashes, lines: claims.files.map((file) => revisionLine(file, claims)) }
}

/** The files that differ, by their places; null where their paths do. */
function changesOf(
  before: readonly MenuFile[],
  now: readonly MenuFile[],
): ReadonlyMap<number, MenuFile> | null {
  if (before.length !== now.length) return null
  const changes = new Map<number, MenuFile>()
  for (const [place, file] of now.entries()) {
    if (file === before[place]) continue
    if (file.path !== before[place]?.path) return null
    changes.set(place, file)
  }
  return changes
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

function revisionLine({ path, version, problems }: MenuFile, { served }: Claims): string {
  return JSON.stringify([path, version, served.get(path)?.version ?? null, problems.some(isError)])
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
