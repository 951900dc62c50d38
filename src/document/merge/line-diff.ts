import { stayingPlaces } from '../../change/compare/order.js'

/** The lines of a text, each with its line break. */
export function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * The lines that two lists share, in order, by their places in each: lines that both have once are anchors; between them,
 * equal lines at both ends are taken repeatedly (patience diff).
 */
export function sharedLines(
  lines: readonly string[],
  others: readonly string[],
): ReadonlyMap<number, number> {
  const shared = new Map<number, number>()
  const compare = (start: number, end: number, otherStart: number, otherEnd: number): void => {
    let [from, to, otherFrom, otherTo] = [start, end, otherStart, otherEnd]
    while (from < to && otherFrom < otherTo && lines[from] === others[otherFrom])
      shared.set(from++, otherFrom++)
    while (from < to && otherFrom < otherTo && lines[to - 1] === others[otherTo - 1])
      shared.set(--to, --otherTo)
    const anchors = sharedOnce(lines.slice(from, to), others.slice(otherFrom, otherTo))
    if (anchors.length === 0) return
    let [last, otherLast] = [from, otherFrom]
    for (const [place, otherPlace] of anchors) {
      compare(last, from + place, otherLast, otherFrom + otherPlace)
      ;[last, otherLast] = [from + place, otherFrom + otherPlace]
    }
    compare(last, to, otherLast, otherTo)
  }
  compare(0, lines.length, 0, others.length)
  return shared
}

/** The places of lines that each list has exactly once, as many as do not cross. */
function sharedOnce(
  lines: readonly string[],
  others: readonly string[],
): readonly (readonly [number, number])[] {
  const places = singles(others)
  const pairs = [...singles(lines)].flatMap(([line, place]) => {
    const other = places.get(line)
    return other == null || place === null ? [] : [[place, other] as const]
  })
  const staying = stayingPlaces(pairs.map(([, other]) => other))
  return pairs.filter((_, place) => staying.has(place))
}

/** The place of each line; null for one that is there more than once. */
function singles(lines: readonly string[]): ReadonlyMap<string, number | null> {
  const places = new Map<string, number | null>()
  for (const [place, line] of lines.entries()) places.set(line, places.has(line) ? null : place)
  return places
}
