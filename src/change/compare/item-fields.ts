import { isEqual, isMap, type Json, type JsonMap } from '../../model/json.js'
import { IN_PARTS, itemChanges } from './field-changes.js'

/** The fields of an item: its keys; for labels and attributes, each member. Items below it are not fields. */
export function fieldsOf(item: JsonMap): readonly string[] {
  return Object.keys(item).flatMap((key) => {
    const value = item[key]
    if (key === 'children') return []
    return isInParts(key, value) ? Object.keys(value).map((part) => `${key}.${part}`) : [key]
  })
}

/**
 * The fields that differ between two versions of an item, lost ones included. A label that is one text is the same text in
 * each locale. Where a label or attributes became one value, that is the field that differs, and it covers the fields
 * before.
 */
export function editedFields(before: JsonMap, after: JsonMap): readonly string[] {
  const fields = itemChanges(before, after).flatMap(({ key, part, from, to }) => {
    if (part !== null) return [isInParts(key, after[key] ?? before[key]) ? `${key}.${part}` : key]
    if (!isInParts(key, to)) return [key]
    const isKept = (value: Json | undefined): boolean => key === 'label' && isEqual(value, from)
    return Object.keys(to).flatMap((name) => (isKept(to[name]) ? [] : [`${key}.${name}`]))
  })
  return [...new Set(fields)]
}

/** Whether a field is one of these, or a part of one. */
export function isAmong(names: ReadonlySet<string>, field: string): boolean {
  const dot = field.indexOf('.')
  return names.has(field) || (dot > 0 && names.has(field.slice(0, dot)))
}

function isInParts(key: string, value: Json | undefined): value is JsonMap {
  return IN_PARTS.includes(key) && isMap(value) && Object.keys(value).length > 0
}
