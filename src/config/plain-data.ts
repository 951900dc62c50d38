import type { Problem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import type { Layer } from './layers.js'
import { formProblems } from './option-form.js'

/** Options nest three deep; anything this deep is circular. */
const MAX_DEPTH = 20
const CIRCLE = 'contains itself'

/** Judges the options from a program or a module: an object under a name. Never throws, for any content. */
export function readGiven(
  given: unknown,
  name: string,
  layer: Pick<Layer, 'kind' | 'whereOf'>,
  todo: string | null,
  toFault: (fault: string) => Problem,
): Layer {
  const { value, fault } = toPlainData(given, name)
  const problems = formProblems(value, layer.whereOf, todo)
  if (fault === null) return { ...layer, values: value as Layer['values'], problems }
  // The unknown key explains more than its unusable value, unless it is part of a circle.
  const unknown = fault.endsWith(CIRCLE) ? [] : problems.filter(({ code }) => code === 'unknown-key')
  return { ...layer, values: {}, problems: unknown.length === 0 ? [toFault(fault)] : unknown }
}

/**
 * A copy of a value, as a file would hold it: what is undefined was not given. Anything else than plain data would be
 * ignored silently (a map, a promise, an instance of a class): the first is the fault, by its name, and null takes its place.
 */
export function toPlainData(
  given: unknown,
  name: string,
): { readonly value: unknown; readonly fault: string | null } {
  let fault: string | null = null
  const copy = (read: () => unknown, place: string, depth: number): unknown => {
    // One fault is enough; a circular value would have millions.
    if (fault !== null) return null
    try {
      const value = read()
      if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
      if (typeof value === 'number' && Number.isFinite(value)) return value
      if (depth > MAX_DEPTH) fault = `${place.slice(0, 80)}… ${CIRCLE}`
      else if (Array.isArray(value)) {
        const entries = Array.from(value, (each, index) => copy(() => each, `${place}[${index}]`, depth + 1))
        if (!entries.includes(undefined)) return entries
        fault = notPlain(`${place}[${entries.indexOf(undefined)}]`, 'nothing')
      } else if (typeof value === 'object' && isPlain(value)) {
        const entries = Object.keys(value).map((key) => {
          const inner = copy(() => Reflect.get(value, key), `${place}.${key}`, depth + 1)
          return [key, inner] as const
        })
        // Not by assignment: `__proto__` would be more than a key.
        return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
      } else if (value !== undefined) fault = notPlain(place, toKind(value))
      return fault === null ? undefined : null
    } catch (thrown) {
      fault ??= `${place} cannot be read: ${toReason(thrown)}`
      return null
    }
  }
  return { value: copy(() => given, name, 0), fault }
}

/** Whether a value is a literal, in whichever realm, or the namespace of a module. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function toKind(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  if (value instanceof Promise) return 'a promise that is not awaited'
  const { name } = Object.getPrototypeOf(value).constructor ?? {}
  return typeof name === 'string' && name !== '' && name !== 'Object'
    ? `an instance of ${name}`
    : 'an object that inherits'
}

function notPlain(name: string, kind: string): string {
  return `${name} is ${kind}; options are strings, numbers, true, false, null, lists and plain objects`
}
