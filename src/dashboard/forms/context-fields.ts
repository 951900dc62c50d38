import { isScalar } from '../../model/context.js'
import { derived } from '../../model/derived.js'
import type { Json, JsonMap } from '../../model/json.js'
import type { Scalar } from '../../model/menu.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { Fields } from '../page.js'
import { fromTyped, isUntouched, toTyped } from './typed-text.js'

/** Pairs that a form has at least. */
const FEWEST_PAIRS = 3
/** Pairs that are read: the most keys that `limits.context_keys` allows. */
const PLACES: readonly number[] = Array.from({ length: 100 }, (_, place) => place + 1)
/** Keys that are offered, and values of each and of all; longer values are not. */
const MOST_OFFERED = 100
const MAX_LENGTH = 400

/** The fields for one key of a context. */
interface ContextField {
  readonly place: number
  readonly key: string
  readonly value: string
  /** What other menus have under this key. */
  readonly values: readonly string[]
}

/** What a form shows of a context, and what it offers for it. */
export interface ContextFields {
  readonly pairs: readonly ContextField[]
  readonly keys: readonly string[]
  /** The values of all keys, each with its key. */
  readonly values: readonly { readonly key: string; readonly value: string }[]
  readonly isFilled: boolean
}

/** A context as the fields of a form. */
export function fromContext(context: JsonMap): [name: string, value: string][] {
  return Object.entries(context).flatMap(([key, value], place): [string, string][] => [
    [`key${place + 1}`, key],
    [`value${place + 1}`, toTyped(value)],
  ])
}

/** The filled pairs of a form with one to add, and the keys and values that menus have. */
export function toContextFields(fields: Fields, snapshot: Snapshot): ContextFields {
  const typed = (name: string): string => fields.get(name) ?? ''
  const filled = PLACES.findLast((place) => typed(`key${place}`) !== '' || typed(`value${place}`) !== '') ?? 0
  const offered = offersOf(snapshot)
  return {
    pairs: PLACES.slice(0, Math.max(filled + 1, FEWEST_PAIRS)).map((place) => {
      const key = typed(`key${place}`)
      return { place, key, value: typed(`value${place}`), values: offered.get(key) ?? [] }
    }),
    keys: [...offered.keys()],
    values: [...offered]
      .flatMap(([key, values]) => values.map((value) => ({ key, value })))
      .slice(0, MOST_OFFERED),
    isFilled: filled > 0,
  }
}

/** What is wrong with a pair, by the name of its text. */
interface PairFault {
  readonly field: string
  readonly reason: 'needsKey' | 'repeatedKey'
}

/** The context of the pairs that were filled in; a pair that shows one of `present` keeps its value. */
export function readContext(
  form: Fields,
  present: JsonMap = {},
): { readonly context: Readonly<Record<string, Json>>; readonly faults: readonly PairFault[] } {
  const shown = Object.entries(present)
  const pairs = new Map<string, Json>()
  const faults: PairFault[] = []
  for (const place of PLACES) {
    const field = `key${place}`
    const [was, kept] = shown[place - 1] ?? []
    const isKept = was !== undefined && isUntouched(was, form.get(field) ?? '')
    const key = isKept ? was : (form.get(field)?.trim() ?? '')
    const value = form.get(`value${place}`)?.trim() ?? ''
    if (!isKept && key === '' && value === '') continue
    if (!isKept && key === '') faults.push({ field, reason: 'needsKey' })
    else if (pairs.has(key)) faults.push({ field, reason: 'repeatedKey' })
    pairs.set(key, isKept && isUntouched(toTyped(kept), value) ? (kept ?? null) : toScalar(value))
  }
  return { context: Object.fromEntries(pairs), faults }
}

/** The value of a text: a value of JSON where it is a scalar, else itself. */
function toScalar(text: string): Scalar {
  const value = fromTyped(text)
  return isScalar(value) ? value : text
}

/** The keys of the menus' contexts with their values, the most used ones first. */
const offersOf = derived(({ files }: Snapshot): ReadonlyMap<string, readonly string[]> => {
  const uses = new Map<string, Map<string, number>>()
  for (const { menu } of files) {
    for (const [key, scalar] of Object.entries(menu?.context ?? {})) {
      const values = uses.get(key) ?? new Map<string, number>()
      const value = toTyped(scalar)
      if (Math.max(key.length, value.length) <= MAX_LENGTH) values.set(value, (values.get(value) ?? 0) + 1)
      uses.set(key, values)
    }
  }
  const sumOf = (values: ReadonlyMap<string, number>): number =>
    [...values.values()].reduce((a, b) => a + b, 0)
  return new Map(
    mostUsed(uses, sumOf).map(([key, values]) => [
      key,
      mostUsed(values, (count) => count).map(([value]) => value),
    ]),
  )
})

function mostUsed<Value>(
  all: ReadonlyMap<string, Value>,
  countOf: (value: Value) => number,
): [string, Value][] {
  return [...all].sort(([, a], [, b]) => countOf(b) - countOf(a)).slice(0, MOST_OFFERED)
}
