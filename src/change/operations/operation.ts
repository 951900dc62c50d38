import type { Json } from '../json.js'

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

/** Reads operations from whatever a client gives; members that are not known are ignored (RFC 6902, section 4). */
export function readOperations(
  value: unknown,
): { readonly operations: readonly Operation[]; readonly fault: null } | { readonly fault: OperationFault } {
  if (!Array.isArray(value)) return { fault: { position: 0, reason: 'a patch is a list', isTest: false } }
  for (const [position, each] of value.entries()) {
    const reason = judge(each)
    if (reason !== null) return { fault: { position, reason, isTest: false } }
  }
  return { operations: value.map(toOperation), fault: null }
}

function judge(each: unknown): string | null {
  if (typeof each !== 'object' || each === null || Array.isArray(each)) return 'an operation is an object'
  const { op, path, from } = each as Record<string, unknown>
  if (typeof op !== 'string' || !KINDS.includes(op)) return `op must be one of ${KINDS.join(', ')}`
  if (typeof path !== 'string') return 'path must be a JSON Pointer'
  if ((op === 'move' || op === 'copy') && typeof from !== 'string') return `${op} needs from, a JSON Pointer`
  const needsValue = op === 'add' || op === 'replace' || op === 'test'
  return needsValue && !Object.hasOwn(each, 'value') ? `${op} needs a value` : null
}

function toOperation(each: Operation): Operation {
  switch (each.op) {
    case 'remove':
      return { op: each.op, path: each.path }
    case 'move':
    case 'copy':
      return { op: each.op, from: each.from, path: each.path }
    default:
      return { op: each.op, path: each.path, value: each.value }
  }
}
