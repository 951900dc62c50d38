import { type Claims, claimMenus, reclaimMenus, type Served, SLICE } from './claims.js'
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
  /** Of all files. */
  readonly problems: readonly Problem[]
  /** What the revision says of each file. */
  readonly lines: readonly string[]
}

/** Files as a snapshot needs them. */
interface Arranged {
  /** In byte order of their paths. */
  readonly given: readonly MenuFile[]
  /** Those that differ from before, by their places; null where their paths do. */
  readonly changes: ReadonlyMap<number, MenuFile> | null
}

const makings = new WeakMap<Snapshot, Making>()

/** Lays files together into what is served. The only builder of snapshots: boot, watching, publishing, lint and tests call it. */
export function buildSnapshot(inputs: SnapshotInputs): Snapshot {
  const steps = snapshotInSteps(inputs)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** The same in small steps, so that a caller may answer requests in between. */
export function* snapshotInSteps(inputs: SnapshotInputs): Generator<void, Snapshot> {
  const { files, previous, folderProblems, hash, off = NONE } = inputs
  const known = previous === null ? undefined : makings.get(previous)
  const before = known?.off === off ? known : null
  const { given, changes } = yield* arrange([...files], before)
  const again = before && changes && (yield* relay(before, changes))
  const making = again ?? (yield* lay(given, previous, off))
  const { claims, lines, problems } = making
  const snapshot = Object.freeze({
    revision: hash(lines.join('\n')),
    files: Object.freeze(claims.files),
    served: claims.served,
    lastGood: claims.lastGood,
    index: claims.index,
    problems: folderProblems.length === 0 ? problems : inOrder([...folderProblems, ...problems]),
  })
  makings.set(snapshot, making)
  return snapshot
}

function* arrange(files: readonly MenuFile[], before: Making | null): Generator<void, Arranged> {
  const was = before?.claims.given ?? []
  let places: ReadonlyMap<string, number> | null = null
  const placeOf = ({ path }: MenuFile): number | undefined => {
    places ??= new Map(was.map((file, place) => [file.path, place]))
    return places.get(path)
  }
  const kept = new Array<MenuFile | undefined>(was.length)
  const added: MenuFile[] = []
  const changes = new Map<number, MenuFile>()
  for (const [at, file] of files.entries()) {
    const place = file.path === was[at]?.path ? at : placeOf(file)
    if (place === undefined) added.push(file)
    else kept[place] = file
    if (place !== undefined && file !== was[place]) changes.set(place, file)
    if (at % SLICE === 0) yield
  }
  const given = kept.filter((file) => file !== undefined)
  if (added.length === 0 && given.length === was.length) return { given, changes }
  // What is nearly in order is soon in order.
  return { given: [...given, ...added].sort((a, b) => compareText(a.path, b.path)), changes: null }
}

/** The making of before, with changed files that claim the same; null where that is not certain. */
function* relay(before: Making, changes: ReadonlyMap<number, MenuFile>): Generator<void, Making | null> {
  const claims = yield* reclaimMenus(before.claims, changes)
  if (claims === null) return null
  const lines = [...before.lines]
  let areSound = true
  let count = 0
  for (const [place, file] of changes) {
    lines[place] = revisionLine(file, claims)
    areSound &&= file.problems.length === 0 && before.claims.files[place]?.problems.length === 0
    if (++count % SLICE === 0) yield
  }
  const problems = areSound ? before.problems : yield* problemsOf(claims, before.clashes)
  return { ...before, claims, lines, problems }
}

function* lay(
  given: readonly MenuFile[],
  previous: Snapshot | null,
  off: ReadonlySet<ProblemCode>,
): Generator<void, Making> {
  const claims = yield* claimMenus(given, previous, off)
  const lines: string[] = []
  for (const file of claims.files) {
    lines.push(revisionLine(file, claims))
    if (lines.length % SLICE === 0) yield
  }
  const clashes = off.has('path-clash') ? [] : yield* pathClashes(given)
  return { claims, off, clashes, problems: yield* problemsOf(claims, clashes), lines }
}

/** All problems of files, in reading order. */
function* problemsOf({ files }: Claims, clashes: readonly Problem[]): Generator<void, readonly Problem[]> {
  const problems = [...clashes]
  for (const [place, file] of files.entries()) {
    if (file.problems.length > 0) problems.push(...file.problems)
    if (place % SLICE === 0) yield
  }
  return inOrder(problems)
}

function inOrder(problems: Problem[]): readonly Problem[] {
  return Object.freeze(problems.sort(compareProblems))
}

/** Paths that a disk cannot hold apart where case and the composition of letters do not count, as on macOS. */
function* pathClashes(sorted: readonly MenuFile[]): Generator<void, Problem[]> {
  const first = new Map<string, string>()
  const clashes: Problem[] = []
  for (const [place, { path }] of sorted.entries()) {
    if (place % SLICE === 0) yield
    const folded = path.normalize('NFC').toLowerCase()
    const other = first.get(folded)
    if (other === undefined) {
      first.set(folded, path)
      continue
    }
    const isCase = path.toLowerCase() === other.toLowerCase()
    const how = isCase ? 'upper and lower case' : 'how letters are composed, or in case'
    const what = `This path differs from ${other} only in ${how}.`
    clashes.push(toProblem({ code: 'path-clash', path, what, related: other }))
  }
  return clashes
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
