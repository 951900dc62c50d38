import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import menuSchema from '../../../schemas/menu.schema.json' with { type: 'json' }
import type { Context } from '../../model/menu.js'
import { MAX_DEPTH, MENU_NAME } from '../entry.js'
import { inFolder, leadsOut, makeFolders } from '../inside.js'
import { putFile, putNewFile } from './put-file.js'

/** Bytes of a name, on common file systems. */
const MAX_NAME = 255
/** Bytes of a path below the menus folder; the systems themselves take 4,096 with what is above it. */
const MAX_PATH = 1_024
/** Long enough to distinguish variants, short enough for every file system. */
const MAX_STEM = 100
const SCHEMA_FILE = 'menu.schema.json'
const SCHEMA_TEXT = `${JSON.stringify(menuSchema, null, 2)}\n`

/**
 * Makes a function that names new files: `CODE.yaml`, for a variant `CODE.KEY-VALUE.yaml`, with a number when it is taken.
 * Taken are the names it gave and the existing paths; names that differ only in case are taken, too.
 */
export function createFileNames(
  prefix: string,
  existing: readonly string[],
): (code: string, context: Context) => string {
  const taken = new Set(existing.map((path) => path.toLowerCase()))
  return (code, context) => {
    const parts = [code, ...Object.entries(context).map(([key, value]) => `${key}-${value}`)]
    const stem = (prefix + parts.map(toSafe).join('.').slice(0, MAX_STEM)).replace(WINDOWS_DEVICE, '$&_')
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? '' : `-${number}`}.yaml`
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  }
}

function toSafe(text: string): string {
  return text.replace(/[^\w.-]+/g, '_')
}

/** Where the schema for editors is. */
export interface SchemaPlace {
  /** From the folder of the file to the schema, with `/`; null when there is no place for it. */
  readonly path: string | null
  /** The file to write for that; null when it exists. */
  readonly copy: string | null
}

/**
 * Finds the schema that a file at `path` can point to: of the package as the project has it installed, else a copy in the
 * menus folder, so that the path works wherever the menus are. Writes nothing.
 */
export function findSchema(menusFolder: string, path: string): SchemaPlace {
  const from = dirname(join(menusFolder, path))
  const to = (file: string): string => {
    const way = relative(from, file).split(sep).join('/')
    return way.startsWith('.') ? way : `./${way}`
  }
  for (let folder = menusFolder; ; folder = dirname(folder)) {
    for (const place of [`node_modules/menuscript/schemas/${SCHEMA_FILE}`, `schemas/${SCHEMA_FILE}`]) {
      if (isOurs(join(folder, place))) return { path: to(join(folder, place)), copy: null }
    }
    // Beyond the project, others might not have what is found.
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) break
  }
  const copy = join(menusFolder, SCHEMA_FILE)
  const stats = lstatSync(copy, { throwIfNoEntry: false })
  if (stats === undefined) return { path: to(copy), copy }
  if (!stats.isFile() || !isOurs(copy)) return { path: null, copy: null }
  return { path: to(copy), copy: readFileSync(copy, 'utf8') === SCHEMA_TEXT ? null : copy }
}

function isOurs(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { $id?: unknown }).$id === menuSchema.$id
  } catch {
    return false
  }
}

/** Writes the copy of the schema for a place in the menus folder, with the usual permissions of a new file. */
export function writeSchema(menusFolder: string): void {
  inFolder(menusFolder, '', (at) => putFile(at, SCHEMA_FILE, { text: SCHEMA_TEXT, mode: newMode() }))
}

/** The permissions of a new file. */
function newMode(): number {
  return 0o666 & ~process.umask()
}

/** Names that lead elsewhere on Windows, where a folder of menus may be checked out, too. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i
const WINDOWS_SIGN = /[<>:"|?*]|[. ]$/

/** Why no menu is ever read from a path, by its names alone; null when one may be. */
export function judgeNames(path: string): string | null {
  const parts = path.split('/')
  if (parts.length - 1 > MAX_DEPTH) return `it lies more than ${MAX_DEPTH} folders deep`
  if (parts.some((part) => part.startsWith('.'))) return 'a name on its way begins with a dot'
  if (parts.some((part) => /^$|[\p{Cc}\p{Cs}\\\ufffd]/u.test(part)))
    return 'a name on its way is empty, or has a backslash or a control character'
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME) || Buffer.byteLength(path) > MAX_PATH)
    return `a name on its way is longer than ${MAX_NAME} bytes, or the path than ${MAX_PATH}`
  if (!MENU_NAME.test(path)) return 'a menu file ends in .yaml or .yml'
  const folder = parts.slice(0, -1).find((part) => MENU_NAME.test(part))
  return folder === undefined ? null : `${folder} on its way is a folder with the name of a menu`
}

/** Why no new file should have a path that may be read; null when one may. */
export function judgeNewNames(path: string): string | null {
  const isOdd = path.split('/').some((part) => WINDOWS_DEVICE.test(part) || WINDOWS_SIGN.test(part))
  return isOdd ? 'a name on its way means something else on Windows, such as con or C:' : null
}

/** Why a file at this path of the menus folder would never be read; null when it would. */
export function judgePlace(menusFolder: string, path: string, prefix: string): string | null {
  const what = judgeNames(path)
  if (what !== null) return what
  if (!posix.basename(path).startsWith(prefix))
    return `with storage.file_prefix, its name begins with ${prefix}`
  let existing = dirname(join(menusFolder, path))
  while (!existsSync(existing)) existing = dirname(existing)
  const isBelow = existing.length >= menusFolder.length
  if (!statSync(existing).isDirectory())
    return `${(isBelow && relative(menusFolder, existing)) || 'the menus folder'} is not a folder`
  return isBelow && leadsOut(menusFolder, relative(menusFolder, existing))
    ? 'a link on its way leads out of the menus folder'
    : null
}

/**
 * Writes a new file of the menus folder, in whole or not at all, and the folders on the way to it; nothing outside, even if
 * links are flipped meanwhile. Throws EEXIST when it exists, FileBusyError, OutsideError, or other file system errors.
 */
export function writeNewFile(menusFolder: string, path: string, text: string | Uint8Array): void {
  const folder = posix.dirname(path)
  makeFolders(menusFolder, folder)
  inFolder(menusFolder, folder, (at) => putNewFile(at, posix.basename(path), { text, mode: newMode() }))
}
