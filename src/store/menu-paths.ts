import { existsSync, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Bounds, leadsBack, leadsOut } from './inside.js'

/** A menus folder, and which of its files are menus: the same for every door. */
export interface MenusFolder extends Bounds {
  /** Only files whose name starts with this are menus. */
  readonly filePrefix: string
}

/** Deeper than any real folder of menus. */
export const MAX_DEPTH = 32
/** The names of files that are read as menus. */
export const MENU_NAME: RegExp = /\.ya?ml$/i
/** Bytes of a name, on common file systems. */
const MAX_NAME = 255
/** Bytes of a path below the menus folder; the systems themselves take 4,096 with what is above it. */
const MAX_PATH = 1_024

/** Whether a path of the menus folder is read as a menu, by its names alone. */
export function isMenuPath(path: string, prefix: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return isMenuName(name, prefix) && isUtf8(path) && folders.every(isFolderName)
}

/** Names that begin with a dot belong to editors and Kubernetes. */
export function isMenuName(name: string, prefix: string): boolean {
  return MENU_NAME.test(name) && name.startsWith(prefix) && !name.startsWith('.')
}

export function isFolderName(name: string): boolean {
  return !name.startsWith('.') && !MENU_NAME.test(name)
}

/** A name that is not UTF-8 was decoded to one that the file does not have. */
export function isUtf8(name: string): boolean {
  return !name.includes('\ufffd')
}

/** Why no menu is ever read from a given path, judged only by its names; null if one may be. */
export function judgeNames(path: string): string | null {
  const parts = path.split('/')
  if (parts.length - 1 > MAX_DEPTH) return `it is more than ${MAX_DEPTH} folders deep`
  if (parts.some((part) => part.startsWith('.'))) return 'a part of the path begins with a dot'
  if (parts.some((part) => /^$|[\p{Cc}\p{Cs}\\\ufffd]/u.test(part)))
    return 'a part of the path is empty, or has a backslash or a control character'
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME) || Buffer.byteLength(path) > MAX_PATH)
    return `a part of the path is longer than ${MAX_NAME} bytes, or the path is longer than ${MAX_PATH}`
  if (!MENU_NAME.test(path)) return 'a menu file ends in .yaml or .yml'
  const folder = parts.slice(0, -1).find((part) => MENU_NAME.test(part))
  return folder === undefined ? null : `${folder} in the path is a folder with the name of a menu`
}

/**
 * Why a given path is currently not the path of a menu, in words; null for a file that is read as a menu,
 * and for one that would be if it existed. An error of the file system is left to the caller that opens the file.
 */
export function judgeMenuPath(folder: MenusFolder, path: string): string | null {
  const what = judgeNames(path)
  if (what !== null) return what
  if (!isMenuPath(path, folder.filePrefix))
    return `with storage.file_prefix, its name begins with ${folder.filePrefix}`
  try {
    return judgeEntry(folder, path)
  } catch {
    return null
  }
}

export const LEADS_OUT = 'a link in the path leads out of the menus folder, or into .git or state.dir'

function judgeEntry(folder: MenusFolder, path: string): string | null {
  const place = join(folder.root, path)
  if (lookAt(lstatSync, place) === null) return judgeFolderOf(folder, place)
  const stats = lookAt(statSync, place)
  if (stats === null) return 'a link in the path leads nowhere'
  if (leadsOut(folder, path)) return LEADS_OUT
  if (leadsBack(folder.root, path)) return 'a link in the path leads back to a folder above it'
  if (stats.isFile()) return null
  return stats.isDirectory() ? 'a folder has this name' : 'something other than a regular file has this name'
}

/** The same for a file that does not exist. */
function judgeFolderOf(folder: MenusFolder, place: string): string | null {
  let existing = dirname(place)
  while (!existsSync(existing)) existing = dirname(existing)
  const isBelow = existing.length >= folder.root.length
  const own = relative(folder.root, existing)
  if (!statSync(existing).isDirectory()) return `${(isBelow && own) || 'the menus folder'} is not a folder`
  return isBelow && leadsOut(folder, own) ? LEADS_OUT : null
}

/** Null where a path leads nowhere, in a circle, or through a file. */
function lookAt(look: (path: string) => Stats, path: string): Stats | null {
  try {
    return look(path)
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null
    throw thrown
  }
}
