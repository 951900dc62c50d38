import type { Entry, Layout, Part } from './layout.js'
import { commentAt, commentPlaces, lineEndOf } from './trivia.js'

/** The comments of an entry, without those of items below it, each from its `#` to the end of its line. */
export function commentsOf(layout: Layout, entry: Entry): readonly string[] {
  return textsAt(layout, placesOf(layout, entry))
}

/** The same without those above the entry. */
export function commentsBehind(layout: Layout, entry: Entry): readonly string[] {
  return textsAt(layout, placesBehind(layout, entry))
}

/** The comments inside a value, without those of items below it. */
export function commentsInside(layout: Layout, part: Part): readonly string[] {
  return textsAt(layout, placesInside(layout, part))
}

/** The item of each comment, by the offset of its `#`. */
export function commentOwners(layout: Layout): ReadonlyMap<number, string> {
  const owned = [...layout.items].flatMap(([pointer, entry]) =>
    placesOf(layout, entry).map((place) => [place, pointer] as const),
  )
  return new Map(owned)
}

function textsAt({ text }: Layout, places: readonly number[]): readonly string[] {
  return places.map((place) => commentAt(text, place))
}

function placesOf(layout: Layout, entry: Entry): readonly number[] {
  return [...commentPlaces(layout.text, entry.lead, entry.start), ...placesBehind(layout, entry)]
}

function placesBehind(layout: Layout, entry: Entry): readonly number[] {
  const { text } = layout
  const { start, keyStart, keyEnd, value } = entry
  const last = entry.form === 'block' ? entry.end : entry.after
  const explicit = keyStart > start + 1 ? commentPlaces(text, start + 1, keyStart) : []
  return [
    ...explicit,
    ...commentPlaces(text, keyEnd, Math.max(keyEnd, value.start)),
    ...placesInside(layout, value),
    ...commentPlaces(text, Math.max(keyEnd, value.end), last),
  ]
}

function placesInside(layout: Layout, part: Part): readonly number[] {
  const { text } = layout
  if (part.kind === 'scalar') {
    if (part.style !== 'literal' && part.style !== 'folded') return []
    return commentPlaces(text, part.start + 1, Math.min(part.end, lineEndOf(text, part.start)))
  }
  const found: number[] = []
  if (part.kind === 'flow') found.push(...commentPlaces(text, part.start + 1, part.open))
  for (const entry of part.entries) {
    found.push(...commentPlaces(text, entry.loose, entry.form === 'block' ? entry.gap : entry.lead))
    if (!layout.itemEntries.has(entry)) found.push(...placesOf(layout, entry))
  }
  const [from, to] = part.kind === 'flow' ? [part.close, part.end - 1] : [part.foot, part.end]
  return [...found, ...commentPlaces(text, from, to)]
}
