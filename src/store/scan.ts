import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import type { MenuFile } from '../model/snapshot.js'
import { toReason } from '../service/log.js'
import { inFolder, isInside, OutsideError } from './inside.js'

/** What a scan of the folder found, without reading a file. */
export interface Scan {
  /** Path (relative to the folder, with `/`) → the identity of its content, without reading it. */
  readonly signatures: Map<string, string>
  /** Entries named like a menu that may not be one, by path. */
  readonly refused: Map<string, Problem>
  /** The folders in which a menu can change: identity → real path. */
  readonly folders: Map<string, string>
}

/** Deeper than any real folder of menus. */
export const MAX_DEPTH = 32
/** Paths, through links, under which one folder is read: folders full of links to each other have millions. */
const MAX_PATHS = 16
/** The names of files that are read as menus. */
export const MENU_NAME: RegExp = /\.ya?ml$/i

/** Whether a path of the menus folder is read as a menu, by its names alone. */
export function isMenuPath(path: string, prefix: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return isMenuName(name, prefix) && isUtf8(path) && folders.every(isFolderName)
}

/** Names that begin with a dot belong to editors and Kubernetes. */
function isMenuName(name: string, prefix: string): boolean {
  return MENU_NAME.test(name) && name.startsWith(prefix) && !name.startsWith('.')
}

function isFolderName(name: string): boolean {
  return !name.startsWith('.') && !MENU_NAME.test(name)
}

/** A name that is not UTF-8 was decoded to one that the file does not have. */
function isUtf8(name: string): boolean {
  return !name.includes('\ufffd')
}

/**
 * Lists a menus folder; yields what it has found after each folder, so that a caller may let requests through. Skips names
 * that begin with a dot (editors' and Kubernetes' own) and those without the prefix. Throws when the folder itself cannot be
 * listed.
 */
export function* scanFolder(root: string, prefix: string): Generator<Scan> {
  const realRoot = realpathSync.native(root)
  const signatures: Scan['signatures'] = new Map()
  const refused: Scan['refused'] = new Map()
  const folders: Scan['folders'] = new Map()
  const refuse = (path: string, what: string, todo?: string): null => {
    refused.set(path, toUnread(path, what, todo))
    return null
  }
  const noteFolder = (real: string, stats: Stats): void => {
    folders.set(`${toIdentity(stats)} ${real}`, real)
  }

  const listEntries = (folder: string): readonly Dirent[] => {
    try {
      const entries = inFolder(root, folder, (at) => readdirSync(at('.'), { withFileTypes: true }))
      return entries.filter(({ name }) => !name.startsWith('.'))
    } catch (thrown) {
      if (folder === '') throw thrown
      if (thrown instanceof OutsideError) refused.set(folder, outside(folder))
      else if (!isGone(thrown)) refuse(folder, `The folder cannot be listed: ${toReason(thrown)}.`)
      return []
    }
  }

  /** Notes an entry that is a menu or may not be one; answers the real path of a folder to scan, else null. */
  const judgeEntry = (entry: Dirent, path: string): string | null => {
    const place = join(root, path)
    const isLink = entry.isSymbolicLink()
    const named = isMenuName(entry.name, prefix)
    if (!named && entry.isFile()) return null
    if (!isUtf8(entry.name))
      return named ? refuse(path, 'The name of this file is not UTF-8.', 'Rename it.') : null
    try {
      const stats = statSync(place)
      const real = isLink || stats.isDirectory() ? realpathSync.native(place) : place
      // For a plain folder this proves nothing: the link to the menus folder may have been flipped meanwhile.
      if (isLink && !isInside(real, realRoot)) {
        if (named || stats.isDirectory()) refused.set(path, outside(path))
        return null
      }
      if (stats.isDirectory() && isFolderName(entry.name)) {
        noteFolder(real, stats)
        return real
      }
      if (!named) return null
      const what = `This has the name of a menu and is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`
      // The target of a linked menu may be in a skipped folder.
      if (isLink && stats.isFile()) noteFolder(dirname(real), statSync(dirname(real)))
      if (stats.isFile()) signatures.set(path, toSignature(stats))
      else refused.set(path, toProblem({ code: 'not-a-file', path, what }))
    } catch (thrown) {
      // An unreadable entry may be a folder of menus; a link that leads to itself is not.
      const isLoop = (thrown as NodeJS.ErrnoException).code === 'ELOOP'
      const mayMatter = named || (isFolderName(entry.name) && !isLoop)
      if (mayMatter && !isGone(thrown)) refused.set(path, unreadable(path, thrown))
      if (named && isGone(thrown) && isLink)
        refuse(path, 'This symbolic link leads nowhere.', 'Fix or delete the link.')
    }
    return null
  }

  noteFolder(realRoot, statSync(realRoot))
  // With the real paths of all folders on the way: a link to one of them would lead in circles.
  const pending = [{ folder: '', chain: [realRoot] }]
  const counts = new Map<string, number>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, chain } = next
    for (const entry of listEntries(folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const real = judgeEntry(entry, path)
      if (real === null || chain.includes(real)) continue
      if (chain.length > MAX_DEPTH) {
        const what = `This folder lies more than ${MAX_DEPTH} folders deep and is not read.`
        refuse(path, what, 'Move it up, or out of the menus folder.')
        continue
      }
      const count = (counts.get(real) ?? 0) + 1
      counts.set(real, count)
      if (count <= MAX_PATHS) pending.push({ folder: path, chain: [...chain, real] })
      // Reported once: every further path would be, too.
      else if (count === MAX_PATHS + 1) {
        const what = `This folder is found under more than ${MAX_PATHS} paths, and is not read under this one.`
        refuse(path, what, 'Delete links that lead to it.')
      }
    }
    yield { signatures, refused, folders }
  }
}

/** Changes whenever a file is written, replaced or moved: two equal signatures mean equal contents. */
export function toSignature({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

/** Distinguishes a folder from another one that has its path now: a recreated folder often gets the same inode. */
export function toIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`
}

export function unreadable(path: string, thrown: unknown): Problem {
  return toUnread(path, `The file cannot be read: ${toReason(thrown)}.`)
}

function toUnread(path: string, what: string, todo?: string): Problem {
  return toProblem({ code: 'unreadable-file', path, what, ...(todo !== undefined && { todo }) })
}

export function outside(path: string): Problem {
  return toProblem({ code: 'outside-folder', path, what: 'This link leads out of the menus folder.' })
}

/** The file of a path that is not read. */
export function toWithheld(path: string, problem: Problem): MenuFile {
  return { path, version: '', menu: null, problems: [problem] }
}

/** Whether a path leads nowhere, or through a former folder. */
export function isGone(thrown: unknown): boolean {
  const { code } = thrown as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
