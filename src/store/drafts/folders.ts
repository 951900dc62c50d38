import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isGone } from '../entry.js'
import { putNewFile, STALE_MS } from '../publish/put-file.js'
import type { Head } from './record.js'

/** The entries of the folder of a draft: the text that it began with, and its steps. */
export const FIRST_BASE = 'base'
export const JOURNAL = 'journal'

/** An id is the name of a folder, and a nonce: a later draft of the same file is another one. */
export function nameOf(id: string): string | null {
  const name = id.slice(0, 32)
  return isName(name) ? name : null
}

/** What is in the folder of drafts; nothing where somebody has removed it. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (isGone(thrown)) return []
    throw thrown
  }
}

/** Whether a folder of that name is one of a draft. */
export function isName(name: string): boolean {
  return /^[\da-f]{32}$/.test(name)
}

/** Deletes the drafts that a killed process was making or discarding: they have a dot before their name. */
export function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('.'))) {
    const place = join(folder, name)
    const { mtimeMs = Number.NaN } = statSync(place, { throwIfNoEntry: false }) ?? {}
    if (Math.abs(Date.now() - mtimeMs) > STALE_MS) rmSync(place, { recursive: true, force: true })
  }
}

/** Makes the folder of a draft, which appears whole. */
export function createFolder(folder: string, name: string, head: Head, base: Uint8Array): void {
  const making = `.${name}-${head.nonce}`
  const at = (entry: string): string => join(folder, making, entry)
  mkdirSync(join(folder, making), { mode: 0o700 })
  try {
    putNewFile(at, FIRST_BASE, { text: base, mode: 0o600 })
    putNewFile(at, JOURNAL, { text: `${JSON.stringify(head)}\n`, mode: 0o600 })
    renameSync(join(folder, making), join(folder, name))
  } finally {
    rmSync(join(folder, making), { recursive: true, force: true })
  }
}
