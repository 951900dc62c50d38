import { isList, isMap, type Json, type JsonMap } from '../model/json.js'

export { isList, isMap, type Json, type JsonList, type JsonMap } from '../model/json.js'

/** Equal as JSON: numbers by value, maps whatever the order of their keys (RFC 6902, section 4.6). YAML's `.nan` is itself. */
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

/** A text that equal values share, and only those, `.nan` and `.inf` aside: keys of maps in one order. */
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
