import { type ContextKey, isScalar, NO_CONTEXT, toContextKey } from '../model/context.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'

/** The candidates of a request, in the order of preference; else what is wrong with which member (RFC 6901). */
export type ReadContextSets =
  | { readonly candidates: readonly ContextKey[]; readonly fault: null }
  | { readonly candidates: null; readonly fault: ContextSetsFault }

export interface ContextSetsFault {
  readonly detail: string
  readonly pointer: string
}

const NONE: ReadContextSets = { candidates: [], fault: null }

/**
 * Reads context sets from whatever a client or a template gives. Null, undefined, the empty text and `[]` are none; as a member, null,
 * `{}` and `[]` are no context.
 */
export function readContextSets(value: unknown, limits: Limits): ReadContextSets {
  if (value === null || value === undefined || value === '') return NONE
  if (!Array.isArray(value)) return fault('It must be a list of contexts.', '')
  if (value.length > limits.context_sets) {
    const detail = `It has ${value.length} contexts, and ${limits.context_sets} are allowed.`
    return fault(detail, `/${limits.context_sets}`)
  }
  const candidates: ContextKey[] = []
  for (const [place, member] of value.entries()) {
    const wrong = judgeMember(member, `/${place}`, limits)
    if (wrong !== null) return { candidates: null, fault: wrong }
    candidates.push(isNoContext(member) ? NO_CONTEXT : toContextKey(member as Context))
  }
  return { candidates, fault: null }
}

function isNoContext(member: unknown): boolean {
  return member === null || (Array.isArray(member) && member.length === 0)
}

function judgeMember(member: unknown, pointer: string, limits: Limits): ContextSetsFault | null {
  if (isNoContext(member)) return null
  if (typeof member !== 'object' || Array.isArray(member)) {
    return { detail: 'Each member must be a flat object, null or [].', pointer }
  }
  const entries = Object.entries(member as object)
  if (entries.length > limits.context_keys) {
    const detail = `A context has ${entries.length} keys, and ${limits.context_keys} are allowed.`
    return { detail, pointer }
  }
  for (const [key, value] of entries) {
    if (isScalar(value)) continue
    const detail =
      typeof value === 'number'
        ? 'A number beyond ±(2^53−1) is not exact: quote it as a string.'
        : 'The values of a context are scalars.'
    return { detail, pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` }
  }
  return null
}

function fault(detail: string, pointer: string): ReadContextSets {
  return { candidates: null, fault: { detail, pointer } }
}
