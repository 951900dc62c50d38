import { isEqual, isList, isMap, type Json } from '../../model/json.js'
import { fill } from '../fill.js'
import { toSeries } from './audience.js'
import { type ItemDifference, type ItemPlace, isOwnChange, type MenuDifference } from './differences.js'
import type { FieldChange, FieldKind } from './field-changes.js'

/** A change in words: what changed, from what to what; null where there was or is nothing. All texts are data. */
export interface DescribedChange {
  readonly what: string
  /** The locale of its texts, where it is known. */
  readonly locale?: string | null
  readonly from: string | null
  readonly to: string | null
  /** Whether nothing changed: `to` is a fact of an item that is new or gone. */
  readonly isFact?: true
}

/** The words of a language for fields and places. In a text, names in braces are replaced by what it is about. */
export interface FieldWords {
  /** What people call a key, where that is not the key. */
  readonly names: Readonly<Record<string, string>>
  /** The meaning of a missing key. */
  readonly missing: Readonly<Record<string, string>>
  readonly yes: string
  readonly no: string
  /** A value of a key in words; null, and by default: as it is written. */
  readonly inWords?: (key: string, value: Json) => string | null
  /** A text of a label in `{part}`, an attribute of the name `{part}`. */
  readonly label: string
  readonly attribute: string
  readonly topLevel: string
  /** The `{position}` in a list below `{path}`. */
  readonly place: string
  /** The places of a list of `{count}` items, and one of them in the list below `{path}`. */
  readonly places: { readonly [place in 'first' | 'last' | 'other' | 'below']: string }
}

export const FIELD_WORDS: FieldWords = {
  names: {
    routeName: 'route',
    routeParams: 'route parameters',
    url: 'address',
    permissionMode: 'permission mode',
    visibleFrom: 'visible from',
    visibleUntil: 'visible until',
  },
  missing: { type: 'link', permissionMode: 'all', hidden: 'no', context: 'no context' },
  yes: 'yes',
  no: 'no',
  label: 'label ({part})',
  attribute: 'attribute {part}',
  topLevel: 'top level',
  place: '{path}, place {position}',
  places: {
    first: 'first place',
    last: 'last place',
    other: 'place {position} of {count}',
    below: '{path}, {place}',
  },
}
const MAX_NAMED = 3

export function describeField(
  { key, part, ...values }: FieldChange,
  words: FieldWords = FIELD_WORDS,
): DescribedChange {
  const inWords = (value: Json | undefined): string | null => {
    if (key === 'hidden' && typeof value === 'boolean') return value ? words.yes : words.no
    if (value !== undefined && value !== null && !isEmpty(value))
      return words.inWords?.(key, value) ?? toText(value)
    return part === null ? (textIn(words.missing, key) ?? null) : null
  }
  const change = { what: nameOfField(key, part, words), from: inWords(values.from), to: inWords(values.to) }
  return key === 'label' ? { ...change, locale: part } : change
}

/** Where a moved item was and is: `Shop › Lamps, place 2`. */
export function describeMove(before: ItemPlace, after: ItemPlace): DescribedChange {
  return { what: 'moved', from: toSpot(before, FIELD_WORDS), to: toSpot(after, FIELD_WORDS) }
}

/** Where an item that moved or is new is now: `first place`, `place 3 of 5`, in another list `Shop › Lamps, last place`. */
export function toNewPlace(before: ItemPlace | null, after: ItemPlace, words: FieldWords): string {
  const { path, position, count } = after
  const { first, last, other, below } = words.places
  const place = position === 1 ? first : position === count ? last : fill(other, { position, count })
  return before !== null && isSameList(before, after)
    ? place
    : fill(below, { path: toPath(path, words), place })
}

/** What a field is called: `address`, `label (es)`, `attribute rel`. */
export function nameOfField(key: string, part: string | null, words: FieldWords = FIELD_WORDS): string {
  if (part === null) return textIn(words.names, key) ?? key
  return key === 'label' || key === 'attributes'
    ? fill(key === 'label' ? words.label : words.attribute, { part })
    : `${key} ${part}`
}

