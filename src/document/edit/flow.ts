import { isEqual, isList, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import { commentsInside, commentsOf } from './comments.js'
import type { Around, Editing, FlowText, Located, TakenText } from './editing.js'
import { writeInPlace } from './entry-text.js'
import { keyText, withColon } from './key-text.js'
import { type FlowEntry, type FlowPart, slice } from './layout.js'
import { firstOf, likeBelow, orderedKeys } from './likeness.js'
import { neighbour, planEntries, type Step } from './plan-entries.js'
import type { Site } from './site.js'
import type { Like } from './styles.js'
import { commentsIn, lineStartOf, shift } from './trivia.js'

/** An entry in brackets as it will be. */
interface Cell {
  /** What is before it; null for the usual. */
  readonly lead: string | null
  readonly wasFirst: boolean
  /** Comments above it in lines of their own. */
  readonly comments: readonly string[]
  readonly text: string
  /** Between it and its comma; null for the usual. */
  readonly post: string | null
  /** Behind the comma. */
  readonly after: string
}

const NEW_CELL = { lead: null, wasFirst: false, comments: [], post: null, after: '' } as const

/** A list or a map in brackets for another value, or a new one; new lines in it begin at a column. */
export function flowTextOf(
  editing: Editing,
  around: Around<FlowPart> | null,
  value: JsonList | JsonMap,
  site: Site,
  column: number,
  like: Like | null,
): string {
  if (around !== null && site.role === 'other' && isEqual(around.part.value, value)) {
    return slice(around.layout, around.part.start, around.part.end)
  }
  const inner = around === null ? column : (columnInside(around) ?? column)
  const line = editing.eol + ' '.repeat(inner)
  const isNew = around === null || around.part.entries.length === 0
  const names =
    isNew && !isList(value) ? orderedKeys(value as JsonMap, like?.part ?? null, site.role === 'item') : null
  const ordered =
    names === null ? value : Object.fromEntries(names.map((key) => [key, (value as JsonMap)[key] ?? null]))
  const { steps, rest } = planEntries(editing, around, ordered, site, (comments) =>
    comments.map((comment) => line + comment).join(''),
  )
  const spacing = spacingOf(editing, around, like, isList(value), steps.length === 0)
  let text = spacing.open
  /** Whether the text ends with a comment, behind which the line can hold nothing. */
  let isOpen = text.includes('#')
  const add = (piece: string, hasComment = piece.includes('#')): void => {
    if (piece === '') return
    text += isOpen && !/^[ \t]*\r?\n/.test(piece) ? line + piece.trimStart() : piece
    isOpen = hasComment
  }
  for (const [place, step] of steps.entries()) {
    const {
      lead,
      wasFirst,
      comments,
      text: own,
      post,
      after,
    } = cellOf(editing, around, step, place, inner, like)
    add(step.loose)
    for (const comment of comments) add(line + comment)
    const isOwnLead = lead !== null && (wasFirst === (place === 0) || lead.includes('#'))
    add((isOwnLead ? lead : place === 0 ? spacing.first : spacing.other) + own, false)
    const hasComma = place < steps.length - 1 || spacing.hasComma
    const before = post ?? spacing.post
    if (hasComma || before.includes('#')) add(before, false)
    if (hasComma) add(',')
    add(after)
  }
  add(rest)
  add(spacing.close + (isList(value) ? ']' : '}'), false)
  return text
}

function cellOf(
  editing: Editing,
  around: Around<FlowPart> | null,
  { value, site, key, own, moved, wasFirst }: Step<FlowEntry>,
  place: number,
  column: number,
  like: Like | null,
): Cell {
  if (around !== null && own !== null)
    return ownCell(editing, { layout: around.layout, entry: own }, value, site, column, wasFirst, key)
  if (moved !== null) return movedCell(editing, moved, value, site, column)
  if (key === null) {
    const text = inlineOf(editing, value, site, column, neighbour(around, place) ?? firstOf(like))
    return { ...NEW_CELL, text }
  }
  const beside = neighbour(around, 0) === null || around === null ? like : { ...around, entry: null }
  const text = inlineOf(editing, value, site, column, likeBelow(editing, beside, key, value))
  return { ...NEW_CELL, text: `${withColon(keyText(editing, key, firstOf(beside)), ' ')} ${text}` }
}

function ownCell(
  editing: Editing,
  source: Located<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
  wasFirst: boolean,
  key: string | null,
): Cell {
  const { layout, entry } = source
  const like = { layout, part: entry.value, entry }
  const name = key === entry.key || key === null ? null : keyText(editing, key, like)
  const { text, comments } = flowEntryText(editing, source, value, site, column, name)
  const post = entry.comma === null ? null : slice(layout, entry.end, entry.comma)
  const after = slice(layout, entry.comma === null ? entry.end : entry.comma + 1, entry.after)
  return { lead: slice(layout, entry.lead, entry.start), wasFirst, comments, text, post, after }
}

/** An item from another list, or another text. */
function movedCell(editing: Editing, source: Located, value: Json, site: Site, column: number): Cell {
  const { layout, entry } = source
  if (entry.form === 'flow') {
    const { text, comments, behind } = takenText(editing, { layout, entry }, value, site, column)
    return { ...NEW_CELL, comments, text, after: behind }
  }
  const text = inlineOf(editing, value, site, column, { layout, part: entry.value, entry })
  return { ...NEW_CELL, comments: commentsOf(layout, entry), text }
}

/** An entry in brackets that moves to another place, at a column, with all comments around it. */
export function takenText(
  editing: Editing,
  source: Located<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
): TakenText {
  const { layout, entry } = source
  const lineStart = lineStartOf(layout.text, entry.start)
  const indent = /^[ \t]*/.exec(layout.text.slice(lineStart, entry.start))?.[0].length ?? 0
  const { text, comments } = flowEntryText(editing, source, value, site, indent)
  const above = commentsIn(layout.text, entry.lead, entry.start)
  const before = entry.comma === null ? [] : commentsIn(layout.text, entry.end, entry.comma)
  // No line moves further to the left than the place allows.
  const lines = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, blanks = '']) => blanks.length)
  const base = lines.reduce((least, each) => Math.min(least, each), indent)
  return {
    text: shift(text, column - base),
    comments: [...above, ...comments, ...before],
    behind: slice(layout, entry.comma === null ? entry.end : entry.comma + 1, entry.after).trimEnd(),
  }
}

