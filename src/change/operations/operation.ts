import { isMap, type Json } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'

/** One step of a change: the operations of JSON Patch (RFC 6902, section 4) on the value of a menu. */
export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string }
  | { readonly op: 'test'; readonly path: string; readonly value: Json }

/** Why an operation cannot be applied: which one, from 0, and what is wrong with it. */
export interface OperationFault {
  readonly position: number
  readonly reason: string
  /** Whether it is a `test` that found another value. */
  readonly isTest: boolean
}

const KINDS = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** Reads operations from any client value; unknown members are ignored (RFC 6902, section 4). */
export function readOperations(value: unknown): Result<readonly Operation[], OperationFault> {
  if (!Array.isArray(value)) return failed({ position: 0, reason: 'a patch is a list', isTest: false })
  for (const [position, each] of value.entries()) {
    const reason = judge(each)
    if (reason !== null) return failed({ position, reason, isTest: false })
  }
  return done(value.map(toOperation))
}

function judge(each: unknown): string | null {
  if (!isMap(each)) return 'an operation is an object'
  const { op, path, from } = each
  if (typeof op !== 'string' || !KINDS.includes(op)) return `op must be one of ${KINDS.join(', ')}`
  if (typeof path !== 'string') return 'path must be a JSON Pointer'
  if ((op === 'move' || op === 'copy') && typeof from !== 'string') return `${op} needs from, a JSON Pointer`
  const needsValue = op === 'add' || op === 'replace' || op === 'test'
  return needsValue && !Object.hasOwn(each, 'value') ? `${op} needs a value` : null
}

function toOperation({ op, path, ...more }: Operation): Operation {
  const { from, value } = more as { readonly from: string; readonly value: Json }
  if (op === 'remove') return { op, path }
  return op === 'move' || op === 'copy' ? { op, from, path } : { op, path, value }
}
