import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import type { Context } from '../model/menu.js'

/** Long enough to tell variants apart, short enough for every file system. */
const MAX_STEM = 100
const SCHEMA_FILE = 'menu.schema.json'

/**
 * The name of a file that has none of its own: `CODE.yaml`, for a variant `CODE.KEY-VALUE.yaml`, with a number when it
 * is taken. `taken` are the paths there are; names that differ only in case are taken, too.
 */
export function toFileName(code: string, context: Context, prefix: string, taken: Iterable<string>): string {
  const parts = [code, ...Object.entries(context).map(([key, value]) => `${key}-${value}`)]
  const stem = prefix + parts.map(toSafe).join('.').slice(0, MAX_STEM)
  const names = new Set([...taken].map((path) => path.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.yaml`
    if (!names.has(name.toLowerCase())) return name
  }
}

function toSafe(text: string): string {
  return text.replace(/[^\w.-]+/g, '_')
}

/** Where the schema for editors is, and whether it had to be put there. */
export interface SchemaPlace {
  /** From the folder of the file to the schema, with `/`; null when there is no place for it. */
  readonly path: string | null
  /** The file that was written; null when there was one. */
  readonly written: string | null
}

/**
 * Finds the schema that a file at `path` can point to: of the package as the project has it installed, else a copy in
 * the menus folder, so that the path works for whoever has the menus.
 */
export function placeSchema(menusFolder: string, path: string): SchemaPlace {
  const from = dirname(join(menusFolder, path))
  const to = (file: string): string => {
    const way = relative(from, file).split(sep).join('/')
    return way.startsWith('.') ? way : `./${way}`
  }
  for (let folder = menusFolder; ; folder = dirname(folder)) {
    for (const place of [`node_modules/menuscript/schemas/${SCHEMA_FILE}`, `schemas/${SCHEMA_FILE}`]) {
      if (isOurs(join(folder, place))) return { path: to(join(folder, place)), written: null }
    }
    // Beyond the project, what is found would not be there for others.
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) break
  }
  const copy = join(menusFolder, SCHEMA_FILE)
  const text = `${JSON.stringify(menuSchema, null, 2)}\n`
  if (existsSync(copy)) {
    if (!isOurs(copy)) return { path: null, written: null }
    if (readFileSync(copy, 'utf8') === text) return { path: to(copy), written: null }
  }
  mkdirSync(menusFolder, { recursive: true })
  writeFileSync(copy, text)
  return { path: to(copy), written: copy }
}

function isOurs(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { $id?: unknown }).$id === menuSchema.$id
  } catch {
    return false
  }
}

/** Writes a file that is not there yet, and the folders on the way to it. Throws EEXIST when it is. */
export function writeNewFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { flag: 'wx' })
}
