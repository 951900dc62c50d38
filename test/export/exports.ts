import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A manifest as clients read it. */
export interface ExportManifest {
  readonly manifest: number
  readonly revision: string
  readonly defaultLocale: string
  readonly locales: readonly string[]
  readonly until: string | null
  readonly menus: Readonly<Record<string, readonly ManifestVariant[]>>
  readonly previous: readonly string[]
}

export interface ManifestVariant {
  readonly context: Readonly<Record<string, unknown>>
  readonly version: string
  readonly anonymous?: true
  readonly json: Readonly<Record<string, string>>
  readonly html?: Readonly<Record<string, string>>
}

export function readExport(dir: string): ExportManifest {
  return JSON.parse(readFileSync(join(dir, 'menus.json'), 'utf8'))
}

/** The names in a folder, without those of compressed files. */
export function namesIn(dir: string): readonly string[] {
  return readdirSync(dir).filter((name) => !/\.(?:br|gz)$/.test(name))
}

/** The names of all files that a manifest refers to. */
export function namesOf({ menus }: ExportManifest): readonly string[] {
  const variants = Object.values(menus).flat()
  return variants.flatMap(({ json, html = {} }) => [json, html].flatMap((each) => Object.values(each)))
}
