import { stayingPlaces } from '../../change/compare/order.js'

/** The sides of a conflict; `base` is between them where it is given (git's `merge.conflictStyle` diff3). */
export interface MarkedTexts {
  readonly ours: string
  readonly base: string | null
  readonly theirs: string
}

/** Lines that differ, of each text. */
interface Region {
  readonly ours: readonly string[]
  readonly base: readonly string[]
  readonly theirs: readonly string[]
}

/**
 * One text out of several, with marks around the lines in which they differ: keeping the first side of each conflict
 * restores the text `ours`, keeping the second `theirs`. `size` is the length of a mark: 7, unless git merges what was
 * merged.
 */
export function markConflicts({ ours, base, theirs }: MarkedTexts, size: number): string {
  const [lines, otherLines, oldLines] = [toLines(ours), toLines(theirs), toLines(base ?? '')]
  const [others, olds] = [sharedLines(lines, otherLines), sharedLines(lines, oldLines)]
  const eol = /\r\n/.test(ours) ? '\r\n' : '\n'
  const mark = (sign: string, name: string): string =>
    `${sign.repeat(size)}${name === '' ? '' : ` ${name}`}${eol}`
  const toText = (some: readonly string[]): string =>
    some.length === 0 || some.at(-1)?.endsWith('\n') === true ? some.join('') : some.join('') + eol
  const marked = (region: Region): string => {
    const middle = base === null ? '' : mark('|', 'base') + toText(region.base)
    const [first, second] = [toText(region.ours), toText(region.theirs)]
    return `${mark('<', 'ours')}${first}${middle}${mark('=', '')}${second}${mark('>', 'theirs')}`
  }
  let text = ''
  let [last, otherLast, oldLast] = [0, 0, 0]
  for (let at = 0; at <= lines.length; at++) {
    const isEnd = at === lines.length
    const other = isEnd ? otherLines.length : others.get(at)
    const old = isEnd || base === null ? oldLines.length : olds.get(at)
    if (other === undefined || old === undefined) continue
    const region: Region = {
      ours: lines.slice(last, at),
      base: oldLines.slice(oldLast, old),
      theirs: otherLines.slice(otherLast, other),
    }
    const isSame = region.ours.join('') === region.theirs.join('')
    const regions = base === null ? divided(region) : [region]
    text += (isSame ? region.ours.join('') : regions.map(marked).join('')) + (lines[at] ?? '')
    ;[last, otherLast, oldLast] = [at + 1, other + 1, old + 1]
  }
  return text
}

/**
 * Divides a difference in which one side has more items at the start, and both sides changed the other lines: a deleted item,
 * and the label of its neighbour.
 */
function divided(region: Region): readonly Region[] {
  const { ours, theirs } = region
  const common = Math.min(ours.length, theirs.length)
  if (common === 0 || ours.length === theirs.length) return [region]
  const [place, otherPlace] = [ours.length - common, theirs.length - common]
  const isAlike = ours.slice(place).every((line, at) => keyOf(line) === keyOf(theirs[otherPlace + at] ?? ''))
  const areItems = [ours[place], ours[0], theirs[0]].every((line) => /^\s*- /.test(line ?? ''))
  if (!isAlike || !areItems) return [region]
  return [
    { ours: ours.slice(0, place), base: [], theirs: theirs.slice(0, otherPlace) },
    { ours: ours.slice(place), base: [], theirs: theirs.slice(otherPlace) },
  ]
}

/** A line without the text behind its key. */
function keyOf(line: string): string {
  return /^\s*(?:- )?[\w-]+:/.exec(line)?.[0] ?? line
}

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
