import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import {
  isFolderName,
  isGone,
  isMenuName,
  isUtf8,
  outside,
  toIdentity,
  toSignature,
  toUnread,
  unreadable,
} from './entry.js'
import { inFolder, isInside, OutsideError } from './inside.js'

/** What is in one folder, without what is in the folders below it. */
export interface Listing {
  /** Path (relative to the menus folder, with `/`) → the identity of its content, without reading it. */
  readonly signatures: Map<string, string>
  /** Entries named like a menu that may not be one, by path. */
  readonly refused: Map<string, Problem>
  /** The folders below it, and those that hold the targets of its links: identity → real path. */
  readonly folders: Map<string, string>
  readonly below: FoundFolder[]
  /** Whether it has links: it changes with anything on their way. */
  hasLinks: boolean
}

/** A folder that a scan found. */
export interface FoundFolder {
  readonly path: string
  readonly real: string
  readonly identity: string
  /** Changes with the names of its entries. */
  readonly signature: string
}

export function toFoundFolder(path: string, real: string, stats: Stats): FoundFolder {
  return { path, real, identity: `${toIdentity(stats)} ${real}`, signature: toSignature(stats) }
}

/** Entries between two pauses. */
const SLICE = 64

/** Lists one folder; yields now and then. Throws when the menus folder itself cannot be listed. */
export function* listFolder(
  root: string,
  { real: realRoot }: FoundFolder,
  { path: folder }: FoundFolder,
  prefix: string,
): Generator<void, Listing> {
  const listing: Listing = {
    signatures: new Map(),
    refused: new Map(),
    folders: new Map(),
    below: [],
    hasLinks: false,
  }
  const { signatures, refused, folders, below } = listing

  const listEntries = (): readonly Dirent[] => {
    try {
      const entries = inFolder(root, folder, (at) => readdirSync(at('.'), { withFileTypes: true }))
      return entries.filter(({ name }) => !name.startsWith('.'))
    } catch (thrown) {
      if (folder === '') throw thrown
      if (thrown instanceof OutsideError) refused.set(folder, outside(folder))
      else if (!isGone(thrown))
        refused.set(folder, toUnread(folder, `The folder cannot be listed: ${toReason(thrown)}.`))
      return []
    }
  }

  /** Notes an entry that is a menu, may not be one, or is a folder. */
  const judgeEntry = (entry: Dirent, path: string): void => {
    const place = join(root, path)
    const isLink = entry.isSymbolicLink()
    const named = isMenuName(entry.name, prefix)
    if (isLink) listing.hasLinks = true
    if (!named && entry.isFile()) return
    if (!isUtf8(entry.name)) {
      if (named) refused.set(path, toUnread(path, 'The name of this file is not UTF-8.', 'Rename it.'))
      return
    }
    try {
      const stats = statSync(place)
      const real = isLink || stats.isDirectory() ? realpathSync.native(place) : place
      // For a plain folder this proves nothing: the link to the menus folder may have been flipped meanwhile.
      if (isLink && !isInside(real, realRoot)) {
        if (named || stats.isDirectory()) refused.set(path, outside(path))
        return
      }
      if (stats.isDirectory() && isFolderName(entry.name)) {
        below.push(toFoundFolder(path, real, stats))
        return
      }
      if (!named) return
      const what = `This has the name of a menu and is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`
      // The target of a linked menu may be in a skipped folder.
      if (isLink && stats.isFile()) {
        const { identity } = toFoundFolder('', dirname(real), statSync(dirname(real)))
        folders.set(identity, dirname(real))
      }
      if (stats.isFile()) signatures.set(path, toSignature(stats))
      else refused.set(path, toProblem({ code: 'not-a-file', path, what }))
    } catch (thrown) {
      // An unreadable entry may be a folder of menus; a link that leads to itself is not.
      const isLoop = (thrown as NodeJS.ErrnoException).code === 'ELOOP'
      const mayMatter = named || (isFolderName(entry.name) && !isLoop)
      if (mayMatter && !isGone(thrown)) refused.set(path, unreadable(path, thrown))
      if (named && isGone(thrown) && isLink)
        refused.set(path, toUnread(path, 'This symbolic link leads nowhere.', 'Fix or delete the link.'))
    }
  }

  for (const [place, entry] of listEntries().entries()) {
    judgeEntry(entry, folder === '' ? entry.name : [folder, entry.name].join('/'))
    if (place % SLICE === SLICE - 1) yield
  }
  for (const { identity, real } of below) folders.set(identity, real)
  return listing
}