function textIn(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}

/** One short line on a change of a menu, such as `3 items: “Blog” relabelled (en), 1 added, 1 removed`. All texts are data. */
export function toSummary({ fields, items }: MenuDifference): string {
  const own = items.filter(isOwnChange)
  const changed = own.filter(({ kind }) => kind === 'changed')
  const byWidening = [...changed].sort((a, b) => Number(b.widens) - Number(a.widens))
  const parts = byWidening.slice(0, MAX_NAMED).map((each) => `${nameIn(each)} ${toVerbs(each)}`)
  if (changed.length > MAX_NAMED) parts.push(`${changed.length - MAX_NAMED} more changed`)
  for (const kind of ['added', 'removed'] as const) {
    const some = own.filter((each) => each.kind === kind)
    const [only] = some
    if (only === undefined) continue
    parts.push(own.length === 1 ? `${nameIn(only)} ${kind}` : `${some.length} ${kind}`)
  }
  const menu = [...new Set(fields.map(({ key }) => `${key} changed`))].join(', ')
  const count = own.length > 1 ? `${own.length} items: ` : ''
  return (
    [menu, own.length === 0 ? '' : count + parts.join(', ')].filter((part) => part !== '').join('; ') ||
    'nothing changed'
  )
}

/** What was done to a changed item: `relabelled (en, es) and moved under “Shop”`. */
function toVerbs({ before, after, moved, fields, widens, narrows }: ItemDifference): string {
  const has = (kind: FieldKind): boolean => fields.some((field) => field.kind === kind)
  const locales = fields.flatMap(({ kind, part }) => (kind === 'label' && part !== null ? [part] : []))
  const isHidden = fields.some(({ kind, to }) => kind === 'hidden' && to === true)
  const others = fields.filter(({ kind }) => kind === 'key').map(({ key }) => key)
  const verbs = [
    has('label') && (locales.length === 0 ? 'relabelled' : `relabelled (${locales.join(', ')})`),
    moved && before !== null && after !== null && toMoveVerb(before, after),
    has('target') && 'leads elsewhere',
    has('hidden') && (isHidden ? 'hidden' : 'no longer hidden'),
    widens && 'seen by more',
    narrows && !has('hidden') && (widens ? 'by fewer' : 'seen by fewer'),
    has('window') && 'visible at other times',
    has('permissions') && !widens && !narrows && 'permissions changed',
    ...(['icon', 'type', 'attributes', 'id'] as const).map((kind) => has(kind) && `${kind} changed`),
    ...others.map((key) => `${key} changed`),
  ]
  return toSeries(verbs.filter((verb) => verb !== false))
}

function toMoveVerb(before: ItemPlace, after: ItemPlace): string {
  const above = after.path.at(-1)
  if (isSameList(before, after)) return `moved to place ${after.position}`
  return above === undefined ? 'moved to the top level' : `moved under “${above}”`
}

function isSameList(before: ItemPlace, after: ItemPlace): boolean {
  const [from, to] = [before.pointer, after.pointer].map((each) => each.slice(0, each.lastIndexOf('/')))
  return from === to || isEqual(before.path, after.path)
}

function nameIn({ before, after }: ItemDifference): string {
  return `“${(after ?? before)?.name ?? ''}”`
}

function toSpot({ path, position }: ItemPlace, words: FieldWords): string {
  return fill(words.place, { path: toPath(path, words), position })
}

function toPath(path: ItemPlace['path'], { topLevel }: FieldWords): string {
  return path.length === 0 ? topLevel : path.join(' › ')
}

function isEmpty(value: Json): boolean {
  return isMap(value) ? Object.keys(value).length === 0 : isList(value) ? value.length === 0 : value === ''
}

/** A value for people: texts as they are, lists and maps without quotes where possible. */
function toText(value: Json): string {
  if (typeof value === 'string') return value
  if (isList(value)) return value.map(toText).join(', ')
  if (!isMap(value)) return String(value)
  const members = Object.entries(value).map(([key, each]) => `${key}: ${JSON.stringify(each)}`)
  return `{${members.join(', ')}}`
}
