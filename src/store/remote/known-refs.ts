import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap } from '../../model/json.js'
import { isName } from '../drafts/draft-folder.js'
import type { State } from '../state.js'

/** A draft as both the service and the remote had it. */
export interface KnownRef {
  readonly commit: string
  /** The version of its folder. */
  readonly version: string
}

/** What a service knows of the drafts in a remote, by their names: from it follows which side has changed since. */
export interface KnownRefs {
  readonly all: Map<string, KnownRef>
  /** Throws file system errors. */
  readonly save: () => void
}

/** The file is beside the drafts: who deletes their folder discards no draft elsewhere. */
export const KNOWN_REFS = 'known-refs.json'

/** Reads what was known at the last save; nothing of another repository, or where the file is damaged. */
export function openKnownRefs({ dir, write }: State, url: string): KnownRefs {
  const file = `drafts/${KNOWN_REFS}`
  const all = new Map<string, KnownRef>()
  try {
    const kept: unknown = JSON.parse(readFileSync(join(dir, file), 'utf8'))
    const { drafts } = isMap(kept) && kept['url'] === url ? kept : { drafts: {} }
    for (const [name, known] of Object.entries(isMap(drafts) ? drafts : {}))
      if (isName(name) && isKnown(known)) all.set(name, known)
  } catch {
    // There is none yet. Drafts on both sides are compared then.
  }
  return { all, save: () => write(file, `${JSON.stringify({ url, drafts: Object.fromEntries(all) })}\n`) }
}

function isKnown(value: unknown): value is KnownRef {
  return isMap(value) && typeof value['commit'] === 'string' && typeof value['version'] === 'string'
}
