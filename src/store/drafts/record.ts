import { readOperations } from '../../change/operations/operation.js'
import { isMap } from '../../model/json.js'
import type { Step } from './steps.js'

/** The first record of a journal: whose draft it is, of which file. */
export interface Head {
  readonly user: string
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly nonce: string
}

/** A record of the journal behind its first. */
export type Entry = { readonly at: number; readonly key?: string } & (
  | Step
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
)

export function isHead(record: unknown): record is Head {
  return (
    isMap(record) && areTexts(record['user'], record['path'], record['nonce']) && isTime(record['created'])
  )
}

/** Whether a record is one that this version writes: a damaged one, or one of a later version, is not guessed at. */
export function isEntry(record: unknown): record is Entry {
  if (!isMap(record) || !isTime(record['at'])) return false
  const { kind, key = '', operations, base, value, origins } = record
  if (!areTexts(key)) return false
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

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}
