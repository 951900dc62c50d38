import { basename, dirname, join } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { isGone, outside, toUnread, unreadable } from './entry.js'
import { isWithin, OutsideError } from './inside.js'
import { isFolderName, isMenuName, isUtf8, MAX_DEPTH, type MenusFolder } from './menu-paths.js'
import type { Entry } from './menu-tree.js'
import { createPause } from './pause.js'

/** A name in a folder. */
export interface Name {
  readonly name: string
  readonly isLink: boolean
  readonly isFile: boolean
}

/** What a path leads to, through any links. */
export interface Target {
  readonly kind: 'file' | 'folder' | 'other'
  /** The path without links. */
  readonly real: string
  /** The version of a file. */
  readonly version: string
}

/** Where menus are: the disk, or a commit. Both functions throw errors with the codes of a file system. */
export interface Place {
  /** The names in a folder, by its real path. */
  readonly list: (real: string) => readonly Name[]
  /** `path` is a name in a folder, by the real path of that. */
  readonly follow: (path: string, isLink: boolean) => Target
  /** Called with the real path of each folder in which a menu can change. Default: none. */
  readonly onFolder?: (real: string) => void
}

/** A folder on the way, with the real paths of those above it: a link to one of them would lead in circles. */
interface Found {
  readonly path: string
  readonly real: string
  readonly above: readonly string[]
}

/** Paths, through links, under which one folder is read: folders full of links to each other have millions. */
const MAX_PATHS = 16

/**
 * Decides which paths below a folder, given by its real path, are menus, and where links may lead: the same for every door.
 * Skips names that begin with a dot (editors' and Kubernetes' own) and those without the prefix. With pauses for requests.
 * Throws when the folder itself cannot be listed.
 */
export async function walkMenus(
  { root, filePrefix, closed }: MenusFolder,
  { list, follow, onFolder }: Place,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  const isAsNamed = ({ path, real }: Found): boolean => real === join(root, path)
  const refuse = (path: string, problem: Problem, isOwn = true): void =>
    void entries.set(path, { version: `refused: ${problem.what}`, isOwn, problem })
  const counts = new Map<string, number>()
  const pending: Found[] = [{ path: '', real: root, above: [] }]
  const pause = createPause()
  onFolder?.(root)

  /** Notes a folder that is to be listed, unless that would lead in circles or too deep. */
  const enter = (path: string, real: string, { above, real: from }: Found): void => {
    onFolder?.(real)
    const chain = [...above, from]
    if (chain.includes(real)) return
    const count = (counts.get(real) ?? 0) + 1
    if (chain.length > MAX_DEPTH) {
      const what = `This folder lies more than ${MAX_DEPTH} folders deep and is not read.`
      refuse(path, toUnread(path, what, 'Move it up, or out of the menus folder.'))
    } else if (count <= MAX_PATHS) pending.push({ path, real, above: chain })
    else if (count === MAX_PATHS + 1) {
      // Reported once: every further path would be, too.
      const what = `This folder is found under more than ${MAX_PATHS} paths, and is not read under this one.`
      refuse(path, toUnread(path, what, 'Delete links that lead to it.'))
    }
    counts.set(real, count)
  }

  /** Notes an entry that is a menu, may not be one, or is a folder. */
  const judge = ({ name, isLink, isFile }: Name, path: string, from: Found): void => {
    const isNamed = isMenuName(name, filePrefix)
    const isOwn = !isLink && isAsNamed(from)
    if (!isNamed && isFile) return
    if (!isUtf8(name)) {
      if (isNamed) refuse(path, toUnread(path, 'The name of this file is not UTF-8.', 'Rename it.'), isOwn)
      return
    }
    try {
      const { kind, real, version } = follow(join(from.real, name), isLink)
      const isFolder = kind === 'folder'
      if (isLink && !isWithin({ root, closed }, real)) {
        if (isNamed || isFolder) refuse(path, outside(path), isOwn)
      } else if (isFolder && isFolderName(name)) enter(path, real, from)
      else if (isNamed && kind !== 'file') {
        const what = `This has the name of a menu and is ${isFolder ? 'a folder' : 'not a regular file'}.`
        refuse(path, toProblem({ code: 'not-a-file', path, what }), isOwn)
      } else if (isNamed) {
        // The target of a linked menu may be in a skipped folder.
        if (isLink) onFolder?.(dirname(real))
        entries.set(path, { version, isOwn: isAsNamed(from), problem: null })
      }
    } catch (thrown) {
      // An unreadable entry may be a folder of menus; a link that leads to itself is not.
      const isLoop = (thrown as NodeJS.ErrnoException).code === 'ELOOP'
      const mayMatter = isNamed || (isFolderName(name) && !isLoop)
      if (mayMatter && !isGone(thrown)) refuse(path, unreadable(path, thrown), isOwn)
      if (isNamed && isGone(thrown) && isLink)
        refuse(path, toUnread(path, 'This symbolic link leads nowhere.', 'Fix or delete the link.'), isOwn)
    }
  }

  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, real } = next
    const own = new Set(closed.filter((each) => dirname(each) === real).map((each) => basename(each)))
    try {
      for (const each of list(real)) {
        const { name } = each
        if (!name.startsWith('.') && !own.has(name)) judge(each, path === '' ? name : `${path}/${name}`, next)
        await pause()
      }
    } catch (thrown) {
      if (path === '') throw thrown
      if (thrown instanceof OutsideError) refuse(path, outside(path))
      else if (!isGone(thrown))
        refuse(path, toUnread(path, `The folder cannot be listed: ${toReason(thrown)}.`))
    }
  }
  return entries
}
