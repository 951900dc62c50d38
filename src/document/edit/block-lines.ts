import type { Json, JsonList, JsonMap } from '../../model/json.js'
import type { Around, Editing, Located } from './editing.js'
import { blockEntryText } from './entry-text.js'
import { takenText } from './flow.js'
import { keyText, withColon } from './key-text.js'
import { type BlockEntry, type BlockPart, type FlowEntry, slice } from './layout.js'
import { likeBelow } from './likeness.js'
import { neighbour, planEntries, type Step } from './plan-entries.js'
import { type Site, siteBelow } from './site.js'
import type { Like } from './styles.js'
import { lineStartOf, shift, shiftLines } from './trivia.js'

/** An entry as it will be. */
interface Row {
  /** Lines that stay where they are, above it. */
  readonly loose: string
  /** Blank lines above it; null for as many as the list usually has. */
  readonly gap: string | null
  /** Whether those are the ones above the first entry. */
  readonly wasFirst: boolean
  /** The comments directly above it. */
  readonly lead: string
  /** The entry itself; its first line has no indentation. */
  readonly body: string
}

/** The lines of a list or a map for another value, which is not empty; inline without the indentation of the first. */
export function blockLinesText(
  editing: Editing,
  around: Around<BlockPart>,
  value: JsonList | JsonMap,
  site: Site,
): string {
  const { layout, part } = around
  const pad = ' '.repeat(part.column)
  const { steps, rest } = planEntries(editing, around, value, site, (comments) =>
    comments.map((comment) => pad + comment + editing.eol).join(''),
  )
  const rows = steps.map((step, index) => ({ ...rowOf(editing, around, step, index), loose: step.loose }))
  const text = joinRows(editing, rows, part.column, part.isInline, gapsOf(around))
  return text + rest + slice(layout, part.foot, part.end)
}

/** The lines of a new list of items at a column. */
export function itemLinesText(
  editing: Editing,
  value: JsonList,
  site: Site,
  column: number,
  like: Like | null,
): string {
  const rows = value.map((each, place) => {
    const below = siteBelow(site, String(place), each)
    const source = editing.sourceOf(below)
    return source === null
      ? freshRow(editing, each, below, column, like)
      : movedRow(editing, source, each, below, column)
  })
  return joinRows(editing, rows, column, false, { first: '', other: '' })
}

interface Gaps {
  readonly first: string
  readonly other: string
}

/** The blank lines usual in a list: above its first entry and, as above most of them, between entries. */
function gapsOf({ layout, part }: Around<BlockPart>): Gaps {
  const gaps = part.entries.map((entry) => slice(layout, entry.gap, entry.lead))
  const counts = new Map<string, number>()
  for (const gap of gaps.slice(1)) counts.set(gap, (counts.get(gap) ?? 0) + 1)
  const [most = ['', 0]] = [...counts].sort(([a, m], [b, n]) => n - m || a.length - b.length)
  return { first: gaps[0] ?? '', other: most[0] }
}

function joinRows(
  { eol, isTight }: Editing,
  rows: readonly Row[],
  column: number,
  isInline: boolean,
  gaps: Gaps,
): string {
  const pad = ' '.repeat(column)
  let text = ''
  for (const [place, { loose, gap, wasFirst, lead, body }] of rows.entries()) {
    const isFirst = place === 0
    const usual = isFirst ? gaps.first : gaps.other
    // Below the lines that stay, the first entry keeps its blank lines.
    const isOwn = gap !== null && (wasFirst === isFirst || (loose !== '' && !isFirst))
    const blank = isTight ? '' : isOwn ? gap : usual
    if (isFirst && isInline) {
      const above = (loose + lead).trimStart()
      text += (above === '' ? '' : above + pad) + body
    } else text += loose + blank + lead + pad + body
    if (!body.endsWith('\n')) text += eol
  }
  return text
}

function rowOf(
  editing: Editing,
  around: Around<BlockPart>,
  { value, site, key, own, moved, wasFirst }: Step<BlockEntry>,
  index: number,
): Row {
  const { layout, part } = around
  if (own !== null) {
    const like = { layout, part: own.value, entry: own }
    const name = key === own.key || key === null ? null : keyText(editing, key, like)
    return ownRow(editing, { layout, entry: own }, value, site, wasFirst, name)
  }
  if (moved !== null) return movedRow(editing, moved, value, site, part.column)
  if (key !== null) return freshKeyRow(editing, around, key, value, site)
  return freshRow(editing, value, site, part.column, neighbour(around, index))
}

