import { isEqual, isList } from '../../model/json.js'
import { commentsBehind, commentsOf } from './comments.js'
import type { Editing } from './editing.js'
import { headOf, textInPlace } from './entry-text.js'
import { inlineText, keyText, keyWithColon, likeBelow, neighbour } from './fresh.js'
import { type Entry, entriesOf, type GroupSpot, groupOf, type Spot } from './layout.js'
import { planEntries, type Step } from './plan-entries.js'
import { paddingOf } from './styles.js'
import { commentsIn, shift } from './trivia.js'

/** An entry in brackets as it will be. */
export interface Cell {
  readonly text: string
  /** The comments that come above it. */
  readonly comments: readonly string[]
  /** What is behind its comma. */
  readonly behind: string
}

/** One with what was before it, and between it and its comma; null where it was not there, or had no comma. */
type SpacedCell = Cell & { readonly lead: string | null; readonly post: string | null }
type PlannedCell = Step & SpacedCell

/**
 * A list or a map in brackets: the value of an entry changed to another, or a new one; new lines in it begin at a column.
 * What separates its entries stays while the same entries are there. Else entries over several lines, or with comments, get
 * a line each.
 */
export function flowText(
  editing: Editing,
  around: Entry | null,
  spot: GroupSpot,
  column: number,
  like: Entry | null,
): string {
  const { role, value } = spot
  const [part, entries] = [groupOf(around), entriesOf(around)]
  const sliced = (from = 0, to = 0): string => around?.text.slice(from, to) ?? ''
  if (part !== null && role === 'other' && isEqual(part.value, value)) return sliced(part.start, part.end)
  const leads = entries.map(({ lead, start }) => sliced(lead, start))
  const inner = leads.map((lead) => /\n([ \t]*)$/.exec(lead)?.[1]?.length).find((each) => each !== undefined)
  const line = editing.eol + ' '.repeat(inner ?? column)
  const toLines = (comments: readonly string[]): string => comments.map((each) => line + each).join('')
  const { steps, rest } = planEntries(editing, around, spot, like, toLines)
  const model = entries.length > 0 ? around : like
  const cells = steps.map((step, index): PlannedCell => {
    return { ...step, ...cellOf(editing, step, inner ?? column, model, around === null ? 0 : index) }
  })
  const isSame = cells.every(({ place, comments }, index) => place === index && comments.length === 0)
  if (isSame && cells.length > 0 && cells.length === entries.length) {
    const ends = [part?.start, ...entries.map(({ end }) => end)]
    const texts = cells.map(({ text }, index) => sliced(ends[index], entries[index]?.start) + text)
    return texts.join('') + sliced(ends.at(-1), part?.end)
  }
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}']
  const before = part === null ? open : sliced(part.start, part.open)
  const after = part === null ? '' : sliced(part.close, part.end - 1)
  const { styles } = editing
  const usual = isList(value) ? styles.listPadding : styles.padding
  const padding = paddingOf(groupOf(like)?.isList === isList(value) ? like : null) ?? usual
  const text = before + joined(cells, entries, before + rest, padding, line) + rest
  const foot = after === '' && entries.length === 0 && cells.length > 0 ? padding : after
  // Behind a comment, its line can hold nothing.
  const last = rest === '' ? (cells.at(-1)?.behind ?? before) : rest
  return text + (last.includes('#') && !foot.includes('\n') ? line : foot) + close
}

/** Entries with their commas, separated as those that were there, or in lines of their own; `around` is the text around them. */
function joined(
  cells: readonly PlannedCell[],
  entries: readonly Entry[],
  around: string,
  padding: string,
  line: string,
): string {
  const [first = padding, other = ' '] = entries.map(({ text, lead, start }) => text.slice(lead, start))
  const [usual = ''] = entries.flatMap(({ text, end, comma }) =>
    comma === null ? [] : text.slice(end, comma),
  )
  const all = cells.map(({ detached, lead, behind }) => detached + (lead ?? '') + behind).join('')
  const isOverLines = /[#\n]/.test(around + all) || cells.some(({ comments }) => comments.length > 0)
  const hasComma = entries.at(-1)?.comma != null
  const texts = cells.map(({ detached, place, lead, comments, text, post, behind }, index) => {
    const all = [...comments, ...commentsIn(post ?? '', 0, post?.length ?? 0)]
    const above = detached + all.map((each) => line + each).join('')
    const isKept = lead?.includes('\n') === true || (index === 0 && place === 0 && above === '')
    const before = isKept ? lead : isOverLines ? line : index === 0 ? first : other
    const gap = post?.includes('#') === false ? post : usual.includes('#') ? '' : usual
    const comma = index < cells.length - 1 || hasComma ? `${gap},` : ''
    return above + before + text + comma + behind
  })
  return texts.join('')
}

function cellOf(
  editing: Editing,
  { spot, key, from, place }: Step,
  column: number,
  around: Entry | null,
  index: number,
): SpacedCell {
  const isNew = { comments: [], behind: '', lead: null, post: null }
  const inline = (like: Entry | null): string => inlineText(editing, spot, column, like, true) ?? ''
  if (from === null) {
    const like = key === null ? neighbour(around, index) : likeBelow(editing, around, key, spot)
    const name = key === null ? '' : `${keyWithColon(editing, key, neighbour(around, 0), ' ')} `
    return { ...isNew, text: name + inline(like) }
  }
  if (place === null && from.form === 'flow') return { ...isNew, ...takenText(editing, from, spot, column) }
  if (place === null) return { ...isNew, text: inline(from), comments: commentsOf(from) }
  const name = key === from.key || key === null ? null : keyText(editing, key, from)
  const { text, lead, start, end, comma } = from
  const post = comma === null ? null : text.slice(end, comma)
  const kept = keptText(editing, from, spot, column, name)
  return { ...kept, behind: behindOf(from), lead: text.slice(lead, start), post }
}

/** An entry in brackets that moves to another place, at a column, with all comments around it. */
export function takenText(editing: Editing, entry: Entry, spot: Spot, column: number): Cell {
  const { text: source, lead, start, end, comma } = entry
  const { text, comments } = keptText(editing, entry, spot, entry.column, null)
  const above = commentsIn(source, lead, start)
  const before = comma === null ? [] : commentsIn(source, end, comma)
  // No line moves further to the left than the place allows.
  const lines = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, blanks = '']) => blanks.length)
  const base = lines.reduce((least, each) => Math.min(least, each), entry.column)
  const all = [...above, ...comments, ...before]
  return { text: shift(text, column - base), comments: all, behind: behindOf(entry).trimEnd() }
}

function behindOf({ text, end, comma, after }: Entry): string {
  return text.slice(comma === null ? end : comma + 1, after)
}

/** An entry in brackets for another value, and the comments that found no place in it. */
function keptText(
  editing: Editing,
  entry: Entry,
  spot: Spot,
  column: number,
  key: string | null,
): Omit<Cell, 'behind'> {
  const kept = textInPlace(editing, entry, spot, column, key)
  if (kept !== null) return { text: kept, comments: [] }
  const text = inlineText(editing, spot, column, entry, true) ?? ''
  const comments = commentsBehind({ ...entry, after: entry.end })
  return { text: entry.key === null ? text : `${headOf(entry, key)}: ${text}`, comments }
}
