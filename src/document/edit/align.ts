import { openRuns, stayingPlaces } from '../../change/compare/order.js'
import type { Json, JsonMap } from '../../model/json.js'
import { MENU_KEYS } from '../menu-keys.js'

/**
 * For each entry of a list after, the place in the list before of the entry that it is: an equal one, else the one that
 * stood there; null for a new one.
 */
export function alignLists(before: readonly Json[], after: readonly Json[]): readonly (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [place, each] of before.entries()) {
    const key = JSON.stringify(each)
    const list = places.get(key)
    if (list === undefined) places.set(key, [place])
    else list.push(place)
  }
  for (const list of places.values()) list.reverse()
  const aligned = after.map((each) => places.get(JSON.stringify(each))?.pop() ?? null)
  for (const [old, now] of openRuns(before.length, aligned)) {
    for (const [index, place] of now.entries()) aligned[place] = old[index] ?? null
  }
  return aligned
}

/** Which entries of a list, by their new places, stayed where they were, given the places that they had. */
export function stayingEntries(kept: readonly (number | null)[]): ReadonlySet<number> {
  const known = kept.flatMap((place, index) => (place === null ? [] : [{ place, index }]))
  const staying = stayingPlaces(known.map(({ place }) => place))
  return new Set([...staying].map((each) => known[each]?.index ?? -1))
}

/** What becomes of the keys of a map: for each old one its new name, or null; and the new ones behind old ones (null: first). */
export interface KeyPlan {
  readonly kept: ReadonlyMap<string, string>
  readonly added: ReadonlyMap<string | null, readonly string[]>
}

const DESTINATIONS = ['url', 'routeName']

/** Plans the keys of a map: those that are there stay in their order, and new ones come where they are customary; `isNew` says that no line of it is there yet. */
export function planKeys(
  before: readonly string[],
  after: JsonMap,
  isCustomary: boolean,
  isNew = false,
): KeyPlan {
  const kept = new Map<string, string>()
  for (const key of before) if (Object.hasOwn(after, key)) kept.set(key, key)
  const added = Object.keys(after).filter((key) => !kept.has(key))
  if (isCustomary) replaceDestination(before, kept, added)
  const behind = new Map<string | null, string[]>()
  const order = Object.keys(after)
  for (const key of added) {
    const place = isCustomary ? customaryPlace(before, key, isNew) : placeIn(order, before, key)
    const list = behind.get(place)
    if (list === undefined) behind.set(place, [key])
    else list.push(key)
  }
  return { kept, added: behind }
}

/** A link that leads elsewhere does so in the same line. */
function replaceDestination(before: readonly string[], kept: Map<string, string>, added: string[]): void {
  const old = before.filter((key) => DESTINATIONS.includes(key) && !kept.has(key))
  const now = added.filter((key) => DESTINATIONS.includes(key))
  const [from, to] = [old[0], now[0]]
  if (from === undefined || to === undefined) return
  kept.set(from, to)
  added.splice(added.indexOf(to), 1)
}

/** The old key behind which a new one comes: the last that customarily stands before it, else, where lines are there already, the first, so that one more line is all that changes. */
function customaryPlace(before: readonly string[], key: string, isNew: boolean): string | null {
  const rank = rankOf(key)
  const isBefore = (each: string): boolean =>
    rank < 0 ? !isLast(each) : rankOf(each) >= 0 && rankOf(each) < rank
  return before.findLast(isBefore) ?? (isNew ? null : (before[0] ?? null))
}

function rankOf(key: string): number {
  return MENU_KEYS.indexOf(key)
}

/** What may be long stands last. */
function isLast(key: string): boolean {
  return key === 'children' || key === 'items'
}

function placeIn(order: readonly string[], before: readonly string[], key: string): string | null {
  const at = order.indexOf(key)
  for (let place = at - 1; place >= 0; place--) {
    const found = order[place]
    if (found !== undefined && before.includes(found)) return found
  }
  return null
}
