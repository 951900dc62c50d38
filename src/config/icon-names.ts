import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import { isMap } from '../model/json.js'
import { type Log, toReason } from '../service/log.js'
import { readConfigBytes } from './input-files.js'
import type { Config } from './load-config.js'

/** More than all icon sets of a site; the rest is left out. */
const MAX_NAMES = 100_000
const { maxLength } = menuSchema.definitions.icon
/** As in the schema. */
export const ICON: RegExp = /^([A-Za-z0-9][A-Za-z0-9_.:/ -]*)?$/

/**
 * The names that the option `icons` offers, sorted, each once, as they are written in menus: `library:name`. What cannot be
 * read is logged and left out: menus are served without it.
 */
export function readIconNames(
  { options, base }: Pick<Config, 'options' | 'base'>,
  log: Log,
): readonly string[] {
  const libraries = new Map(
    Object.entries(options.icon_library_prefix_map ?? {}).map(([library, prefix]) => [prefix, library]),
  )
  const names = new Set<string>()
  for (const source of options.icons ?? []) {
    try {
      for (const name of namesIn(placeOf(source, base), libraries))
        if (name !== '' && name.length <= maxLength && ICON.test(name) && names.size < MAX_NAMES)
          names.add(name)
    } catch (thrown) {
      log.warn('icons_unreadable', { source, reason: toReason(thrown) })
    }
  }
  return [...names].sort()
}

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
function namesIn(place: string, libraries: ReadonlyMap<string, string>): Iterable<string> {
  if (!statSync(place).isDirectory()) return namesOfFile(place, libraries)
  const own = join(place, 'icons.json')
  if (existsSync(own)) return namesOfFile(own, libraries)
  const inner = join(place, 'icons')
  const files = readdirSync(existsSync(inner) ? inner : place).filter((file) => file.endsWith('.svg'))
  return files.map((file) => `${basename(place)}:${file.slice(0, -'.svg'.length)}`)
}

function namesOfFile(file: string, libraries: ReadonlyMap<string, string>): Iterable<string> {
  const text = new TextDecoder().decode(readConfigBytes(file))
  if (!file.endsWith('.json')) return text.split(/\r?\n/).map((line) => line.trim())
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return value.map(String)
  if (!isMap(value)) throw new Error('it is neither a list nor a map')
  // The form of Iconify (https://iconify.design/docs/types/iconify-json.html).
  const { prefix, icons } = value
  if (typeof prefix !== 'string' || !isMap(icons)) return Object.keys(value)
  return Object.keys(icons).map((name) => `${libraries.get(prefix) ?? prefix}:${name}`)
}
