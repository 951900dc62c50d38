import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import menuSchema from '../../../schemas/menu.schema.json' with { type: 'json' }
import type { Context } from '../../model/menu.js'
import { inFolder } from '../inside.js'
import { putFile } from './atomic-file.js'
import { newMode } from './write-file.js'

/** Long enough to distinguish variants, short enough for every file system. */
const MAX_STEM = 100
const SCHEMA_FILE = 'menu.schema.json'
/** The schema, as a file for editors. */
export const SCHEMA_TEXT: string = `${JSON.stringify(menuSchema, null, 2)}\n`

/**
 * Makes a function that names new files: `CODE.yaml`, for a variant `CODE.KEY-VALUE.yaml`, with a number when it is taken.
 * `folder` ends with a slash; without one, they are at the top. Taken are the names it gave and the existing paths; names that
 * differ only in case are taken, too.
 */
export function createFileNames(
  prefix: string,
  existing: readonly string[],
): (code: string, context: Context, folder?: string) => string {
  const taken = new Set(existing.map((path) => path.toLowerCase()))
  return (code, context, folder = '') => {
    const parts = [code, ...Object.entries(context).map(([key, value]) => `${key}-${value}`)]
    const stem = (prefix + parts.map(toSafe).join('.').slice(0, MAX_STEM)).replace(WINDOWS_DEVICE, '$&_')
    for (let number = 1; ; number++) {
      const name = `${folder}${stem}${number === 1 ? '' : `-${number}`}.yaml`
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

/** Names that lead elsewhere on Windows, where a folder of menus may be checked out, too. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i
const WINDOWS_SIGN = /[<>:"|?*]|[. ]$/

/** Why no new file should have a path that may be read; null when one may. */
export function judgeNewNames(path: string): string | null {
  const isOdd = path.split('/').some((part) => WINDOWS_DEVICE.test(part) || WINDOWS_SIGN.test(part))
  return isOdd ? 'a part of the path has another meaning on Windows, such as con or C:' : null
}
