import { isMap, type Json, own } from '../../model/json.js'
import { done, failed, type Result } from '../../model/result.js'

/** One step of a change: the operations of JSON Patch (RFC 6902, section 4) on the value of a menu. */
export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }
  | { readonly op: 'remove'; readonly path: string }

/** Why an operation cannot be applied: which one, from 0, and what is wrong with it. */
export interface OperationFault {
  readonly position: number
  readonly reason: string
  /** Whether it is a `test` that found another value. */
  readonly isTest: boolean
}

/** The kinds of operations, each with the member that it has besides its path. */
const NEEDS = { add: 'value', remove: null, replace: 'value', move: 'from', copy: 'from', test: 'value' }

/** Operations at once: they are applied without a break, and requests wait meanwhile. */
const MAX_OPERATIONS = 5_000
/** Characters of a pointer. No menu is as deep. */
const MAX_POINTER = 10_000

/** Reads operations from any client value; unknown members are ignored (RFC 6902, section 4). */
export function readOperations(value: unknown): Result<readonly Operation[], OperationFault> {
  if (!Array.isArray(value)) return failed({ position: 0, reason: 'a patch is a list', isTest: false })
  if (value.length > MAX_OPERATIONS)
    return failed({
      position: MAX_OPERATIONS,
      reason: `a patch has at most ${MAX_OPERATIONS} operations`,
      isTest: false,
    })
  const operations: Operation[] = []
  for (const [position, each] of value.entries()) {
    const reason = judge(each)
    if (reason !== null) return failed({ position, reason, isTest: false })
    const needed = own(NEEDS, each.op)
    operations.push({
      op: each.op,
      path: each.path,
      ...(typeof needed === 'string' && { [needed]: each[needed] }),
    })
  }
  return done(operations)
}

function judge(each: unknown): string | null {
  if (!isMap(each)) return 'an operation is an object'
  const { op, path, from } = each
  const needed = own(NEEDS, String(op))
  if (typeof op !== 'string' || needed === undefined)
    return `op must be one of ${Object.keys(NEEDS).join(', ')}`
  if (!isPointer(path)) return 'path must be a JSON Pointer'
  if (needed === 'from' && !isPointer(from)) return `${op} needs from, a JSON Pointer`
  if (needed !== 'value') return null
  if (!Object.hasOwn(each, 'value')) return `${op} needs a value`
  return isExact(each['value']) ? null : 'a number is not within ±(2^53−1); quote it as a string'
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_POINTER
}

/** Whether all numbers of a JSON value are those that were written: others are rounded, or are infinite. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
