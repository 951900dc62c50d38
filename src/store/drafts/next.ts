import type { Change, ItemOrigin } from '../../change/change.js'
import type { Operation, OperationFault } from '../../change/operations/operation.js'
import type { Others } from '../../document/edit/write-change.js'
import type { MenuDocument } from '../../document/menu-document.js'
import type { JsonMap } from '../../model/json.js'
import type { Limits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import type { ReadDocument } from '../known-documents.js'
import {
  baseName,
  type Made,
  type Step,
  type Steps,
  sideOf,
  type Transfer,
  toChange,
  toOrigins,
  withOperations,
  withStep,
} from './steps.js'

/** What changes of a draft with a step. */
export interface Stand {
  /** The text that the steps start from. */
  readonly base: MenuDocument
  /** What the steps make of it. */
  readonly change: Made
  /** The other texts that the change draws from, by their names in it. */
  readonly texts: Others
  readonly steps: Steps
}

/** What becomes of a draft, and what the journal gets for it. */
export type Next = Stand & { readonly body: Step | { readonly kind: 'undo' | 'redo' } }

type NextFault =
  | { readonly reason: 'impossible'; readonly fault: OperationFault }
  | { readonly reason: 'too-large' | 'unreadable' }

/** A text from which a step takes items, by their pointers after the step. */
export interface Source {
  readonly bytes: Uint8Array
  /** Where each is in that text. */
  readonly pointers: ReadonlyMap<string, string>
}

/** What a step of operations has to do with other menus. */
export interface Beyond {
  readonly source?: Source
  readonly transfer?: Transfer
}

interface Reading {
  readonly limits: Limits
  readonly read: ReadDocument
}

/** A draft with one more step of operations, some of whose items may come from another text, which gets a name. */
export function withEdit(
  { steps, base, change: before, texts }: Stand,
  operations: readonly Operation[],
  { source, transfer }: Beyond & { readonly source?: Source & { readonly name: string } },
  { limits, read }: Reading,
): Result<Next, NextFault> {
  const side = sideOf(source?.name ?? '')
  const taken = [...(source?.pointers ?? [])].map(([at, pointer]) => [at, { side, pointer }] as const)
  const more = source && { origins: toOrigins(new Map(taken)) }
  const { value: change, fault } = withOperations(before, base.value ?? {}, operations, limits, more?.origins)
  if (fault !== null) return failed({ reason: 'impossible', fault })
  if (JSON.stringify(change.value).length > limits.bytes) return failed({ reason: 'too-large' })
  const body = { kind: 'edit', operations, ...more, ...(transfer && { transfer }) } as const
  const next = { body, steps: withStep(steps, body), base, change }
  return done({ ...next, texts: source ? { ...texts, [side]: read(base.path, source.bytes) } : texts })
}

/** A draft on another base, which gets a name. */
export function withBase(
  { steps, base: old, texts }: Stand,
  { value, origins }: Change,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { limits, read }: Reading,
): Result<Next, NextFault> {
  const former = sideOf(baseName(steps))
  const sides: Readonly<Record<string, string>> = { theirs: 'base', base: former }
  const from = [...origins].map(([at, { side, pointer }]): [string, ItemOrigin] => [
    at,
    { side: sides[side] ?? side, pointer },
  ])
  const body = {
    kind: 'rebase',
    base: name,
    value: value as JsonMap,
    origins: toOrigins(new Map(from)),
  } as const
  const next = withStep(steps, body)
  const base = read(old.path, bytes)
  const { value: change } = toChange(next, base.value ?? {}, limits)
  if (change === null) return failed({ reason: 'unreadable' })
  return done({ body, steps: next, base, change, texts: { ...texts, [former]: old } })
}
