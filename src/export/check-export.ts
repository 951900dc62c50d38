import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './export-folder.js'
import { toManifestText } from './manifest.js'
import type { ExportPlan } from './plan-export.js'
import { isWhole } from './write-export.js'

/** How an export on the disk differs from what a build would write. */
export interface ExportCheck {
  readonly isCurrent: boolean
  /** The codes of the menus that differ. */
  readonly differing: readonly string[]
}

/** Compares the export in a folder with a plan. Writes nothing. */
export function checkExport(root: string, { manifest, files }: ExportPlan): ExportCheck {
  const found = readManifest(root)
  const isThere = (name: string): boolean => {
    const body = files.get(name)
    return body !== undefined && isWhole(root, name, body) && readFileSync(join(root, name)).equals(body)
  }
  const wanted = new Map(manifest.menus)
  const isSame = (code: string): boolean => {
    const variants = wanted.get(code) ?? []
    if (!wanted.has(code) || JSON.stringify(variants) !== found?.menus.get(code)) return false
    return variants.flatMap(({ json, html = {} }) => [json, html].flatMap(Object.values)).every(isThere)
  }
  const codes = new Set([...wanted.keys(), ...(found?.menus.keys() ?? [])])
  const differing = [...codes].filter((code) => !isSame(code)).sort()
  // Once a window opens or closes, the next such time is another one.
  const text = toManifestText({ ...manifest, previous: found?.previous ?? [] })
  return { isCurrent: differing.length === 0 && text === found?.text, differing }
}
