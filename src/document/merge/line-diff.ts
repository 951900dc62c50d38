import { stayingPlaces } from '../../change/compare/order.js'

/** Lines in which two texts differ: from the first to behind the last, from 0, in each of them. */
export interface Hunk {
  readonly from: number
  readonly to: number
  readonly otherFrom: number
  readonly otherTo: number
}

/** The lines of a text, each with its line break. */
export function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * The differences of two lists of lines, from top to bottom: lines that both have once are anchors; between them, equal
 * lines at both ends are removed repeatedly (patience diff).
 */
export function diffLines(lines: readonly string[], others: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  const compare = (start: number, end: number, otherStart: number, otherEnd: number): void => {
    let [from, to, otherFrom, otherTo] = [start, end, otherStart, otherEnd]
    while (from < to && otherFrom < otherTo && lines[from] === others[otherFrom]) {
      from++
      otherFrom++
    }
    while (from < to && otherFrom < otherTo && lines[to - 1] === others[otherTo - 1]) {
      to--
      otherTo--
    }
    if (from === to && otherFrom === otherTo) return
    const anchors = sharedOnce(lines.slice(from, to), others.slice(otherFrom, otherTo))
    if (anchors.length === 0) {
      hunks.push({ from, to, otherFrom, otherTo })
      return
    }
    let [last, otherLast] = [from, otherFrom]
    for (const [place, otherPlace] of anchors) {
      compare(last, from + place, otherLast, otherFrom + otherPlace)
      ;[last, otherLast] = [from + place, otherFrom + otherPlace]
    }
    compare(last, to, otherLast, otherTo)
  }
  compare(0, lines.length, 0, others.length)
  return hunks
}

/** The places of lines that each list has exactly once, as many as do not cross. */
function sharedOnce(
  lines: readonly string[],
  others: readonly string[],
): readonly (readonly [number, number])[] {
  const places = placesOfSingles(others)
  const pairs = [...placesOfSingles(lines)].flatMap(([line, place]) => {
    const other = places.get(line)
    return other === undefined ? [] : [[place, other] as const]
  })
  const staying = stayingPlaces(pairs.map(([, other]) => other))
  return pairs.filter((_, place) => staying.has(place))
}

function placesOfSingles(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [place, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line)
    else places.set(line, place)
  }
  for (const line of repeated) places.delete(line)
  return places
}
