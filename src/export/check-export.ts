import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './export-folder.js'
import { type ExportedVariant, toManifestText } from './manifest.js'
import type { ExportPlan } from './plan-export.js'
import { isWhole } from './write-export.js'

/** How an export on the disk differs from what a build would write. */
export interface ExportCheck {
  readonly isCurrent: boolean
  /** The codes of the menus that differ. */
  readonly differing: readonly string[]
  /** When a window opened or closed since; null for none. */
  readonly overSince: string | null
}

/** Compares the export in a folder with a plan. Writes nothing. */
export function checkExport(root: string, { manifest, files }: ExportPlan): ExportCheck {
  const found = readManifest(root)
  const isThere = (name: string): boolean => {
    const body = files.get(name)
    if (body === undefined || !isWhole(root, name, body)) return false
    return readFileSync(join(root, name)).equals(body)
  }
  const namesOf = ({ json, html = {} }: ExportedVariant): string[] => [json, html].flatMap(Object.values)
  const wanted = new Map(manifest.menus)
  const isSame = (code: string): boolean => {
    const variants = wanted.get(code)
    if (variants === undefined || JSON.stringify(variants) !== found?.menus.get(code)) return false
    return variants.flatMap(namesOf).every(isThere)
  }
  const codes = new Set([...wanted.keys(), ...(found?.menus.keys() ?? [])])
  const differing = [...codes].filter((code) => !isSame(code)).sort()
  const isOver = found?.until != null && Date.parse(found.until) <= Date.now()
  const text = toManifestText({ ...manifest, previous: found?.previous ?? [] })
  const isCurrent = differing.length === 0 && text === found?.text
  return { isCurrent, differing, overSince: isOver ? (found?.until ?? null) : null }
}
