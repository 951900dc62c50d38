import { openRuns, stayingPlaces } from '../../change/compare/order.js'
import { isList, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import { commentsOf } from './comments.js'
import type { Editing } from './editing.js'
import { type Entry, entriesOf, groupOf, type Site, siteBelow } from './layout.js'
import { planKeys } from './plan-keys.js'

/** What becomes of one value of a list or a map. */
export interface Step {
  readonly value: Json
  readonly site: Site
  /** Its key; null in a list. */
  readonly key: string | null
  /** The entry that it is written from; null for a new one. */
  readonly from: Entry | null
  /** The place of that entry in the list or map; null where it is new, or comes from another list or another text. */
  readonly place: number | null
  /** What stays above it. */
  readonly loose: string
}

type Planned = Omit<Step, 'loose'> & { readonly stays: boolean }

/**
 * Finds for each value of a list or a map the entry that it is written from, in order, and what stays behind the last one.
 * Text between the entries stays at those that stay, and so do the comments of entries that go, unless they are items;
 * `toLines` writes these. A new map is ordered like another.
 */
export function planEntries(
  editing: Editing,
  around: Entry | null,
  value: JsonList | JsonMap,
  site: Site,
  like: Entry | null,
  toLines: (comments: readonly string[]) => string,
): { readonly steps: readonly Step[]; readonly rest: string } {
  const entries = entriesOf(around)
  const planned = isList(value)
    ? planList(editing, entries, (groupOf(around)?.value ?? []) as JsonList, value, site)
    : planMap(entries, value as JsonMap, site, like)
  const used = new Set(planned.map(({ place }) => place))
  let next = 0
  const upTo = (place: number): string => {
    let text = ''
    for (const entry of entries.slice(next, place + 1)) {
      text += entry.text.slice(entry.loose, entry.gap)
      if (!used.has(next++) && !entry.isItem) text += toLines(commentsOf(entry))
    }
    return text
  }
  // The head of a list stays there, whichever entry comes first.
  const head = isList(value) ? upTo(0) : ''
  const steps = planned.map(({ stays, ...step }, index) => {
    const loose = stays && step.place !== null ? upTo(step.place) : ''
    return { ...step, loose: index === 0 ? head + loose : loose }
  })
  return { steps, rest: (steps.length === 0 ? head : '') + upTo(entries.length) }
}

function planList(
  { sourceOf }: Editing,
  entries: readonly Entry[],
  before: JsonList,
  after: JsonList,
  around: Site,
): readonly Planned[] {
  const sites = after.map((each, index) => siteBelow(around, String(index), each))
  const places = new Map<Entry | null, number>(entries.map((entry, place) => [entry, place]))
  const aligned =
    around.role === 'items'
      ? sites.map((site) => places.get(sourceOf(site)) ?? null)
      : alignLists(before, after)
  const known = aligned.filter((place) => place !== null)
  const staying = new Set([...stayingPlaces(known)].map((each) => known[each]))
  return after.map((value, index) => {
    const [site = around, place = null] = [sites[index], aligned[index]]
    const from = place === null ? sourceOf(site) : (entries[place] ?? null)
    return { value, site, key: null, from, place, stays: place !== null && staying.has(place) }
  })
}

/**
 * For each entry of the list after, the place in the list before of the entry that it is: an equal one, else the one in its
 * place; null for a new one.
 */
function alignLists(before: JsonList, after: JsonList): readonly (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [place, each] of [...before.entries()].reverse()) {
    const key = JSON.stringify(each)
    places.set(key, places.get(key) ?? [])
    places.get(key)?.push(place)
  }
  const aligned = after.map((each) => places.get(JSON.stringify(each))?.pop() ?? null)
  for (const [old, now] of openRuns(before.length, aligned)) {
    for (const [index, place] of now.entries()) aligned[place] = old[index] ?? null
  }
  return aligned
}

function planMap(
  entries: readonly Entry[],
  value: JsonMap,
  around: Site,
  like: Entry | null,
): readonly Planned[] {
  const isNew = entries.length === 0
  const keys = (isNew ? entriesOf(like) : entries).flatMap(({ key }) => key ?? [])
  const before = isNew ? keys.filter((key) => Object.hasOwn(value, key)) : keys
  return planKeys(before, value, around.role !== 'other', isNew).map(([key, old]) => {
    const each = value[key] ?? null
    const from = old === null ? null : (entries[old] ?? null)
    const place = from === null ? null : old
    return { value: each, site: siteBelow(around, key, each), key, from, place, stays: true }
  })
}
