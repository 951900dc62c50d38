import type { Entry, Layout, Part } from './layout.js'
import { commentAt, commentPlaces, lineEndOf } from './trivia.js'

/** The comments of an entry, without those of items below it, each from its `#` to the end of its line. */
export function commentsOf(entry: Entry): readonly string[] {
  return textsAt(entry.text, placesOf(entry))
}

/** The same without those above the entry, and up to its key. */
export function commentsBehind(entry: Entry): readonly string[] {
  return textsAt(entry.text, placesBehind(entry))
}

/** The item of each comment, by the offset of its `#`. */
export function itemsOfComments(layout: Layout): ReadonlyMap<number, string> {
  const owned = [...layout.items].flatMap(([pointer, entry]) =>
    placesOf(entry).map((place) => [place, pointer] as const),
  )
  return new Map(owned)
}

function textsAt(text: string, places: readonly number[]): readonly string[] {
  return places.map((place) => commentAt(text, place))
}

function placesOf(entry: Entry): readonly number[] {
  const { text, lead, start, keyStart } = entry
  const explicit = keyStart > start + 1 ? commentPlaces(text, start + 1, keyStart) : []
  return [...commentPlaces(text, lead, start), ...explicit, ...placesBehind(entry)]
}

function placesBehind({ text, keyEnd, value, after }: Entry): readonly number[] {
  return [
    ...commentPlaces(text, keyEnd, Math.max(keyEnd, value.start)),
    ...placesInside(text, value),
    ...commentPlaces(text, Math.max(keyEnd, value.end), after),
  ]
}

function placesInside(text: string, part: Part): readonly number[] {
  if (part.kind === 'scalar') {
    if (part.style !== 'literal' && part.style !== 'folded') return []
    return commentPlaces(text, part.start + 1, Math.min(part.end, lineEndOf(text, part.start)))
  }
  const isFlow = part.kind === 'flow'
  const found = isFlow ? [...commentPlaces(text, part.start + 1, part.open)] : []
  for (const entry of part.entries) {
    found.push(...commentPlaces(text, entry.detached, entry.gap))
    if (!entry.isItem) found.push(...placesOf(entry))
  }
  return [...found, ...commentPlaces(text, part.close, isFlow ? part.end - 1 : part.end)]
}
