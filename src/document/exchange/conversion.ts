import { type Json, type JsonMap, own } from '../../model/json.js'
import { parsePointer, toPointer } from '../../model/pointer.js'
import { quote } from '../issue.js'
import { isAbsent } from './fields.js'

/** What happened to a value on its way between the two formats. */
export interface Note {
  readonly kind: 'changed' | 'renamed' | 'dropped' | 'refused'
  /** JSON Pointer (RFC 6901) to the value in what was given; `''` for the whole. */
  readonly pointer: string
  readonly what: string
}

/** The first notes, and the first refusals among them; `omitted` counts the others. */
export interface Notes {
  readonly notes: readonly Note[]
  readonly omitted: number
  readonly refusals: number
}

export interface Notebook {
  readonly add: (kind: Note['kind'], pointer: string, what: string) => void
  readonly all: () => Notes
}

/** At most this many refusals are listed, and as many other notes. */
const MAX_LISTED = 500

export function createNotebook(): Notebook {
  const notes: Note[] = []
  let [others, refusals] = [0, 0]
  return {
    add(kind, pointer, what) {
      const count = kind === 'refused' ? ++refusals : ++others
      if (count <= MAX_LISTED) notes.push({ kind, pointer, what })
    },
    all: () => ({ notes, refusals, omitted: others + refusals - notes.length }),
  }
}

/** A map of a menu in the making; `at` is its JSON Pointer in the menu, and `from` that of `raw`, which it is made of. */
export interface Conversion {
  readonly raw: JsonMap
  readonly at: string
  readonly from: string
  readonly notebook: Notebook
  /** By the pointer of a value in the menu, where it is from. */
  readonly places: Map<string, string>
  /** The map so far. */
  readonly value: { [key: string]: Json }
  /** The fields whose content is in the menu. */
  readonly used: Set<string>
}

export function createConversion(
  raw: JsonMap,
  at: string,
  from: string,
  { notebook, places }: Pick<Conversion, 'notebook' | 'places'>,
): Conversion {
  places.set(at, from)
  return { raw, at, from, notebook, places, value: {}, used: new Set() }
}

/** A field that has content, else null. */
export function read({ raw }: Conversion, field: string): Json {
  const value = own(raw, field) ?? null
  return isAbsent(value, field) ? null : value
}

/** Puts a value that is from a field at a JSON Pointer; null puts nothing. */
export function put(
  { value: map, at, from, places, used }: Conversion,
  home: string,
  value: Json,
  field: string = home.slice(1),
): void {
  if (value === null) return
  const steps = parsePointer(home) ?? []
  const key = steps.at(-1) ?? ''
  let around = map
  for (const step of steps.slice(0, -1)) {
    around[step] ??= {}
    around = around[step] as typeof map
  }
  around[key] = value
  used.add(field)
  places.set(at + home, from + toPointer([field]))
}

export function note({ notebook, from }: Conversion, kind: Note['kind'], field: string, what: string): null {
  notebook.add(kind, from + toPointer([field]), what)
  return null
}

/** What PHP reads as true and false. */
const FLAGS: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  ...[true, 1, '1'].map((value) => [value, true] as const),
  ...[false, 0, '0'].map((value) => [value, false] as const),
])

export function readFlag(conversion: Conversion, field: string): boolean | null {
  const value = read(conversion, field)
  const what = `${quote(field)} must be true or false, and is ${quote(value)}.`
  return value === null ? null : (FLAGS.get(value) ?? note(conversion, 'refused', field, what))
}

/** A whole number, as a text as well, which is how PHP reads it. */
export function readWhole(conversion: Conversion, field: string): number | null {
  const value = read(conversion, field)
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (number === null || Number.isSafeInteger(number)) return number as number | null
  return note(conversion, 'refused', field, `${quote(field)} must be a whole number, and is ${quote(value)}.`)
}

/** CSS classes with single spaces between them. */
export function readClasses(conversion: Conversion, field: string): string | null {
  const value = read(conversion, field)
  if (value === null) return null
  if (typeof value !== 'string')
    return note(conversion, 'refused', field, `${quote(field)} must be a string.`)
  const classes = value.trim().replace(/\s+/g, ' ')
  if (classes !== value)
    note(conversion, 'changed', field, `${quote(field)} has single spaces between its classes.`)
  return classes === '' ? null : classes
}

/** Keeps the fields that are neither content nor settings under keys that begin with `x-`, and reports content that is not used. */
export function putOthers(
  conversion: Conversion,
  settings: ReadonlySet<string>,
  content: ReadonlySet<string>,
): void {
  for (const [field, value] of Object.entries(conversion.raw)) {
    if (isAbsent(value, field) || settings.has(field) || conversion.used.has(field)) continue
    const key = field.startsWith('x-') ? field : `x-${field}`
    const isTaken = key !== field && Object.hasOwn(conversion.raw, key)
    if (content.has(field) || isTaken) {
      const why = isTaken ? `${quote(key)} is there already` : 'the item has no use for it'
      note(conversion, 'dropped', field, `${quote(field)} is left out: ${why}.`)
      continue
    }
    put(conversion, toPointer([key]), value, field)
    if (key !== field)
      note(conversion, 'renamed', field, `${quote(field)} has no meaning here; it is kept as ${quote(key)}.`)
  }
}
