import type { Context, Scalar } from './menu.js'

/** The canonical text of a context: equal contexts, and only those, have equal keys. `''` is no context. */
export type ContextKey = string

export const NO_CONTEXT: ContextKey = ''

/**
 * The one function that decides whether two contexts are equal, for the whole product: same keys in any order,
 * values equal as JSON, so `1` is `1.0` but neither `"1"` nor `true`, and `{"a": null}` is not `{}`.
 */
export function toContextKey(context: Context | null): ContextKey {
  if (context === null) return NO_CONTEXT
  const keys = Object.keys(context).sort()
  return keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(context[key])}`).join(',')
}

/** The context of a key; its keys are in order. */
export function fromContextKey(key: ContextKey): Context {
  return JSON.parse(`{${key}}`) as Context
}

/** Bytes of the query of a request that sends these contexts. */
export function queryLength(contexts: readonly Context[]): number {
  const sets = contexts.map((context) => `{${toContextKey(context)}}`).join(',')
  return '_context_sets='.length + encodeURIComponent(`[${sets}]`).length
}

/** Whether a value may be in a context. A number beyond ±(2^53−1) has lost digits: two tenants would be equal. */
export function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return isExactNumber(value)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

/** Whether a number is finite and within the range where integers are exact, ±(2^53−1). */
export function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

/** A context in words for people: `{partnerId: 3}`, or `no context`. */
export function describeContext(context: Context): string {
  const pairs = Object.entries(context).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return pairs.length === 0 ? 'no context' : `{${pairs.join(', ')}}`
}
