import { isMap, type RawMap } from '../model/json.js'
import type { Locale } from '../model/locale.js'
import type { Context } from '../model/menu.js'
import { contentHash } from '../store/hash.js'

/** The only file of an export whose name says nothing about its content. */
export const MANIFEST = 'menus.json'

/** A variant of a menu, with the names of its files. */
export interface ExportedVariant {
  readonly context: Context
  /** The version of its menu file. */
  readonly version: string
  /** Where other viewers could get other items, which are not in the export. */
  readonly anonymous?: true
  readonly json: Readonly<Record<Locale, string>>
  readonly html?: Readonly<Record<Locale, string>>
}

/** What an export contains. */
export interface Manifest {
  readonly revision: string
  readonly defaultLocale: Locale
  readonly locales: readonly Locale[]
  /** When the first window opens or closes, after which the export is out of date; null for never. */
  readonly until: string | null
  /** By code, in order. */
  readonly menus: readonly (readonly [code: string, variants: readonly ExportedVariant[]])[]
  /** The files that only the export before this one had, and that stay for clients with its manifest. */
  readonly previous: readonly string[]
}

/** The text of a manifest, with a line for each menu. As members of an object, codes such as `10` would come before others. */
export function toManifestText({ menus, previous, ...head }: Manifest): string {
  const members = [...Object.entries({ manifest: 1, ...head })].map(toMember)
  const lines = menus.map(toMember).join(',\n')
  return `{\n${members.join(',\n')},\n"menus":{\n${lines}\n},\n${toMember(['previous', previous])}\n}\n`
}

function toMember([name, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`
}

/** What is read of a manifest in a folder: anyone may have written it. */
export interface FoundManifest {
  readonly text: string
  /** The JSON of the variants, by code. */
  readonly menus: ReadonlyMap<string, string>
  readonly files: readonly string[]
  readonly previous: readonly string[]
}

/** Reads the text of a manifest; null if it is none. */
export function parseManifest(text: string): FoundManifest | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isMap(value) || value['manifest'] !== 1 || !isMap(value['menus'])) return null
  const { menus, previous } = value as { readonly menus: RawMap } & RawMap
  const variants = Object.values(menus).flatMap((each) => (Array.isArray(each) ? each.filter(isMap) : []))
  const names = variants.flatMap(({ json, html }) => [json, html].filter(isMap).flatMap(Object.values))
  return {
    text,
    menus: new Map(Object.entries(menus).map(([code, each]) => [code, JSON.stringify(each)])),
    files: names.filter(isHashedName),
    previous: Array.isArray(previous) ? previous.filter(isHashedName) : [],
  }
}

/** What the name of a file says of its content. */
export function toNameHash(bytes: Uint8Array): string {
  return contentHash(bytes).slice(0, 12)
}

/** Whether a file has a name of ours with the hash of its content, which never changes then. */
export function isHashedName(name: unknown): name is string {
  return typeof name === 'string' && /^[\w-][\w.-]*\.[0-9a-f]{12}\.(?:json|html)$/.test(name)
}
