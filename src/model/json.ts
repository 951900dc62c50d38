/** A value as JSON has it; a menu file is one, its comments and its form aside. */
export type Json = null | boolean | number | string | JsonList | JsonMap
export type JsonList = readonly Json[]
export interface JsonMap {
  readonly [key: string]: Json
}

/** A map as it was read, whatever is in it. */
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
