import { toReason } from '../service/log.js'

/** Options nest three deep; whatever nests so deeply goes in circles. */
const MAX_DEPTH = 20

/**
 * A copy of what a program or a module gives as options, as a file would hold it: what is undefined was not given.
 * Anything else than plain data would be passed over without a word (a map, a promise, an instance of a class), so it is
 * an error that names the option. Throws for getters that throw, too.
 */
export function toPlainData(given: unknown, name: string): unknown {
  return copy(given, name, 0)
}

function copy(value: unknown, name: string, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value !== 'object') throw notPlain(name, toKind(value))
  if (depth > MAX_DEPTH) throw new Error(`${name.slice(0, 80)}… goes in circles`)
  if (Array.isArray(value)) {
    return Array.from(value, (each, place) => copy(each, `${name}[${place}]`, depth + 1))
  }
  if (!isPlain(value)) throw notPlain(name, toKind(value))
  const entries: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    const member = read(value, key, `${name}.${key}`)
    if (member !== undefined) entries.push([key, copy(member, `${name}.${key}`, depth + 1)])
  }
  // Not by assignment: `__proto__` would be more than a key.
  return Object.fromEntries(entries)
}

/** Whether a value is a literal, in whichever realm, or the namespace of a module. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function read(value: object, key: string, name: string): unknown {
  try {
    return Reflect.get(value, key)
  } catch (thrown) {
    throw new Error(`${name} cannot be read: ${toReason(thrown)}`)
  }
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

function notPlain(name: string, kind: string): Error {
  return new Error(
    `${name} is ${kind}; options are texts, numbers, true, false, null, lists and plain objects`,
  )
}
