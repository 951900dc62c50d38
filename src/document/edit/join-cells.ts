import type { Around, Editing } from './editing.js'
import { type FlowEntry, type FlowPart, slice } from './layout.js'
import type { Like } from './styles.js'

/** An entry in brackets as it will stand. */
export interface Cell {
  /** What stays before it. */
  readonly loose: string
  /** What stands before it; null for what is usual. */
  readonly lead: string | null
  readonly wasFirst: boolean
  /** Comments that come above it in lines of their own. */
  readonly comments: readonly string[]
  readonly text: string
  /** Between it and its comma; null for what is usual. */
  readonly post: string | null
  /** Behind the comma. */
  readonly after: string
}

/** The entries of a list or a map in brackets, in order. */
export interface Cells {
  readonly cells: readonly Cell[]
  /** What stays behind the last one. */
  readonly rest: string
}

/** The text of entries in brackets, set apart as those are that were there. */
export function joinCells(
  { eol, styles }: Editing,
  around: Around<FlowPart> | null,
  like: Like | null,
  cells: readonly Cell[],
  rest: string,
  isListValue: boolean,
  column: number,
): string {
  const own = around === null ? null : slicesOf(around)
  const padding = paddingOf(like, isListValue) ?? (isListValue ? styles.listPadding : styles.padding)
  const wasEmpty = around === null || around.part.entries.length === 0
  const first = wasEmpty ? padding : (own?.first ?? '')
  const close =
    own === null
      ? cells.length === 0
        ? ''
        : padding
      : wasEmpty && cells.length > 0 && own.close === ''
        ? padding
        : own.close
  const line = `${eol}${' '.repeat(column)}`
  let text = own?.open ?? (isListValue ? '[' : '{')
  /** Whether the text ends with a comment, behind which nothing can stand in the line. */
  let isOpen = endsInComment(own?.open ?? '')
  const add = (piece: string): void => {
    if (piece === '') return
    text += isOpen && !/^[ \t]*\r?\n/.test(piece) ? line + piece.trimStart() : piece
    isOpen = false
  }
  for (const [place, cell] of cells.entries()) {
    const isLast = place === cells.length - 1
    const usual = place === 0 ? first : (own?.other ?? ' ')
    const lead =
      cell.lead !== null && (cell.wasFirst === (place === 0) || cell.lead.includes('#')) ? cell.lead : usual
    add(cell.loose)
    isOpen ||= cell.loose.includes('#')
    for (const comment of cell.comments) add(line + comment)
    isOpen ||= cell.comments.length > 0
    add(lead + cell.text)
    const hasComma = !isLast || own?.hasComma === true
    const post = cell.post ?? own?.post ?? ''
    if (hasComma || post.includes('#')) add(post)
    if (hasComma) add(',')
    add(cell.after)
    isOpen = cell.after.includes('#')
  }
  add(rest)
  isOpen ||= rest.includes('#')
  const end = isListValue ? ']' : '}'
  add(close + end)
  return text
}

function endsInComment(open: string): boolean {
  return open.includes('#')
}

/** The pieces of what is there that say how its entries are set apart. */
function slicesOf({ layout, part }: Around<FlowPart>): {
  readonly open: string
  readonly first: string
  readonly other: string
  readonly post: string
  readonly close: string
  readonly hasComma: boolean
} {
  const [first, second] = part.entries
  const leadOf = (entry: FlowEntry | undefined): string | null => {
    const lead = entry === undefined ? null : slice(layout, entry.lead, entry.start)
    return lead === null ? null : lead.includes('#') ? (/\r?\n[ \t]*$/.exec(lead)?.[0] ?? ' ') : lead
  }
  const before = leadOf(first) ?? ''
  const hasBreak = before.includes('\n')
  const post = first?.comma == null ? '' : slice(layout, first.end, first.comma)
  return {
    post: post.includes('#') ? '' : post,
    open: slice(layout, part.start, part.open),
    first: before,
    other: leadOf(second) ?? (hasBreak ? before : ' '),
    close: slice(layout, part.close, part.end - 1),
    hasComma: part.entries.at(-1)?.comma != null,
  }
}

/** What stands inside of the brackets of a neighbour that is written in one line. */
function paddingOf(like: Like | null, isListValue: boolean): string | null {
  if (like?.part.kind !== 'flow' || like.part.isList !== isListValue || like.part.entries.length === 0)
    return null
  const inside = slice(like.layout, like.part.start + 1, like.part.end - 1)
  return inside.includes('\n') ? null : (/^ */.exec(inside)?.[0] ?? '')
}

/** The column of the entries, where they have lines of their own. */
export function columnInside({ layout, part }: Around<FlowPart>): number | null {
  for (const entry of part.entries) {
    const lead = /\n([ \t]*)$/.exec(slice(layout, entry.lead, entry.start))
    if (lead !== null) return lead[1]?.length ?? 0
  }
  return null
}
