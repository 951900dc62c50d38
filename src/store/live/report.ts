import { existsSync } from 'node:fs'
import { isError, type Problem, toProblem } from '../../model/problem.js'
import type { Snapshot } from '../../model/snapshot.js'
import { type Log, toReason } from '../../service/log.js'

/** A change of thousands of files is one event; at most this many lines report its problems. */
const MAX_LINES = 100

/** Logs what a new snapshot changed: once per change, with file, line and column; for problems of the folder, its path. */
export function logChanges(before: Snapshot, now: Snapshot, log: Log, root: string): void {
  const placeOf = (path: string): string => (path === '' ? root : path)
  // Unchanged files keep the same problem objects, and there may be thousands.
  const [had, has] = [new Set(before.problems), new Set(now.problems)]
  const known = new Set(before.problems.filter((problem) => !has.has(problem)).map(toKey))
  const fresh = now.problems.filter((problem) => !had.has(problem) && !known.has(toKey(problem)))
  const lines = toLines(fresh)
  for (const [{ code, severity, path, line, column, what }, ...others] of lines.slice(0, MAX_LINES)) {
    // A warning is for editors of the file; the served menus are complete.
    const report = severity === 'error' ? log.error : log.info
    const more = others.length === 0 ? {} : { more: others.length }
    report('menu_problem', { code, path: placeOf(path), line, column, what, ...more })
  }
  const broken = (snapshot: Snapshot): Set<string> =>
    new Set(snapshot.problems.filter(isError).map(({ path }) => path))
  const isBroken = broken(now)
  for (const path of broken(before)) if (!isBroken.has(path)) log.info('menu_fixed', { path: placeOf(path) })
  // As after nearly every change, none moved.
  const moved = before.files.filter(({ path }, place) => path !== now.files[place]?.path)
  const paths = new Set(moved.length === 0 ? [] : now.files.map(({ path }) => path))
  const deleted = moved.filter(({ path }) => !paths.has(path))
  for (const { path } of deleted.slice(0, MAX_LINES)) log.info('menu_deleted', { path })
  const stale = [...now.served.values()].filter((served) => served.stale).length
  log.info('menus_loaded', {
    revision: now.revision,
    files: now.files.length,
    menus: now.served.size,
    stale,
    errors: now.problems.filter(isError).length,
    unlisted: lines.slice(MAX_LINES).flat().length,
  })
}

/** Problems by the line that they get: errors first, each its own; the warnings of a file that have one code share a line. */
function toLines(problems: readonly Problem[]): readonly (readonly [Problem, ...Problem[]])[] {
  const errors = problems.filter(isError).map((each): [Problem] => [each])
  const warnings = new Map<string, [Problem, ...Problem[]]>()
  for (const problem of problems) {
    if (isError(problem)) continue
    const key = `${problem.code} ${problem.path}`
    const known = warnings.get(key)
    if (known === undefined) warnings.set(key, [problem])
    else known.push(problem)
  }
  return [...errors, ...warnings.values()]
}

function toKey({ code, path, line, column, what }: Problem): string {
  return JSON.stringify([code, path, line, column, what])
}

/** The problem of a folder that cannot be listed, with advice about its option. */
export function folderMissing(root: string, thrown: unknown, namedBy: string | null): Problem {
  const { code } = thrown as NodeJS.ErrnoException
  const isFile = code === 'ENOTDIR' && existsSync(root)
  const cause = isFile ? 'it is a file, not a folder' : toReason(thrown)
  const reason = code === 'ENOENT' ? 'it does not exist' : cause
  const first = isFile ? 'Put a folder in its place' : 'Create the folder, fix its permissions'
  const other = isFile ? 'a folder' : 'the right one'
  const rest = namedBy === null ? `point storage.connections at ${other}` : `give ${namedBy} ${other}`
  const what = `The menus folder ${root} cannot be read: ${reason}.`
  return toProblem({ code: 'folder-missing', path: '', what, todo: `${first}, or ${rest}.` })
}
