/** A JSON value; a menu file is one, apart from its comments and its form. */
export type Json = null | boolean | number | string | JsonList | JsonMap
export type JsonList = readonly Json[]
export interface JsonMap {
  readonly [key: string]: Json
}

/** A map as it was read, with any content. */
export type RawMap = Readonly<Record<string, unknown>>

export function isList(value: Json | undefined): value is JsonList
export function isList(value: unknown): value is readonly unknown[]
export function isList(value: unknown): boolean {
  return Array.isArray(value)
}

export function isMap(value: Json | undefined): value is JsonMap
export function isMap(value: unknown): value is RawMap
export function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at the end of some steps, through the own keys of maps and the places of lists; undefined where there is none. */
export function valueAt(value: Json, steps: readonly (string | number)[]): Json | undefined
export function valueAt(value: unknown, steps: readonly (string | number)[]): unknown
export function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let found = value
  for (const step of steps) {
    if (isList(found) ? !isPlace(step) : !isMap(found)) return undefined
    if (!Object.hasOwn(found as object, step)) return undefined
    found = (found as RawMap)[step]
  }
  return found
}

/** Whether a step is an index of a list (RFC 6901, section 4: digits without leading zeros). */
export function isPlace(step: string | number): boolean {
  return /^(0|[1-9]\d*)$/.test(String(step))
}

/** Equal as JSON: numbers by value, maps in any order of keys (RFC 6902, section 4.6). YAML's `.nan` equals itself. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((each, place) => isEqual(each, b[place]))
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  )
}

/** A text that only equal values share, apart from `.nan` and `.inf`: keys of maps in one order. */
export function toKey(value: Json): string {
  if (isList(value)) return `[${value.map(toKey).join()}]`
  if (!isMap(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toKey(value[key] as Json)}`).join()}}`
}

/** The value that a map itself has for a key; `__proto__` and `toString` are keys like any other. */
export function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
