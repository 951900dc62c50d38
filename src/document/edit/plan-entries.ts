import { openRuns, stayingPlaces } from '../../change/compare/order.js'
import { isList, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import { commentsOf } from './comments.js'
import type { Around, Editing, Located } from './editing.js'
import { type BlockPart, type Entry, type FlowPart, slice } from './layout.js'
import { planKeys } from './plan-keys.js'
import { type Site, siteBelow } from './site.js'
import type { Like } from './styles.js'

/** What becomes of one value of a list or a map. */
export interface Step<E extends Entry> {
  readonly value: Json
  readonly site: Site
  /** Its key; null in a list. */
  readonly key: string | null
  /** The entry of the list or map that it is; null for a new one. */
  readonly own: E | null
  /** The entry of another list, or of another text, that it is; null for a new one. */
  readonly moved: Located | null
  readonly wasFirst: boolean
  /** What stays above it. */
  readonly loose: string
}

export interface Plan<E extends Entry> {
  readonly steps: readonly Step<E>[]
  /** What stays behind the last one. */
  readonly rest: string
}

type Planned<E extends Entry> = Omit<Step<E>, 'loose'> & {
  readonly place: number | null
  readonly stays: boolean
}

/**
 * Finds for each value of a list or a map the entry that it is written from, in order. Text between the entries stays at
 * those that stay, and so do the comments of entries that go, unless they are items; `toLines` writes these.
 */
export function planEntries<E extends Entry>(
  editing: Editing,
  around: Around<(BlockPart | FlowPart) & { readonly entries: readonly E[] }> | null,
  value: JsonList | JsonMap,
  site: Site,
  toLines: (comments: readonly string[]) => string,
): Plan<E> {
  const entries = around?.part.entries ?? []
  const planned = isList(value)
    ? planList(editing, entries, (around?.part.value as JsonList | undefined) ?? [], value, site)
    : planMap(entries, value as JsonMap, site)
  const used = new Set(planned.map(({ place }) => place))
  let next = 0
  const upTo = (place: number): string => {
    let text = ''
    for (; next <= place && next < entries.length; next++) {
      const entry = entries[next]
      if (entry === undefined || around === null) break
      const { layout } = around
      text += slice(layout, entry.loose, entry.form === 'block' ? entry.gap : entry.lead)
      if (!used.has(next) && !layout.itemEntries.has(entry)) text += toLines(commentsOf(layout, entry))
    }
    return text
  }
  // The head of a list stays there, whichever entry comes first.
  const head = isList(value) ? upTo(0) : ''
  const steps = planned.map(({ place, stays, ...step }, index) => {
    const loose = stays && place !== null ? upTo(place) : ''
    return { ...step, loose: index === 0 ? head + loose : loose }
  })
  return { steps, rest: (steps.length === 0 ? head : '') + upTo(entries.length) }
}

function planList<E extends Entry>(
  editing: Editing,
  entries: readonly E[],
  before: JsonList,
  after: JsonList,
  site: Site,
): readonly Planned<E>[] {
  const sites = after.map((each, index) => siteBelow(site, String(index), each))
  const places = new Map<Entry | null, number>(entries.map((entry, place) => [entry, place]))
  const aligned =
    site.role === 'items'
      ? sites.map((below) => places.get(editing.placeOf(below)) ?? null)
      : alignLists(before, after)
  const known = aligned.flatMap((place, index) => (place === null ? [] : [{ place, index }]))
  const staying = stayingPlaces(known.map(({ place }) => place))
  const stays = new Set([...staying].map((each) => known[each]?.index))
  return after.map((value, index) => {
    const below = sites[index] ?? site
    const place = aligned[index] ?? null
    const own = place === null ? null : (entries[place] ?? null)
    const moved = own === null ? editing.sourceOf(below) : null
    return {
      value,
      site: below,
      key: null,
      own,
      moved,
      wasFirst: place === 0,
      place,
      stays: stays.has(index),
    }
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

function planMap<E extends Entry>(entries: readonly E[], value: JsonMap, site: Site): readonly Planned<E>[] {
  const before = entries.map(({ key }) => key ?? '')
  return planKeys(before, value, site.role !== 'other').map(({ key, place }) => {
    const each = value[key] ?? null
    const own = place === null ? null : (entries[place] ?? null)
    const below = siteBelow(site, key, each)
    return { value: each, site: below, key, own, moved: null, wasFirst: place === 0, place, stays: true }
  })
}

/** The entry of a list that is the model for a new one at a place. */
export function neighbour(around: Around<BlockPart | FlowPart> | null, place: number): Like | null {
  const entries: readonly Entry[] = around?.part.entries ?? []
  const entry = entries[Math.min(Math.max(0, place - 1), entries.length - 1)]
  return around === null || entry === undefined ? null : { layout: around.layout, part: entry.value, entry }
}
