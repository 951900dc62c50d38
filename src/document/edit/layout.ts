import { isList, isMap, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import type { ScalarStyle } from '../node.js'

/** How a text is laid out. Offsets are those of the layout's text. */
export interface Layout {
  readonly text: string
  /** The line ending of new lines. */
  readonly eol: string
  /** The menu, as if it were the value of an entry. */
  readonly menu: Entry
  /** The entry of each item by its pointer. */
  readonly items: ReadonlyMap<string, Entry>
}

export type Part = ScalarPart | GroupPart

/** A single value, or anything that is only rewritten as a whole. */
export interface ScalarPart {
  readonly kind: 'scalar'
  /** `empty`: nothing is written; `pair`: a map without braces in a list in brackets. */
  readonly style: ScalarStyle | 'empty' | 'pair'
  readonly value: Json
  readonly start: number
  readonly end: number
}

/** A list or a map: `block` with one entry a line, or `flow` in brackets or braces. */
export interface GroupPart {
  readonly kind: 'block' | 'flow'
  readonly isList: boolean
  readonly value: Json
  /** The column of the entries of a block. */
  readonly column: number
  /** Whether something precedes the first entry of a block in its line. */
  readonly isInline: boolean
  /** The start of the first line of a block, if it is not inline; else of its first character. */
  readonly start: number
  /** The end of its lines, comments below its last entry included; behind the closing bracket. */
  readonly end: number
  /** Behind the opening bracket and a comment in its line. */
  readonly open: number
  /** From where on the text behind the last entry belongs to no entry. */
  readonly close: number
  readonly entries: readonly Entry[]
}

/** A value of a list or a map, with its key and what belongs to it. */
export interface Entry {
  /** The whole text that it is in. */
  readonly text: string
  readonly form: 'block' | 'flow'
  readonly isItem: boolean
  /** The key, in a map. */
  readonly key: string | null
  /** The column of its first line. */
  readonly column: number
  /** Above it: what stays, from here; */
  readonly detached: number
  /** blank lines of a block, from here; */
  readonly gap: number
  /** comments that go with it, from here. */
  readonly lead: number
  /** Where the `-`, the `?` or the key begins; in a list in brackets, the value. */
  readonly start: number
  /** Where the key itself begins; in a list, behind the `-`. */
  readonly keyStart: number
  /** Behind the key, the quotes included; behind the `-`. */
  readonly keyEnd: number
  /** Behind the colon; `keyEnd` where there is none. */
  readonly colonEnd: number
  readonly value: Part
  /** The end of its lines, comments below it included; in brackets, of its key and value. */
  readonly end: number
  /** The comma behind it, or null. */
  readonly comma: number | null
  /** Behind the comma, and a comment in the comma's line; in a block, its end. */
  readonly after: number
}

/** The list or the map that is the value of an entry; null for none. */
export function groupOf(entry: Entry | null): GroupPart | null {
  return entry === null || entry.value.kind === 'scalar' ? null : entry.value
}

/** The entries of the list or the map that is the value of an entry. */
export function entriesOf(entry: Entry | null): readonly Entry[] {
  return groupOf(entry)?.entries ?? []
}

/** A value and what it is to its menu; for items and what is around them, where: an item is identified by its place. */
export interface Spot<V extends Json = Json> {
  readonly role: 'menu' | 'items' | 'item' | 'other'
  /** Its JSON Pointer; for a value without items, that of the nearest value around it with items. */
  readonly at: string
  readonly value: V
}

/** The spot of a list or a map. */
export type GroupSpot = Spot<JsonList | JsonMap>

export function isGroup(spot: Spot): spot is GroupSpot {
  return isList(spot.value) || isMap(spot.value)
}

export function menuSpot<V extends Json>(value: V): Spot<V> {
  return { role: 'menu', at: '', value }
}

/** The spot of a value below another, under a key or at a place. */
export function spotBelow({ role, at }: Spot, step: string, value: Json): Spot {
  const isItems = (role === 'menu' && step === 'items') || (role === 'item' && step === 'children')
  if (isItems && isList(value)) return { role: 'items', at: `${at}/${step}`, value }
  if (role === 'items' && isMap(value)) return { role: 'item', at: `${at}/${step}`, value }
  return { role: 'other', at, value }
}
