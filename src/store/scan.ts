import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'

/** What a look at the folder found, without reading a file. */
export interface Scan {
  /** Path (relative to the folder, with `/`) → what identifies its content short of reading it. */
  readonly signatures: Map<string, string>
  /** Entries that have the name of a menu and may not be one, by path. */
  readonly refused: Map<string, Problem>
  /** Identifies the folder itself: another one under the same path has another identity. */
  readonly identity: string
}

/** Deeper than any real folder of menus: a loop of links ends here. */
const MAX_DEPTH = 32
const MENU_NAME = /\.ya?ml$/i

/**
 * Looks at a folder of menus; yields after each folder, so that a caller may let requests through. Names that begin
 * with a dot (editors' and Kubernetes' own) are passed over, and so are those without the prefix. Throws when the folder
 * itself cannot be listed.
 */
export function* scanFolder(root: string, prefix: string): Generator<void, Scan> {
  const realRoot = realpathSync(root)
  const { dev, ino } = statSync(realRoot)
  const scan: Scan = { signatures: new Map(), refused: new Map(), identity: `${realRoot} ${dev} ${ino}` }
  const pending: { readonly folder: string; readonly depth: number }[] = [{ folder: '', depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, depth } = next
    for (const entry of listEntries(root, folder, scan)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const kind = judgeEntry(root, realRoot, path, entry, prefix, scan)
      if (kind === 'folder' && depth < MAX_DEPTH) pending.push({ folder: path, depth: depth + 1 })
    }
    yield
  }
  return scan
}

function listEntries(root: string, folder: string, scan: Scan): readonly Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).filter(
      ({ name }) => !name.startsWith('.'),
    )
  } catch (thrown) {
    if (folder === '') throw thrown
    const what = `The folder cannot be listed: ${toReason(thrown)}.`
    if (!isGone(thrown)) scan.refused.set(folder, toProblem({ code: 'unreadable-file', path: folder, what }))
    return []
  }
}

type EntryKind = 'folder' | 'menu' | 'other'

function judgeEntry(
  root: string,
  realRoot: string,
  path: string,
  entry: Dirent,
  prefix: string,
  scan: Scan,
): EntryKind {
  const named = MENU_NAME.test(entry.name) && entry.name.startsWith(prefix)
  if (!named && entry.isFile()) return 'other'
  let stats: Stats
  try {
    if (entry.isSymbolicLink() && !isInside(realpathSync(join(root, path)), realRoot)) {
      if (named) scan.refused.set(path, outside(path))
      return 'other'
    }
    stats = statSync(join(root, path))
  } catch (thrown) {
    if (named && !isGone(thrown)) scan.refused.set(path, unreadable(path, thrown))
    return 'other'
  }
  if (stats.isDirectory() && !MENU_NAME.test(entry.name)) return 'folder'
  if (!named) return 'other'
  if (!stats.isFile()) {
    const kind = stats.isDirectory() ? 'a folder' : 'no regular file'
    scan.refused.set(
      path,
      toProblem({ code: 'not-a-file', path, what: `This is ${kind} with the name of a menu.` }),
    )
    return 'other'
  }
  scan.signatures.set(path, toSignature(stats))
  return 'menu'
}

/** What changes whenever a file is written, replaced or moved: two equal signatures are taken for equal contents. */
export function toSignature({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

export function unreadable(path: string, thrown: unknown): Problem {
  return toProblem({ code: 'unreadable-file', path, what: `The file cannot be read: ${toReason(thrown)}.` })
}

function outside(path: string): Problem {
  return toProblem({ code: 'outside-folder', path, what: 'This link leads out of the menus folder.' })
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function isGone(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === 'ENOENT'
}