function ownRow(
  editing: Editing,
  source: Located<BlockEntry>,
  value: Json,
  site: Site,
  wasFirst: boolean,
  key: string | null = null,
): Row {
  const { layout, entry } = source
  return {
    loose: '',
    gap: slice(layout, entry.gap, entry.lead),
    wasFirst,
    lead: slice(layout, entry.lead, leadEnd(source)),
    body: blockEntryText(editing, source, value, site, key),
  }
}

/** Where the comments above an entry end: at the start of its line, or at the entry when something precedes it. */
function leadEnd({ layout, entry }: Located<BlockEntry>): number {
  return Math.max(entry.lead, lineStartOf(layout.text, entry.start))
}

/** An item from another list, or another text. */
function movedRow(editing: Editing, source: Located, value: Json, site: Site, column: number): Row {
  const { layout, entry } = source
  if (entry.form === 'flow') return fromFlow(editing, { layout, entry }, value, site, column)
  const own = ownRow(editing, { layout, entry }, value, site, false)
  const by = column - entry.column
  return { ...own, gap: null, lead: shiftLines(own.lead, by), body: shift(own.body, by) }
}

/** An item that was in brackets: it keeps its braces. */
function fromFlow(
  editing: Editing,
  source: Located<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
): Row {
  const { eol, styles } = editing
  const at = column + 1 + styles.dashGap.length
  const { text, comments, behind } = takenText(editing, source, value, site, at)
  const pad = ' '.repeat(column)
  const lead = comments.map((comment) => pad + comment + eol).join('')
  return { loose: '', gap: null, wasFirst: false, lead, body: `-${styles.dashGap}${text}${behind}${eol}` }
}

function freshRow(editing: Editing, value: Json, site: Site, column: number, like: Like | null): Row {
  const { styles, eol } = editing
  const below = belowDash(like)
  const dashGap = (like === null ? null : gapBehind(like)) ?? styles.dashGap
  // A map in a list comes two columns behind this one.
  const at = column + (below ?? dashGap.length + 1) - 2
  const fresh = editing.fresh(value, { site, column: at, isInList: true, inFlow: false, like })
  const inLine = fresh.lines === null ? fresh.inline + eol : fresh.lines.slice(fresh.column)
  const body = below !== null && fresh.lines !== null ? `-${eol}${fresh.lines}` : `-${dashGap}${inLine}`
  return { loose: '', gap: null, wasFirst: false, lead: '', body }
}

/** How much deeper than its `-` a neighbour begins in the line below; null when it begins in the same line. */
function belowDash(like: Like | null): number | null {
  if (like?.part.kind !== 'block' || like.part.isInline || like.entry?.form !== 'block') return null
  return like.entry.key === null ? like.part.column - like.entry.column : null
}

/** The text between the `-` of an entry and its value. */
function gapBehind({ layout, entry }: Like): string | null {
  if (entry?.form !== 'block' || entry.key !== null) return null
  return /^( +)\S/.exec(slice(layout, entry.keyEnd, entry.value.start + 1))?.[1] ?? null
}

function freshKeyRow(
  editing: Editing,
  { layout, part }: Around<BlockPart>,
  key: string,
  value: Json,
  site: Site,
): Row {
  const neighbouring = part.entries[0]
  const like = neighbouring === undefined ? null : { layout, part: neighbouring.value, entry: neighbouring }
  const known = likeBelow(editing, { layout, part, entry: null }, key, value)
  const fitting = { site, column: part.column, isInList: false, inFlow: false, like: known }
  const fresh = editing.fresh(value, fitting)
  const name = withColon(keyText(editing, key, like), editing.eol + ' '.repeat(part.column))
  const body =
    fresh.lines === null ? `${name} ${fresh.inline}${editing.eol}` : `${name}${editing.eol}${fresh.lines}`
  return { loose: '', gap: null, wasFirst: false, lead: '', body }
}
