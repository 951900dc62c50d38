import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOperations } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import { isGone } from '../entry.js'
import { contentHash } from '../hash.js'
import { putNewFile, STALE_MS } from '../publish/put-file.js'
import { FIRST_BASE, moved, NO_STEPS, type Step, type Steps, withStep } from './steps.js'

/** The steps of a draft, in its folder. */
export const JOURNAL = 'journal'
/** Bytes of all steps of a draft. */
export const MAX_JOURNAL = 16_777_216
/** Steps, undos and redos of a draft: all of them are read again at a start. */
export const MAX_ENTRIES = 5_000

/** An id is the name of a folder, and a nonce: a later draft of the same file is another one. */
export function nameOf(id: string): string | null {
  const name = id.slice(0, 32)
  return isName(name) ? name : null
}

/** The name of the folder of a new draft. */
export function folderName(user: string, path: string): string {
  return contentHash(`${user}\0${path}`)
}

export function newHead(user: string, path: string, created: number): Head {
  return { user, path, created, nonce: randomBytes(8).toString('hex') }
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

/** The first record of a journal: whose draft it is, of which file. */
export interface Head {
  readonly user: string
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly nonce: string
  /** Whose draft it was before it was taken over. */
  readonly takenFrom?: string
}

/** A record of the journal behind its first. */
export type Entry = { readonly at: number; readonly key?: string } & (
  | Step
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
)

function isHead(record: unknown): record is Head {
  if (!isMap(record) || !isTime(record['created'])) return false
  const { user, path, nonce, takenFrom = '' } = record
  return areTexts(user, path, nonce, takenFrom)
}

/** Whether a record is one that this version writes: a damaged one, or one of a later version, is not guessed at. */
function isEntry(record: unknown): record is Entry {
  if (!isMap(record) || !isTime(record['at'])) return false
  const { kind, key = '', operations, base, value, origins, aside = false } = record
  if (!areTexts(key) || typeof aside !== 'boolean') return false
  if (kind === 'edit')
    return readOperations(operations).fault === null && (origins === undefined || areOrigins(origins))
  if (kind === 'rebase') return BASE_NAME.test(String(base)) && isMap(value) && areOrigins(origins)
  return kind === 'undo' || kind === 'redo'
}

/** A file beside the journal. */
const BASE_NAME = /^base-[\w-]+$/

/** A pointer in the base, or in another file beside the journal. */
const ORIGIN = /^(?:@(?:base|from)(?:-[\w-]+)?)?\//

function areOrigins(origins: unknown): boolean {
  return isMap(origins) && Object.values(origins).every((from) => areTexts(from) && ORIGIN.test(String(from)))
}

/** A time of a `Date` (ECMA-262, "Time Values"). */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

/** What the journal of a draft says. */
export interface Journal {
  readonly head: Head
  readonly entries: readonly Entry[]
  /** What the entries come to. */
  readonly steps: Steps
  readonly size: number
}

/** Reads the journal in the folder of a draft; null for one that this version has not written. Throws file system errors. */
export function readJournal(place: string): Journal | null {
  const { size } = statSync(join(place, JOURNAL))
  if (size > MAX_JOURNAL) return null
  const lines = readFileSync(join(place, JOURNAL), 'utf8').split('\n')
  const [head, ...entries] = lines.flatMap(parseLine)
  if (!isHead(head) || entries.length > MAX_ENTRIES || !entries.every(isEntry)) return null
  return { head, entries, steps: stepsOf(entries), size }
}

/** What records of a journal come to. */
export function stepsOf(entries: readonly Entry[]): Steps {
  return entries.reduce(after, NO_STEPS)
}

/** What a killed process left of a record does not count. */
function parseLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

function after(steps: Steps, entry: Entry): Steps {
  if (entry.kind === 'undo') return moved(steps, -1) ?? steps
  if (entry.kind === 'redo') return moved(steps, 1) ?? steps
  return withStep(steps, entry)
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
