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

/** Every entry of a list of items and of the lists below it, in the order of the file, behind those `found` before. */
export function rawItems(list: unknown, pointer: Steps, level: number, found: RawItem[] = []): RawItem[] {
  if (!Array.isArray(list)) return found
  for (const [place, entry] of list.entries()) {
    // What is not a map counts as an item, too: the limit bounds everything that is judged.
    const item = isMap(entry) ? entry : {}
    found.push({ entry, item, pointer: [...pointer, place], level })
    const { children } = item
    if (Array.isArray(children)) rawItems(children, [...pointer, place, 'children'], level + 1, found)
  }
  return found
}

/** The issues of a part of a value, whose pointers begin there, as those of the whole. */
export function below(pointer: Steps, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, pointer: [...pointer, ...issue.pointer] }))
}

/** The numbers under a key of a map, and in maps and lists there, that have lost digits. */
export function numbersIn(around: RawMap, key: string): Issue[] {
  const map = around[key]
  return isMap(map) ? Object.entries(map).flatMap(([name, value]) => numberIssues(value, [key, name])) : []
}

function numberIssues(value: unknown, pointer: Steps): Issue[] {
  if (Array.isArray(value)) return value.flatMap((each, place) => numberIssues(each, [...pointer, place]))
  const isFine = typeof value !== 'number' || isExactNumber(value)
  return isFine ? [] : [{ code: 'unsafe-number', pointer, what: 'This number is not exact, or not finite.' }]
}
