import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load-config.js'
import { refuse } from '../review/refusal.js'
import { isInside, toRealPath } from '../store/inside.js'
import { readMenuBytes } from '../store/read-file.js'
import { type FoundManifest, MANIFEST, parseManifest } from './manifest.js'

const MAX_MANIFEST_BYTES = 268_435_456

/** The real path of a folder for an export, which need not exist. Throws Refusal for one that is no place for it. */
export function toExportFolder(out: string, { menusFolder }: Config): string {
  const [real, menus] = [toRealPath(out), toRealPath(menusFolder)]
  const how =
    real === menus ? 'is' : isInside(menus, real) ? 'contains' : isInside(real, menus) ? 'is in' : null
  if (how === null && lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === false)
    return refuse('usage', `--out ${out} is a file; choose a folder`)
  if (how === null) return real
  return refuse('usage', `--out ${out} ${how} the menus folder ${menusFolder}; choose another folder`)
}

/** The manifest in a folder; null if there is none. Throws Refusal for anything else of its name, or file system errors. */
export function readManifest(root: string): FoundManifest | null {
  const place = join(root, MANIFEST)
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return null
  const { bytes } = stats.isFile()
    ? readMenuBytes({ root, closed: [] }, MANIFEST, MAX_MANIFEST_BYTES)
    : { bytes: new Uint8Array(0) }
  const found = parseManifest(Buffer.from(bytes).toString('utf8'))
  return found ?? refuse('usage', `${place} is not the manifest of an export; pass another --out`)
}
