import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOperations } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import { moved, NO_STEPS, type Step, type Steps, withStep } from './steps.js'

/** The steps of a draft, in its folder. */
export const JOURNAL = 'journal'
/** Bytes of all steps of a draft. */
export const MAX_JOURNAL = 16_777_216
/** Steps, undos and redos of a draft: all of them are read again at a start. */
export const MAX_ENTRIES = 5_000

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
  const { kind, key = '', operations, base, value, origins, aside = false, transfer } = record
  if (!areTexts(key) || typeof aside !== 'boolean') return false
  if (kind === 'edit')
    return (
      readOperations(operations).fault === null &&
      (origins === undefined || areOrigins(origins)) &&
      (transfer === undefined || (isMap(transfer) && areTexts(transfer['file'], transfer['id'])))
    )
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

/** The first record of a new journal. */
export function newHead(user: string, path: string, created: number): Head {
  return { user, path, created, nonce: randomBytes(8).toString('hex') }
}
