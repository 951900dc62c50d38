import { diffLines, type Hunk, toLines } from './line-diff.js'

/** How conflicts are marked. */
export interface MarkStyle {
  /** How many characters a mark has: 7, unless git merges what was merged. */
  readonly size: number
  /** Whether what was before stands between the sides (git's `merge.conflictStyle` diff3). */
  readonly withBase: boolean
}

/** The lines of one text that are replaced by those of two others. */
interface Region {
  readonly from: number
  readonly to: number
}

/**
 * One text out of three that differ where there are conflicts, with marks around the lines in which they do: whoever
 * keeps the first side of each has the text `ours` again, and whoever keeps the second has `theirs`.
 */
export function markConflicts(
  { ours, base, theirs }: { readonly ours: string; readonly base: string | null; readonly theirs: string },
  { size, withBase }: MarkStyle,
): string {
  const lines = toLines(ours)
  const otherLines = toLines(theirs)
  const hunks = diffLines(lines, otherLines)
  const other = {
    lines: otherLines,
    hunks: withBase ? hunks : hunks.flatMap((hunk) => splitHunk(hunk, lines, otherLines)),
  }
  const oldLines = toLines(base ?? '')
  const old = { lines: oldLines, hunks: withBase && base !== null ? diffLines(lines, oldLines) : [] }
  const eol = /\r\n/.test(ours) ? '\r\n' : '\n'
  const mark = (sign: string, name: string): string =>
    `${sign.repeat(size)}${name === '' ? '' : ` ${name}`}${eol}`
  const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : text + eol)
  let text = ''
  let last = 0
  for (const { from, to } of toRegions(other.hunks, old.hunks)) {
    text += lines.slice(last, from).join('')
    text += mark('<', 'ours') + ended(lines.slice(from, to).join(''))
    if (withBase && base !== null) text += mark('|', 'base') + ended(linesOf(old, { from, to }))
    text += mark('=', '') + ended(linesOf(other, { from, to })) + mark('>', 'theirs')
    last = to
  }
  return text + lines.slice(last).join('')
}

/**
 * Divides a difference in which one side has items more at the beginning or the end, and the rest are lines that both
 * sides changed: an item that was deleted, and the label of its neighbour.
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

/** A line without what stands behind its key. */
function keyOf(line: string): string {
  return /^\s*(?:- )?[\w-]+:/.exec(line)?.[0] ?? line
}

function beginsItem(line: string | undefined): boolean {
  return /^\s*- /.test(line ?? '')
}

/** Where the sides differ, with whatever of the base reaches into it. */
function toRegions(sides: readonly Hunk[], base: readonly Hunk[]): readonly Region[] {
  const all = [
    ...sides.map((hunk) => ({ hunk, isSide: true })),
    ...base.map((hunk) => ({ hunk, isSide: false })),
  ]
  all.sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to)
  const regions: { from: number; to: number; isSide: boolean }[] = []
  for (const { hunk, isSide } of all) {
    const last = regions.at(-1)
    if (last === undefined || hunk.from > last.to || base.length === 0)
      regions.push({ from: hunk.from, to: hunk.to, isSide })
    else {
      last.to = Math.max(last.to, hunk.to)
      last.isSide ||= isSide
    }
  }
  return regions.filter(({ isSide }) => isSide)
}

/** The lines of another text that stand where a region of the first one is. */
function linesOf(
  { lines, hunks }: { readonly lines: readonly string[]; readonly hunks: readonly Hunk[] },
  { from, to }: Region,
): string {
  let shift = 0
  let growth = 0
  for (const hunk of hunks) {
    const more = hunk.otherTo - hunk.otherFrom - (hunk.to - hunk.from)
    if (hunk.from < from) shift += more
    else if (hunk.from <= to) growth += more
  }
  return lines.slice(from + shift, to + shift + growth).join('')
}
