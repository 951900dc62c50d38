import type { Editing } from './editing.js'
import { blockEntryText } from './entry-text.js'
import { takenText } from './flow.js'
import { freshEntry, keyText, keyWithColon, likeBelow, neighbour } from './fresh.js'
import { type Entry, entriesOf, type GroupSpot, groupOf } from './layout.js'
import { planEntries, type Step } from './plan-entries.js'
import { lineStartOf, shift, shiftLines } from './trivia.js'

/** An entry as it will be. */
interface Row {
  /** Blank lines above it; null for as many as the list usually has. */
  readonly gap: string | null
  /** The comments directly above it. */
  readonly lead: string
  /** The entry itself; its first line has no indentation. */
  readonly body: string
}

/**
 * The lines of a list or a map, which is not empty: of the value of an entry changed to another, or of a new one at a
 * column; inline without the indentation of the first.
 */
export function blockLines(
  editing: Editing,
  around: Entry | null,
  spot: GroupSpot,
  column: number,
  like: Entry | null,
): string {
  const { eol, isCoarse } = editing
  const part = groupOf(around)
  const pad = ' '.repeat(column)
  const { steps, rest } = planEntries(editing, around, spot, like, (comments) =>
    comments.map((comment) => pad + comment + eol).join(''),
  )
  const usual = gapsOf(entriesOf(around))
  let text = ''
  for (const [index, step] of steps.entries()) {
    const { gap, lead, body } = rowOf(editing, step, column, around ?? like, around === null ? 0 : index)
    const { detached, place } = step
    const isFirst = index === 0
    // Below the lines that stay, the first entry keeps its blank lines.
    const isOwn = gap !== null && ((place === 0) === isFirst || (detached !== '' && !isFirst))
    const blank = isCoarse ? '' : isOwn ? gap : isFirst ? usual.first : usual.other
    const above = (detached + lead).trimStart()
    if (isFirst && part?.isInline === true) text += (above === '' ? '' : above + pad) + body
    else text += detached + blank + lead + pad + body
    if (!body.endsWith('\n')) text += eol
  }
  return text + rest + (around?.text.slice(part?.close, part?.end) ?? '')
}

/** The blank lines usual in a list: above its first entry and, as above most of them, between entries. */
function gapsOf(entries: readonly Entry[]): { readonly first: string; readonly other: string } {
  const gaps = entries.map(({ text, gap, lead }) => text.slice(gap, lead))
  const counts = new Map<string, number>()
  for (const gap of gaps.slice(1)) counts.set(gap, (counts.get(gap) ?? 0) + 1)
  const [most = ['', 0]] = [...counts].sort(([a, m], [b, n]) => n - m || a.length - b.length)
  return { first: gaps[0] ?? '', other: most[0] }
}

/** An entry of a list or a map that is, or is like, the value of another entry. */
function rowOf(
  editing: Editing,
  { spot, key, from, place }: Step,
  column: number,
  around: Entry | null,
  index: number,
): Row {
  const pad = ' '.repeat(column)
  if (from === null) {
    const like = key === null ? neighbour(around, index) : likeBelow(editing, around, key, spot)
    const name = key === null ? '-' : keyWithColon(editing, key, neighbour(around, 0), editing.eol + pad)
    return { gap: null, lead: '', body: freshEntry(editing, name, spot, column, like) }
  }
  // An item that was in brackets keeps its braces.
  if (from.form === 'flow') {
    const dash = `-${editing.styles.dashGap}`
    const { text, comments, behind } = takenText(editing, from, spot, column + dash.length)
    const lead = comments.map((comment) => pad + comment + editing.eol).join('')
    return { gap: null, lead, body: `${dash}${text}${behind}${editing.eol}` }
  }
  const name = key === from.key || key === null ? null : keyText(editing, key, from)
  const body = blockEntryText(editing, from, spot, name)
  const lead = from.text.slice(from.lead, Math.max(from.lead, lineStartOf(from.text, from.start)))
  const by = column - from.column
  const gap = place === null ? null : from.text.slice(from.gap, from.lead)
  return { gap, lead: shiftLines(lead, by), body: shift(body, by) }
}
