import type { Json } from '../../model/json.js'

/** How a text is laid out. Offsets are those of the layout's text. */
export interface Layout {
  readonly text: string
  /** The line ending of new lines. */
  readonly eol: string
  readonly value: Json
  readonly root: Part
  /** The entry of each item by its pointer. */
  readonly items: ReadonlyMap<string, Entry>
  /** The same entries. */
  readonly itemEntries: ReadonlySet<Entry>
}

export type Part = ScalarPart | BlockPart | FlowPart

/** A single value, or anything that is only rewritten as a whole. */
export interface ScalarPart {
  readonly kind: 'scalar'
  /** `empty`: nothing is written; `pair`: a map without braces in a list in brackets. */
  readonly style: 'empty' | 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'pair'
  readonly value: Json
  readonly start: number
  readonly end: number
}

/** A list or a map with one entry a line. */
export interface BlockPart {
  readonly kind: 'block'
  readonly isList: boolean
  readonly value: Json
  readonly column: number
  /** Whether something precedes the first entry in its line. */
  readonly isInline: boolean
  /** The start of its first line; inline, of the first entry. */
  readonly start: number
  /** The end of its lines, comments below its last entry included. */
  readonly end: number
  /** From where on the lines below the last entry belong to no entry. */
  readonly foot: number
  readonly entries: readonly BlockEntry[]
}

/** A list or a map in brackets or braces. */
export interface FlowPart {
  readonly kind: 'flow'
  readonly isList: boolean
  readonly value: Json
  readonly start: number
  readonly end: number
  /** Behind the bracket and a comment in its line. */
  readonly open: number
  /** Where the text before the closing bracket begins that belongs to no entry. */
  readonly close: number
  readonly entries: readonly FlowEntry[]
}

export type Entry = BlockEntry | FlowEntry

/** What an entry of either form has. */
export interface AnyEntry {
  /** The key, in a map. */
  readonly key: string | null
  /** Where the `-`, the `?` or the key begins; in brackets, the value. */
  readonly start: number
  /** Where the key itself begins; in a list, behind the `-`. */
  readonly keyStart: number
  /** Behind the key, the quotes included; behind the `-`. */
  readonly keyEnd: number
  /** Behind the colon; `keyEnd` where there is none. */
  readonly colonEnd: number
  readonly value: Part
}

export interface BlockEntry extends AnyEntry {
  readonly form: 'block'
  readonly column: number
  /** Above it: lines that stay, from here; */
  readonly loose: number
  /** blank lines, from here; */
  readonly gap: number
  /** comments that go with it, from here. */
  readonly lead: number
  /** The end of its lines, comments below it included. */
  readonly end: number
}

export interface FlowEntry extends AnyEntry {
  readonly form: 'flow'
  /** Before it: what stays, from here; */
  readonly loose: number
  /** blanks and comments that go with it, from here. */
  readonly lead: number
  /** The end of its key and value. */
  readonly end: number
  /** The comma behind it, or null. */
  readonly comma: number | null
  /** Behind the comma, and a comment in the comma's line. */
  readonly after: number
}

/** The text of a range. */
export function slice({ text }: Layout, from: number, to: number): string {
  return text.slice(from, to)
}
