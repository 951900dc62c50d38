import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import type { Side, ThreeOf } from '../../../change/change.js'
import { nameOfField } from '../../../change/compare/field-words.js'
import { fill } from '../../../change/fill.js'
import { ownOf, type PlacedItem, readItems } from '../../../change/items.js'
import { isList, isMap, type Json, type JsonMap } from '../../../model/json.js'
import type { Locale } from '../../../model/locale.js'
import { localeName } from '../../../model/locale-name.js'
import { parsePointer } from '../../../model/pointer.js'
import type { DescribedConflict } from '../../deeds/conflicts.js'
import type { Texts } from '../../texts/language.js'

/** What a conflict is about, on one side, in words; empty where there is nothing. */
export function describeSide(
  { kind, field, values, ...pointers }: DescribedConflict,
  side: Side,
  menus: ThreeOf<Json>,
  t: Texts,
  chain: readonly Locale[],
): string {
  const value = values[side]
  const [key = '', part = null] = field === null ? [] : (parsePointer(field) ?? [])
  if (field !== null) return part === null ? toWords(key, value, t) : toText(value, t)
  if (!isMap(value)) return toText(value, t)
  const pointer = pointers[side]
  const item = pointer === null ? null : findItem(readItems(menus[side]), pointer)
  const place = item === null ? [] : [toPlace(item, t, chain)]
  if (kind === 'move') return place.join('')
  return [...toLines(ownOf(value), t), ...(kind === 'insert' ? place : [])].join('\n')
}

/** The value of a field: labels by language, lists with commas. Fields that are decided together have a line each. */
function toWords(key: string, value: Json, t: Texts): string {
  const { changes, editor, itemForm } = t
  const given = value === null ? (changes.missing[key] ?? null) : value
  if (key === 'type') return editor.types[given as keyof typeof editor.types] ?? toText(given, t)
  if (key === 'permissionMode') return given === 'any' ? itemForm.any : itemForm.all
  if (key === 'routeName' && typeof given === 'string') return changes.inWords?.(key, given) ?? given
  if (!isMap(given)) return toText(given, t)
  if (TOGETHER.includes(key)) return toLines(given, t).join('\n')
  const nameOf = (part: string): string => (key === 'label' && localeName(t.lang, part)) || part
  return Object.entries(given)
    .map(([part, each]) => `${nameOf(part)}: ${toText(each, t)}`)
    .join('\n')
}

/** Fields of an item, a line each; of a label and of attributes, each member. */
function toLines(fields: JsonMap, t: Texts): readonly string[] {
  return Object.entries(fields).map(([key, value]) => {
    const words = toWords(key, value, t)
    return `${nameOfField(key, null, t.changes)}: ${words.includes('\n') ? words.replaceAll('\n', ' · ') : words}`
  })
}

function toText(value: Json, t: Texts): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? t.changes.yes : t.changes.no
  if (isList(value)) return value.map((each) => toText(each, t)).join(', ')
  if (!isMap(value)) return String(value)
  return Object.entries(value)
    .map(([key, each]) => `${key}: ${toText(each, t)}`)
    .join(', ')
}

/** Where an item is: `Shop › Lamps, place 2 of 3`. */
function toPlace({ parent, place }: PlacedItem, t: Texts, chain: readonly Locale[]): string {
  const { places, topLevel } = t.changes
  const count = parent?.below.length ?? 0
  const spot = place === 0 ? places.first : place === count - 1 ? places.last : places.other
  const above = parent === null || parent.parent === null ? topLevel : toName(parent.item, t.actions, chain)
  return fill(places.below, { path: above, place: fill(spot, { position: place + 1, count }) })
}

/** Keys whose values are a map only where other keys are decided with them. */
const TOGETHER: readonly string[] = ['type', 'url', 'routeName', 'permissions', 'visibleFrom', 'visibleUntil']
