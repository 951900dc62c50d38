import { isExactNumber } from '../../model/context.js'
import { isMap, type RawMap } from '../../model/json.js'
import type { Steps } from '../../model/pointer.js'
import type { Issue } from '../issue.js'

/** An entry of a list of items, of any form. */
export interface RawItem {
  readonly entry: unknown
  /** The entry, or an empty map where it is not a map. */
  readonly item: RawMap
  readonly pointer: Steps
  readonly level: number
}

/** Every entry of a list of items and of the lists below it, in the order of the file. */
export function* rawItems(list: unknown, pointer: Steps, level: number): Generator<RawItem> {
  if (!Array.isArray(list)) return
  for (const [place, entry] of list.entries()) {
    // What is not a map counts as an item, too: the limit bounds everything that is judged.
    const item = isMap(entry) ? entry : {}
    yield { entry, item, pointer: [...pointer, place], level }
    yield* rawItems(item['children'], [...pointer, place, 'children'], level + 1)
  }
}

/** The issues of a part of a value, whose pointers begin there, as those of the whole. */
export function* below(pointer: Steps, issues: Iterable<Issue>): Generator<Issue> {
  for (const issue of issues) yield { ...issue, pointer: [...pointer, ...issue.pointer] }
}

/** The numbers under a key of a map, and in maps and lists there, that have lost digits. */
export function* numbersIn(around: RawMap, key: string): Generator<Issue> {
  const map = around[key]
  if (!isMap(map)) return
  for (const [name, value] of Object.entries(map)) yield* numberIssues(value, [key, name])
}

function* numberIssues(value: unknown, pointer: Steps): Generator<Issue> {
  if (Array.isArray(value))
    for (const [place, each] of value.entries()) yield* numberIssues(each, [...pointer, place])
  else if (typeof value === 'number' && !isExactNumber(value))
    yield { code: 'unsafe-number', pointer, what: 'This number is not exact, or not finite.' }
}
