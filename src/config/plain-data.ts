import type { Issue } from '../document/issue.js'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { toReason } from '../service/log.js'

/** Options nest three deep; whatever nests so deeply goes in circles. */
const MAX_DEPTH = 20

/** A copy as a file would hold it, and what kept it from being one: the first such thing, by its name. */
export interface PlainData {
  readonly value: unknown
  readonly fault: string | null
}

/** Options that a program or a module gives. */
export interface GivenOptions {
  readonly values: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
  /** Why they cannot be used at all. */
  readonly fault: string | null
}

/** Judges what a program or a module gives as options. Never throws, whatever that is. */
export function readGiven(given: unknown, name: string): GivenOptions {
  const { value, fault } = toPlainData(given, name)
  const issues = schemaIssues(validateConfig, value, () => null)
  // That there is no such key says more than that its value is of no use.
  const unknown = issues.filter(({ code }) => code === 'unknown-key')
  if (fault !== null && unknown.length === 0) return { values: {}, issues: [], fault }
  const values = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { values: { ...values }, issues: fault === null ? issues : unknown, fault: null }
}

/**
 * A copy of a value, as a file would hold it: what is undefined was not given. Anything else than plain data would be
 * passed over without a word (a map, a promise, an instance of a class): it is a fault, and null stands in its place.
 */
export function toPlainData(given: unknown, name: string): PlainData {
  const faults: string[] = []
  const copy = (value: unknown, place: string, depth: number): unknown => {
    // One fault is enough; what goes in circles would have millions.
    if (faults.length > 0) return null
    try {
      if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
      if (typeof value === 'number' && Number.isFinite(value)) return value
      if (typeof value !== 'object') throw notPlain(place, toKind(value))
      if (depth > MAX_DEPTH) throw new Fault(`${place.slice(0, 80)}… goes in circles`)
      if (Array.isArray(value)) {
        return Array.from(value, (each, index) => copy(each, `${place}[${index}]`, depth + 1))
      }
      if (!isPlain(value)) throw notPlain(place, toKind(value))
      const entries = Object.keys(value).map((key) => [key, member(value, key, place, depth)] as const)
      // Not by assignment: `__proto__` would be more than a key.
      return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
    } catch (thrown) {
      faults.push(thrown instanceof Fault ? thrown.message : `${place} cannot be read: ${toReason(thrown)}`)
      return null
    }
  }
  const member = (value: object, key: string, place: string, depth: number): unknown => {
    const inner = `${place}.${key}`
    try {
      const given: unknown = Reflect.get(value, key)
      return given === undefined ? undefined : copy(given, inner, depth + 1)
    } catch (thrown) {
      faults.push(`${inner} cannot be read: ${toReason(thrown)}`)
      return null
    }
  }
  return { value: copy(given, name, 0), fault: faults[0] ?? null }
}

/** What is wrong with a value, in words that name its place. */
class Fault extends Error {}

/** Whether a value is a literal, in whichever realm, or the namespace of a module. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function toKind(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (value instanceof Promise) return 'a promise, which nobody awaits'
  const { name } = Object.getPrototypeOf(value).constructor ?? {}
  return typeof name === 'string' && name !== '' && name !== 'Object'
    ? `an instance of ${name}`
    : 'an object that inherits'
}

function notPlain(name: string, kind: string): Fault {
  return new Fault(
    `${name} is ${kind}; options are texts, numbers, true, false, null, lists and plain objects`,
  )
}
