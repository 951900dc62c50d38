import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import { isMap } from '../model/json.js'
import { type Log, toReason } from '../service/log.js'
import type { Settings } from '../service/settings.js'
import { drawingsOf, type Inside } from './iconify.js'
import { readConfigBytes } from './input-files.js'

/** More than all icon sets of a site; the rest is left out. */
const MAX_NAMES = 100_000
const { maxLength } = menuSchema.definitions.icon
/** As in the schema. */
export const ICON: RegExp = /^([A-Za-z0-9][A-Za-z0-9_.:/ -]*)?$/

/** Where the drawing of an icon is: in a file of a folder, or here. */
export type Drawing = { readonly folder: string; readonly file: string } | Inside

/** The icons that the dashboard offers, by the names that menus use; null for a name without a drawing. */
export type Icons = ReadonlyMap<string, Drawing | null>

/**
 * The icons of the option `icons`, sorted by name. A source that cannot be read is logged and left out: menus are served
 * without it.
 */
export function readIcons(
  { icons: { sources, base }, prefixes }: Pick<Settings, 'icons' | 'prefixes'>,
  log: Log,
): Icons {
  const libraries = new Map([...prefixes].map(([library, prefix]) => [prefix, library]))
  const icons = new Map<string, Drawing | null>()
  for (const source of sources) {
    try {
      for (const [name, drawing] of iconsIn(placeOf(source, base), libraries)) {
        const isOffered = name !== '' && name.length <= maxLength && ICON.test(name)
        // A list may repeat the names of a set.
        if (isOffered && (icons.size < MAX_NAMES || icons.has(name)))
          icons.set(name, icons.get(name) ?? drawing)
      }
    } catch (thrown) {
      log.warn('icons_unreadable', { source, reason: toReason(thrown) })
    }
  }
  return new Map([...icons].sort(([one], [other]) => (one < other ? -1 : 1)))
}

type Named = readonly [name: string, drawing: Drawing | null]

/** The file or folder that a source means: a path, else a package that is installed here or further up. */
function placeOf(source: string, base: string): string {
  const path = resolve(base, source)
  if (existsSync(path)) return path
  for (let folder = base; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', source)
    if (existsSync(place)) return place
    if (dirname(folder) === folder) throw new Error('there is no such file, folder or package')
  }
}

/** `libraries` has the library of each prefix of the site: menus name the library. */
function iconsIn(place: string, libraries: ReadonlyMap<string, string>): readonly Named[] {
  if (!statSync(place).isDirectory()) return iconsOfFile(place, libraries)
  const own = join(place, 'icons.json')
  if (existsSync(own)) return iconsOfFile(own, libraries)
  const inner = join(place, 'icons')
  const folder = existsSync(inner) ? inner : place
  const files = readdirSync(folder).filter((file) => file.endsWith('.svg'))
  return files.map((file) => [`${basename(place)}:${file.slice(0, -'.svg'.length)}`, { folder, file }])
}

function iconsOfFile(file: string, libraries: ReadonlyMap<string, string>): readonly Named[] {
  const text = new TextDecoder().decode(readConfigBytes(file))
  const bare = (name: unknown): Named => [String(name), null]
  if (!file.endsWith('.json')) return text.split(/\r?\n/).map((line) => bare(line.trim()))
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return value.map(bare)
  if (!isMap(value)) throw new Error('it is neither a list nor a map')
  const { prefix, icons } = value
  if (typeof prefix !== 'string' || !isMap(icons)) return Object.keys(value).map(bare)
  return drawingsOf(value).map(([name, drawing]) => [`${libraries.get(prefix) ?? prefix}:${name}`, drawing])
}
