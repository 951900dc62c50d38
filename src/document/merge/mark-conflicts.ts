import { diffLines, type Hunk, toLines } from './line-diff.js'

/** The lines of a text that differ from those of two others, from the first to behind the last, in each of them. */
interface Region extends Hunk {
  readonly baseFrom: number
  readonly baseTo: number
}

/** The sides of a conflict; `base` is between them where it is given (git's `merge.conflictStyle` diff3). */
export interface MarkedTexts {
  readonly ours: string
  readonly base: string | null
  readonly theirs: string
}

/**
 * One text out of several, with marks around the lines in which they differ: keeping the first side of each conflict
 * restores the text `ours`, keeping the second `theirs`. `size` is the length of a mark: 7, unless git merges what was
 * merged.
 */
export function markConflicts({ ours, base, theirs }: MarkedTexts, size: number): string {
  const [lines, otherLines, oldLines] = [toLines(ours), toLines(theirs), toLines(base ?? '')]
  const hunks = diffLines(lines, otherLines)
  const regions =
    base === null
      ? toRegions(
          hunks.flatMap((hunk) => splitHunk(hunk, lines, otherLines)),
          [],
        )
      : toRegions(hunks, diffLines(lines, oldLines))
  const eol = /\r\n/.test(ours) ? '\r\n' : '\n'
  const mark = (sign: string, name: string): string =>
    `${sign.repeat(size)}${name === '' ? '' : ` ${name}`}${eol}`
  const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : text + eol)
  let text = ''
  let last = 0
  for (const { from, to, otherFrom, otherTo, baseFrom, baseTo } of regions) {
    text += lines.slice(last, from).join('')
    text += mark('<', 'ours') + ended(lines.slice(from, to).join(''))
    if (base !== null) text += mark('|', 'base') + ended(oldLines.slice(baseFrom, baseTo).join(''))
    text += mark('=', '') + ended(otherLines.slice(otherFrom, otherTo).join('')) + mark('>', 'theirs')
    last = to
  }
  return text + lines.slice(last).join('')
}

/**
 * Divides a difference in which one side has more items at the start or the end, and both sides changed the other lines: a
 * deleted item, and the label of its neighbour.
 */
function splitHunk(hunk: Hunk, lines: readonly string[], others: readonly string[]): readonly Hunk[] {
  const { from, to, otherFrom, otherTo } = hunk
  const [length, otherLength] = [to - from, otherTo - otherFrom]
  const common = Math.min(length, otherLength)
  if (common === 0 || length === otherLength) return [hunk]
  const isLike = (line: string | undefined, other: string | undefined): boolean =>
    line !== undefined && other !== undefined && keyOf(line) === keyOf(other)
  const range = [...Array(common).keys()]
  if (range.every((at) => isLike(lines[to - common + at], others[otherTo - common + at]))) {
    const [place, otherPlace] = [to - common, otherTo - common]
    return beginsItem(lines[place]) && [lines[from], others[otherFrom]].every(beginsItem)
      ? [
          { from, to: place, otherFrom, otherTo: otherPlace },
          { from: place, to, otherFrom: otherPlace, otherTo },
        ]
      : [hunk]
  }
  return [hunk]
}

/** A line without the text behind its key. */
function keyOf(line: string): string {
  return /^\s*(?:- )?[\w-]+:/.exec(line)?.[0] ?? line
}

function beginsItem(line: string | undefined): boolean {
  return /^\s*- /.test(line ?? '')
}

/** Where the sides differ, with the part of the base that reaches into it. */
function toRegions(sides: readonly Hunk[], base: readonly Hunk[]): readonly Region[] {
  const all = [
    ...sides.map((hunk) => ({ hunk, isSide: true })),
    ...base.map((hunk) => ({ hunk, isSide: false })),
  ]
  all.sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to)
  const parts: { from: number; to: number; growth: number; baseGrowth: number; isSide: boolean }[] = []
  for (const { hunk, isSide } of all) {
    const { from, to, otherFrom, otherTo } = hunk
    const more = otherTo - otherFrom - (to - from)
    const [growth, baseGrowth] = isSide ? [more, 0] : [0, more]
    const last = parts.at(-1)
    // The parts of a divided difference touch each other.
    if (last === undefined || from > last.to || base.length === 0) {
      parts.push({ from, to, growth, baseGrowth, isSide })
    } else {
      last.to = Math.max(last.to, to)
      last.growth += growth
      last.baseGrowth += baseGrowth
      last.isSide ||= isSide
    }
  }
  const regions: Region[] = []
  let [shift, baseShift] = [0, 0]
  for (const { from, to, growth, baseGrowth, isSide } of parts) {
    const [otherFrom, baseFrom] = [from + shift, from + baseShift]
    shift += growth
    baseShift += baseGrowth
    if (isSide) regions.push({ from, to, otherFrom, otherTo: to + shift, baseFrom, baseTo: to + baseShift })
  }
  return regions
}
