import { isEqual, isMap, type Json, type JsonMap } from '../json.js'

/** Of these keys, each member is a field of its own: `label.es`, `attributes.rel`. */
export const IN_PARTS: readonly string[] = ['label', 'attributes', 'display']

/** The fields that an item has: its keys, of labels and attributes each member. What is below it is none. */
export function fieldsOf(item: JsonMap): readonly string[] {
  return Object.keys(item).flatMap((key) => (key === 'children' ? [] : partsOf(key, item[key])))
}

/**
 * The fields that differ between two versions of an item, those that it lost included. A label that is one text is the
 * same text in each locale. Where a label or attributes became one value, that is the field that differs, and it covers
 * those before.
 */
export function editedFields(before: JsonMap, after: JsonMap): readonly string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)])
  keys.delete('children')
  return [...keys].flatMap((key) => {
    const [from, to] = [own(before, key), own(after, key)]
    if (isEqual(from, to)) return []
    if (!isInParts(key, to ?? from) || (to !== undefined && !isMap(to))) return [key]
    const names = new Set([...partsOf(key, to), ...(isMap(from) ? partsOf(key, from) : [])])
    return [...names].filter((name) => !isEqual(textOf(key, from, name), textOf(key, to, name)))
  })
}

/** Whether a field is one of these, or a part of one. */
export function isAmong(names: ReadonlySet<string>, field: string): boolean {
  const dot = field.indexOf('.')
  return names.has(field) || (dot > 0 && names.has(field.slice(0, dot)))
}

function partsOf(key: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return []
  if (!isInParts(key, value)) return [key]
  return Object.keys(value as JsonMap).map((part) => `${key}.${part}`)
}

function isInParts(key: string, value: Json | undefined): boolean {
  return IN_PARTS.includes(key) && isMap(value) && Object.keys(value).length > 0
}

function textOf(key: string, value: Json | undefined, field: string): Json | undefined {
  if (isMap(value)) return own(value, field.slice(key.length + 1))
  return key === 'label' && typeof value === 'string' ? value : undefined
}

function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
