import { type ContextKey, isScalar, NO_CONTEXT, toContextKey } from '../model/context.js'
import { isMap } from '../model/json.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import { type Steps, toPointer } from '../model/pointer.js'
import { done, failed, type Result } from '../model/result.js'

/** What is wrong with which member of context sets (RFC 6901). */
export interface ContextSetsFault {
  readonly detail: string
  readonly pointer: string
}

/**
 * The candidates, in the order of preference, from whatever a client or a template gives. Null, undefined, the empty text
 * and `[]` are none; as a member, null, `{}` and `[]` are no context.
 */
export function readContextSets(
  value: unknown,
  limits: Limits,
): Result<readonly ContextKey[], ContextSetsFault> {
  if (value === null || value === undefined || value === '') return done([])
  if (!Array.isArray(value)) return failed({ detail: 'It must be a list of contexts.', pointer: '' })
  if (value.length > limits.context_sets) {
    const detail = `It has ${value.length} contexts, and ${limits.context_sets} are allowed.`
    return failed({ detail, pointer: toPointer([limits.context_sets]) })
  }
  const candidates: ContextKey[] = []
  for (const [place, member] of value.entries()) {
    const wrong = judgeMember(member, place, limits)
    if (wrong !== null) return failed({ detail: wrong.detail, pointer: toPointer(wrong.steps) })
    candidates.push(isNoContext(member) ? NO_CONTEXT : toContextKey(member as Context))
  }
  return done(candidates)
}

/** The candidates that a program or a template asks for. Throws TypeError for what cannot be context sets. */
export function toCandidates(contextSets: unknown, limits: Limits): readonly ContextKey[] {
  const { value, fault } = readContextSets(contextSets, limits)
  if (fault !== null) throw new TypeError(`contextSets${fault.pointer}: ${fault.detail}`)
  return value
}

function isNoContext(member: unknown): boolean {
  return member === null || (Array.isArray(member) && member.length === 0)
}

/** What is wrong with a member, and the steps to it. */
function judgeMember(
  member: unknown,
  place: number,
  limits: Limits,
): { readonly detail: string; readonly steps: Steps } | null {
  if (isNoContext(member)) return null
  if (!isMap(member)) return { detail: 'Each member must be a flat object, null or [].', steps: [place] }
  const entries = Object.entries(member)
  if (entries.length > limits.context_keys) {
    const detail = `A context has ${entries.length} keys, and ${limits.context_keys} are allowed.`
    return { detail, steps: [place] }
  }
  const [key, value] = entries.find(([, each]) => !isScalar(each)) ?? []
  if (key === undefined) return null
  const detail =
    typeof value === 'number'
      ? 'A number beyond ±(2^53−1) is not exact: quote it as a string.'
      : 'The values of a context are scalars.'
  return { detail, steps: [place, key] }
}
