import { isExactNumber } from '../../model/context.js'
import { isMap } from '../../model/json.js'
import type { Issue } from '../issue.js'
import type { Pointer } from '../value.js'

/** The numbers of a map, and of lists in it, that have lost digits. */
export function numbersIn(map: unknown, pointer: Pointer): Issue[] {
  if (!isMap(map)) return []
  return Object.entries(map).flatMap(([key, value]) => numberIssues(value, [...pointer, key]))
}

function numberIssues(value: unknown, pointer: Pointer): Issue[] {
  if (Array.isArray(value)) return value.flatMap((each, place) => numberIssues(each, [...pointer, place]))
  if (typeof value !== 'number' || isExactNumber(value)) return []
  return [{ code: 'unsafe-number', pointer, what: 'This number is not exact, or not finite.' }]
}
