import { isScalar } from '../../model/context.js'
import { derived } from '../../model/derived.js'
import type { Json, JsonMap } from '../../model/json.js'
import type { Scalar } from '../../model/menu.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { Fields } from '../page.js'
import type { Texts } from '../texts/language.js'
import { fromTyped, isUntouched, toTyped } from './typed-text.js'

/** The button that asks for one more pair. */
const ADDS_CONDITION = 'add-condition'
/** Before the name of a condition that was chosen in a list: whatever it is called, it is none of the other options. */
const CHOSEN = '='
/** Pairs that are read: the most keys that `limits.context_keys` allows. */
const PLACES: readonly number[] = Array.from({ length: 100 }, (_, place) => place + 1)
/** Keys that are offered, and values of each and of all; longer values are not. */
const MOST_OFFERED = 100
const MAX_LENGTH = 400

/** The fields for one key of a context. */
interface ContextField {
  readonly place: number
  readonly key: string
  /** Whether it is among the keys to choose from. */
  readonly isKnown: boolean
  readonly value: string
  /** Whether it is yes or no wherever menus have it, which is `true` or `false` here. */
  readonly isYesNo: boolean
  /** What other menus have under this key. */
  readonly values: readonly string[]
}

/** What a form shows of a context, and what it offers for it. */
export interface ContextFields {
  readonly pairs: readonly ContextField[]
  readonly keys: readonly string[]
  /** The values of all keys, each with its key. */
  readonly values: readonly { readonly key: string; readonly value: string; readonly isYesNo: boolean }[]
  readonly isOpen: boolean
}

/** A context as the fields of a form. */
export function fromContext(context: JsonMap): [name: string, value: string][] {
  return Object.entries(context).flatMap(([key, value], place): [string, string][] => [
    [`key${place + 1}`, key],
    [`value${place + 1}`, toTyped(value)],
  ])
}

/** The filled pairs of a form, with one to add where that is asked for or there is none, and the keys and values that menus have. */
export function toContextFields(fields: Fields, snapshot: Snapshot): ContextFields {
  const typed = (name: string): string => fields.get(name) ?? ''
  const filled = PLACES.findLast((place) => keyIn(fields, place) !== '' || typed(`value${place}`) !== '') ?? 0
  const offered = offersOf(snapshot)
  const isAdding = addsCondition(fields)
  const count = isAdding ? filled + 1 : Math.max(filled, 1)
  return {
    pairs: PLACES.slice(0, count).map((place) => {
      const key = keyIn(fields, place)
      const values = offered.get(key)
      return {
        place,
        key,
        isKnown: values !== undefined,
        value: typed(`value${place}`),
        isYesNo: isYesNo(values),
        values: isYesNo(values) ? BOOLEANS : (values ?? []),
      }
    }),
    keys: [...offered.keys()],
    values: [...offered]
      .flatMap(([key, values]) =>
        (isYesNo(values) ? BOOLEANS : values).map((value) => ({ key, value, isYesNo: isYesNo(values) })),
      )
      .slice(0, MOST_OFFERED),
    isOpen: filled > 0 || isAdding,
  }
}

/** Whether a form is sent for one more pair, and for nothing else yet. */
export function addsCondition(form: Fields): boolean {
  return form.get('do') === ADDS_CONDITION
}

/** The key of a pair: the one that was chosen, else the one that was typed. */
function keyIn(form: Fields, place: number): string {
  const chosen = form.get(`known${place}`) ?? ''
  return chosen.startsWith(CHOSEN) ? chosen.slice(CHOSEN.length) : (form.get(`key${place}`) ?? '')
}

/** What is wrong with a pair, by the name of its text. */
interface PairFault {
  readonly field: string
  readonly reason: 'needsKey' | 'repeatedKey'
}

const BOOLEANS: readonly string[] = ['true', 'false']
const isYesNo = (values: readonly string[] = ['']): boolean =>
  values.every((value) => BOOLEANS.includes(value))

/** The conditions that are yes or no wherever menus have them, and what is typed for that, in lower case. */
export interface YesNo {
  readonly keys: ReadonlySet<string>
  readonly words: ReadonlyMap<string, boolean>
}

/** The conditions that are so in a snapshot, and the words in English and in the language of the page. */
export function yesNoIn(snapshot: Snapshot, { changes: { yes, no } }: Texts): YesNo {
  const keys = [...offersOf(snapshot)].flatMap(([key, values]) => (isYesNo(values) ? [key] : []))
  const words = [true, false].flatMap((value) =>
    (value ? ['true', 'yes', yes] : ['false', 'no', no]).map((word) => [word, value] as const),
  )
  return { keys: new Set(keys), words: new Map(words) }
}

/** The context of the pairs that were filled in; a pair that shows one of `present` keeps its value. */
export function readContext(
  form: Fields,
  yesNo: YesNo,
  present: JsonMap = {},
): { readonly context: Readonly<Record<string, Json>>; readonly faults: readonly PairFault[] } {
  const shown = Object.entries(present)
  const pairs = new Map<string, Json>()
  const faults: PairFault[] = []
  for (const place of PLACES) {
    const field = `key${place}`
    const [was, kept] = shown[place - 1] ?? []
    const typed = keyIn(form, place)
    const isKept = was !== undefined && isUntouched(was, typed)
    const key = isKept ? was : typed.trim()
    const value = form.get(`value${place}`)?.trim() ?? ''
    if (!isKept && key === '' && value === '') continue
    if (!isKept && key === '') faults.push({ field, reason: 'needsKey' })
    else if (pairs.has(key)) faults.push({ field, reason: 'repeatedKey' })
    const read = (yesNo.keys.has(key) ? yesNo.words.get(value.toLowerCase()) : null) ?? toScalar(value)
    pairs.set(key, isKept && isUntouched(toTyped(kept), value) ? (kept ?? null) : read)
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
