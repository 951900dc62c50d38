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
import { type Served, SLICE, serveFiles } from './served-files.js'

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

/** Lays files together into what is served. The only builder of snapshots: boot, watching, publishing, lint and tests call it. */
export function buildSnapshot(inputs: SnapshotInputs): Snapshot {
  const steps = snapshotInSteps(inputs)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** The same in small steps, so that a caller may answer requests in between. */
export function* snapshotInSteps(inputs: SnapshotInputs): Generator<void, Snapshot> {
  const { files: given, previous, folderProblems, hash, off = NONE } = inputs
  // Each file was added to what is nearly in order, which is soon sorted.
  const sorted = [...given].sort((a, b) => compareText(a.path, b.path))
  yield
  const made = yield* serveFiles(sorted, previous, off)
  const problems = [...folderProblems]
  if (!off.has('path-clash')) problems.push(...(yield* pathClashes(sorted)))
  const lines: string[] = []
  for (const file of made.files) {
    if (file.problems.length > 0) problems.push(...file.problems)
    lines.push(revisionLine(file, made))
    if (lines.length % SLICE === 0) yield
  }
  return Object.freeze({
    ...made,
    revision: hash(lines.join('\n')),
    files: Object.freeze(made.files),
    problems: Object.freeze(problems.sort(compareProblems)),
  })
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

function revisionLine({ path, version, problems }: MenuFile, { served }: Served): string {
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
