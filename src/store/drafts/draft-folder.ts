import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isGone } from '../entry.js'
import { contentHash } from '../hash.js'
import { putNewFile, STALE_MS } from '../publish/atomic-file.js'
import { type Head, JOURNAL } from './journal.js'
import { FIRST_BASE } from './steps.js'

/** An id is the name of a folder, and a nonce: a later draft of the same file is another one. */
export function nameOf(id: string): string | null {
  const name = id.slice(0, 32)
  return isName(name) ? name : null
}

/** The name of the folder of a new draft. */
export function folderName(user: string, path: string): string {
  return contentHash(`${user}\0${path}`)
}

/** Removes the folder of a draft, which is gone at once, whatever happens to its files. */
export function removeFolder(folder: string, name: string): void {
  const away = join(folder, `.${name}-${randomBytes(4).toString('hex')}`)
  renameSync(join(folder, name), away)
  rmSync(away, { recursive: true, force: true })
}

/** What is in the folder of drafts; nothing if it has been removed. */
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

/** Makes a copy of the folder of a draft with another first record; it appears whole. */
export function copyFolder(folder: string, from: string, name: string, head: Head): void {
  const making = join(folder, `.${name}-${head.nonce}`)
  mkdirSync(making, { mode: 0o700 })
  try {
    for (const entry of readdirSync(join(folder, from)).filter(
      (each) => each === FIRST_BASE || STEP_TEXT.test(each),
    ))
      copyFileSync(join(folder, from, entry), join(making, entry))
    const [, ...lines] = readFileSync(join(folder, from, JOURNAL), 'utf8').split('\n')
    const text = [JSON.stringify(head), ...lines].join('\n')
    putNewFile((entry) => join(making, entry), JOURNAL, { text, mode: 0o600 })
    renameSync(making, join(folder, name))
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** A text that a step brings, in a file of its own beside the journal. */
export interface StepText {
  readonly name: string
  readonly bytes: Uint8Array
}

const STEP_TEXT = /^(?:from|base)-/

/** Bytes of the texts that the steps of a draft brought. */
export function sizeOfTexts(place: string): number {
  const sizeOf = (name: string): number => statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0
  return readdirSync(place).reduce((sum, name) => sum + (STEP_TEXT.test(name) ? sizeOf(name) : 0), 0)
}
