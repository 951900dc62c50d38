import { isAmong } from '../../change/compare/field-changes.js'

/** Some fields of an item, or all but some: this finds the commit that removed a field of unknown name. */
export interface FieldSet {
  readonly isAllBut: boolean
  /** A name includes its parts: `label` for `label.es`. */
  readonly names: ReadonlySet<string>
}

export const ALL_FIELDS: FieldSet = { isAllBut: true, names: new Set() }

export function hasField({ isAllBut, names }: FieldSet, field: string): boolean {
  return isAmong(names, field) !== isAllBut
}

export function isEmptySet({ isAllBut, names }: FieldSet): boolean {
  return !isAllBut && names.size === 0
}

/** A set without some fields. */
export function without(set: FieldSet, fields: ReadonlySet<string>): FieldSet {
  if (set.isAllBut) return { isAllBut: true, names: new Set([...set.names, ...fields]) }
  return onlyFields([...set.names].filter((name) => !isAmong(fields, name)))
}

/** The fields that are in the set. */
export function within(set: FieldSet, fields: ReadonlySet<string>): FieldSet {
  return onlyFields([...fields].filter((field) => hasField(set, field)))
}

function onlyFields(names: Iterable<string>): FieldSet {
  return { isAllBut: false, names: new Set(names) }
}