/** An entry in brackets for another value, and the comments that found no place in it. */
function flowEntryText(
  editing: Editing,
  { layout, entry }: Located<FlowEntry>,
  value: Json,
  site: Site,
  column: number,
  key: string | null = null,
): FlowText {
  const { head, text: kept } = writeInPlace(editing, { layout, entry }, value, site, column, key)
  if (kept !== null) return { text: kept, comments: [] }
  const { value: part } = entry
  const comments = [
    ...commentsIn(layout.text, entry.keyEnd, Math.max(entry.keyEnd, part.start)),
    ...commentsInside(layout, part),
  ]
  const text = inlineOf(editing, value, site, column, { layout, part, entry })
  return { text: entry.key === null ? text : `${head}: ${text}`, comments }
}

function inlineOf(editing: Editing, value: Json, site: Site, column: number, like: Like | null): string {
  const fresh = editing.fresh(value, { site, column, isInList: false, inFlow: true, like })
  return fresh.inline ?? ''
}

/** What separates entries in brackets: as between the existing ones, else as in a neighbour. */
interface Spacing {
  readonly open: string
  readonly first: string
  readonly other: string
  readonly post: string
  readonly close: string
  readonly hasComma: boolean
}

function spacingOf(
  { styles }: Editing,
  around: Around<FlowPart> | null,
  like: Like | null,
  isOfList: boolean,
  isEmpty: boolean,
): Spacing {
  const padding = paddingOf(like, isOfList) ?? (isOfList ? styles.listPadding : styles.padding)
  const end = isEmpty ? '' : padding
  const usual = { first: padding, other: ' ', post: '', hasComma: false }
  if (around === null) return { ...usual, open: isOfList ? '[' : '{', close: end }
  const { layout, part } = around
  const [open, close] = [slice(layout, part.start, part.open), slice(layout, part.close, part.end - 1)]
  const [entry, second] = part.entries
  if (entry === undefined) return { ...usual, open, close: close === '' ? end : close }
  const leadOf = (each: FlowEntry): string => {
    const lead = slice(layout, each.lead, each.start)
    return lead.includes('#') ? (/\r?\n[ \t]*$/.exec(lead)?.[0] ?? ' ') : lead
  }
  const first = leadOf(entry)
  const post = entry.comma === null ? '' : slice(layout, entry.end, entry.comma)
  return {
    open,
    first,
    other: second === undefined ? (first.includes('\n') ? first : ' ') : leadOf(second),
    post: post.includes('#') ? '' : post,
    close,
    hasComma: part.entries.at(-1)?.comma != null,
  }
}

/** What is inside of the brackets of a neighbour that is written in one line. */
function paddingOf(like: Like | null, isOfList: boolean): string | null {
  if (like?.part.kind !== 'flow' || like.part.isList !== isOfList || like.part.entries.length === 0)
    return null
  const inside = slice(like.layout, like.part.start + 1, like.part.end - 1)
  return inside.includes('\n') ? null : (/^ */.exec(inside)?.[0] ?? '')
}

/** The column of the entries, where they have their own lines. */
function columnInside({ layout, part }: Around<FlowPart>): number | null {
  const leads = part.entries.map((entry) => /\n([ \t]*)$/.exec(slice(layout, entry.lead, entry.start)))
  return leads.find((lead) => lead !== null)?.[1]?.length ?? null
}
