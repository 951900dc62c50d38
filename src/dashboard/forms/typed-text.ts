import { isScalar } from '../../model/context.js'
import { isList, isMap, type Json, type JsonMap } from '../../model/json.js'

/** A value as a field shows it: a text as it is, unless it would be read as something else; anything else as JSON. */
export function toTyped(value: Json | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' && fromTyped(value) === value ? value : JSON.stringify(value)
}

/** The value of a typed text: a scalar of JSON, or a list of them, else the text itself. */
export function fromTyped(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isScalar(value) || (isList(value) && value.every(isScalar)) ? (value as Json) : text
  } catch {
    return text
  }
}

/** A map as lines of `name = value`. */
export function toLines(map: JsonMap): string {
  return Object.entries(map)
    .map(([name, value]) => `${name} = ${toTyped(value)}`)
    .join('\n')
}

/** The map of lines of `name = value`; a name without a value is true. The last of several lines with a name counts. */
export function fromLines(text: string): JsonMap {
  const pairs = listed(text).map((line): [string, Json] => {
    const at = line.indexOf('=')
    return at < 0 ? [line, true] : [line.slice(0, at).trimEnd(), fromTyped(line.slice(at + 1).trimStart())]
  })
  return Object.fromEntries(pairs)
}

/** The lines of a text that are not blank. */
export function listed(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Whether a field was left as it was shown: browsers take line breaks out of some fields, and write them anew in others. */
export function isUntouched(shown: string, typed: string): boolean {
  const plain = (text: string): string => text.replaceAll(/[\r\n]+/g, '').trim()
  return plain(shown) === plain(typed)
}

/** A map, or an empty one where a value is none. */
export function toMap(value: Json | undefined): JsonMap {
  return isMap(value) ? value : {}
}

/** Undefined for a list or a map without entries. */
export function toOptional<Value extends JsonMap | readonly string[]>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

/** The members of a map that are not undefined. */
export function toDefined(map: Readonly<Record<string, Json | undefined>>): JsonMap {
  const entries = Object.entries(map).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  return Object.fromEntries(entries)
}
