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
  if (!Array.isArray(value)) return wrong('It must be a list of contexts.')
  const { context_sets: maxSets, context_keys: maxKeys } = limits
  if (value.length > maxSets)
    return wrong(`It has ${value.length} contexts, and ${maxSets} are allowed.`, maxSets)
  const candidates: ContextKey[] = []
  for (const [place, member] of value.entries()) {
    if (member === null || (Array.isArray(member) && member.length === 0)) {
      candidates.push(NO_CONTEXT)
      continue
    }
    if (!isMap(member)) return wrong('Each member must be a flat object, null or [].', place)
    const entries = Object.entries(member)
    if (entries.length > maxKeys)
      return wrong(`A context has ${entries.length} keys, and ${maxKeys} are allowed.`, place)
    const [key, odd] = entries.find(([, each]) => !isScalar(each)) ?? []
    if (key !== undefined) return wrong(typeof odd === 'number' ? INEXACT : NOT_SCALAR, place, key)
    candidates.push(toContextKey(member as Context))
  }
  return done(candidates)
}

/** The same as contexts, as they were written; `{}` is no context. */
export function readContexts(value: unknown, limits: Limits): Result<readonly Context[], ContextSetsFault> {
  const { fault } = readContextSets(value, limits)
  if (fault !== null) return failed(fault)
  const members = Array.isArray(value) ? (value as (Context | null | [])[]) : []
  return done(members.map((member) => (member === null || Array.isArray(member) ? {} : member)))
}

const INEXACT = 'A number beyond ±(2^53−1) is not exact: quote it as a string.'
const NOT_SCALAR = 'The values of a context must be scalars.'

function wrong(detail: string, ...steps: Steps): Result<never, ContextSetsFault> {
  return failed({ detail, pointer: toPointer(steps) })
}

/** The candidates that a program or a template asks for. Throws TypeError for what cannot be context sets. */
export function toCandidates(contextSets: unknown, limits: Limits): readonly ContextKey[] {
  const { value, fault } = readContextSets(contextSets, limits)
  if (fault !== null) throw new TypeError(`contextSets${fault.pointer}: ${fault.detail}`)
  return value
}
