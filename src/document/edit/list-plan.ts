import type { Json, JsonList } from '../../model/json.js'
import { alignLists, stayingEntries } from './align.js'
import type { Around, Editing, Source } from './editing.js'
import type { BlockPart, Entry, FlowPart } from './layout.js'
import { type Site, siteBelow } from './site.js'
import type { Like } from './styles.js'

/** What becomes of one value of a list. */
export interface ListStep<E> {
  readonly value: Json
  readonly site: Site
  /** The entry of the list that it is; null for one that is new here. */
  readonly own: E | null
  /** The entry of another list, or of another text, that it is; null for a new one. */
  readonly moved: Source | null
  /** The place that it had in the list. */
  readonly place: number | null
  /** Whether what stands between the entries up to that place stays above it. */
  readonly stays: boolean
}

export interface ListPlan<E> {
  readonly steps: readonly ListStep<E>[]
  /** Whether the entry at a place of the list is none of the steps. */
  readonly isLeft: (place: number) => boolean
}

/** Finds for each value of a list the entry that it is written from, in the list with these entries and this value before. */
export function planList<E extends Entry>(
  editing: Editing,
  entries: readonly E[],
  before: JsonList,
  after: JsonList,
  site: Site,
): ListPlan<E> {
  const sites = after.map((each, index) => siteBelow(site, String(index), each))
  const isOfItems = site.role === 'items'
  const places = new Map<Entry | null, number>(entries.map((entry, place) => [entry, place]))
  const aligned = isOfItems
    ? sites.map((below) => places.get(editing.placeOf(below)) ?? null)
    : alignLists(before, after)
  const staying = stayingEntries(aligned)
  const used = new Set(aligned)
  const steps = after.map((value, index): ListStep<E> => {
    const below = sites[index] ?? site
    const place = aligned[index] ?? null
    const entry = place === null ? null : (entries[place] ?? null)
    const source = isOfItems ? editing.sourceOf(below) : null
    const isOwn = source === null || source.entry === entry
    return {
      value,
      site: below,
      own: isOwn ? entry : null,
      moved: isOwn ? null : source,
      place,
      stays: staying.has(index),
    }
  })
  return { steps, isLeft: (place) => !used.has(place) }
}

/** The entry of a list after which a new one at a place is written. */
export function neighbour({ layout, part }: Around<BlockPart | FlowPart>, place: number): Like | null {
  const entry = part.entries[Math.min(Math.max(0, place - 1), part.entries.length - 1)]
  return entry === undefined ? null : { layout, part: entry.value, entry }
}
