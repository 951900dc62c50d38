import { openRuns, stayingPlaces } from '../../change/compare/order.js'
import { groupBy } from '../../model/group-by.js'
import { isList, type JsonList, type JsonMap } from '../../model/json.js'
import { MENU_KEYS } from '../menu-keys.js'
import { commentsOf } from './comments.js'
import type { Editing } from './editing.js'
import { type Entry, entriesOf, type GroupSpot, groupOf, type Spot, spotBelow } from './layout.js'

/** What becomes of one value of a list or a map. */
export interface Step {
  readonly spot: Spot
  /** Its key; null in a list. */
  readonly key: string | null
  /** The entry that it is written from; null for a new one. */
  readonly from: Entry | null
  /** The place of that entry in the list or map; null where it is new, or comes from another list or another text. */
  readonly place: number | null
  /** What stays above it. */
  readonly detached: string
}

type Planned = Omit<Step, 'detached'> & { readonly stays: boolean }

/**
 * Finds for each value of a list or a map the entry that it is written from, in order, and what stays behind the last one.
 * Text between the entries stays at those that stay, and so do the comments of entries that go, unless they are items;
 * `toLines` writes these. A new map is ordered like another.
 */
export function planEntries(
  editing: Editing,
  around: Entry | null,
  spot: GroupSpot,
  like: Entry | null,
  toLines: (comments: readonly string[]) => string,
): { readonly steps: readonly Step[]; readonly rest: string } {
  const entries = entriesOf(around)
  const isInList = isList(spot.value)
  const planned = isInList
    ? planList(editing, entries, (groupOf(around)?.value ?? []) as JsonList, spot as Spot<JsonList>)
    : planMap(entries, spot as Spot<JsonMap>, like)
  const used = new Set(planned.map(({ place }) => place))
  let next = 0
  const upTo = (place: number): string => {
    let text = ''
    for (const entry of entries.slice(next, place + 1)) {
      text += entry.text.slice(entry.detached, entry.gap)
      if (!used.has(next++) && !entry.isItem) text += toLines(commentsOf(entry))
    }
    return text
  }
  // The head of a list stays there, whichever entry comes first.
  const head = isInList ? upTo(0) : ''
  const steps = planned.map(({ stays, ...step }, index) => {
    const detached = stays && step.place !== null ? upTo(step.place) : ''
    return { ...step, detached: index === 0 ? head + detached : detached }
  })
  return { steps, rest: (steps.length === 0 ? head : '') + upTo(entries.length) }
}

function planList(
  { sourceOf }: Editing,
  entries: readonly Entry[],
  before: JsonList,
  around: Spot<JsonList>,
): readonly Planned[] {
  const after = around.value
  const spots = after.map((each, index) => spotBelow(around, String(index), each))
  const places = new Map<Entry | null, number>(entries.map((entry, place) => [entry, place]))
  const aligned =
    around.role === 'items'
      ? spots.map((spot) => places.get(sourceOf(spot)) ?? null)
      : alignLists(before, after)
  const known = aligned.filter((place) => place !== null)
  const staying = new Set([...stayingPlaces(known)].map((each) => known[each]))
  return spots.map((spot, index) => {
    const place = aligned[index] ?? null
    const from = place === null ? sourceOf(spot) : (entries[place] ?? null)
    return { spot, key: null, from, place, stays: place !== null && staying.has(place) }
  })
}

/**
 * For each entry of the list after, the place in the list before of the entry that it is: an equal one, else the one in its
 * place; null for a new one.
 */
function alignLists(before: JsonList, after: JsonList): readonly (number | null)[] {
  const places = groupBy(before.keys(), (place) => JSON.stringify(before[place]))
  const aligned = after.map((each) => places.get(JSON.stringify(each))?.shift() ?? null)
  for (const [old, now] of openRuns(before.length, aligned)) {
    for (const [index, place] of now.entries()) aligned[place] = old[index] ?? null
  }
  return aligned
}

function planMap(entries: readonly Entry[], around: Spot<JsonMap>, like: Entry | null): readonly Planned[] {
  const { role, value } = around
  const isNew = entries.length === 0
  const keys = (isNew ? entriesOf(like) : entries).flatMap(({ key }) => key ?? [])
  const before = isNew ? keys.filter((key) => Object.hasOwn(value, key)) : keys
  return planKeys(before, value, role !== 'other', isNew).map(([key, old]) => {
    const from = old === null ? null : (entries[old] ?? null)
    const place = from === null ? null : old
    return { spot: spotBelow(around, key, value[key] ?? null), key, from, place, stays: true }
  })
}

const DESTINATIONS = ['url', 'routeName']

/**
 * Plans the keys of a map, each with the place that it had, or null: existing keys keep their order, and new ones go where
 * they are customary in items, else where they are in the map; `isNew`: the map has no line yet.
 */
function planKeys(
  before: readonly string[],
  after: JsonMap,
  isCustomary: boolean,
  isNew: boolean,
): readonly (readonly [key: string, place: number | null])[] {
  const plan: { key: string | null; readonly old: string | null }[] = before.map((old) => {
    return { key: Object.hasOwn(after, old) ? old : null, old }
  })
  const order = Object.keys(after)
  const added = order.filter((key) => !before.includes(key))
  const gone = plan.find(({ key, old }) => key === null && DESTINATIONS.includes(old ?? ''))
  const come = added.findIndex((key) => DESTINATIONS.includes(key))
  // A link with another destination keeps it in the same line.
  if (isCustomary && gone !== undefined && come >= 0) gone.key = added.splice(come, 1)[0] ?? null
  for (const key of added) {
    const nearest = order.slice(0, order.indexOf(key)).findLast((each) => before.includes(each))
    const isAbove = (each: string): boolean => (isCustomary ? isCustomaryAbove(each, key) : each === nearest)
    let at = plan.findLastIndex(({ old }) => old !== null && isAbove(old))
    // Where lines exist already, one more line is all that changes.
    if (at === -1 && isCustomary && !isNew) at = plan.findIndex(({ old }) => old !== null)
    while (plan[at + 1]?.old === null) at++
    plan.splice(at + 1, 0, { key, old: null })
  }
  return plan.flatMap(({ key, old }) => {
    return key === null ? [] : [[key, old === null ? null : before.indexOf(old)] as const]
  })
}

/** Whether a key is usually above another; an unknown key is above what may be long. */
function isCustomaryAbove(each: string, key: string): boolean {
  const [rank, other] = [MENU_KEYS.indexOf(key), MENU_KEYS.indexOf(each)]
  return rank < 0 ? each !== 'children' && each !== 'items' : other >= 0 && other < rank
}
