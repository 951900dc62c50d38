import { isEqual, isList } from '../../model/json.js'
import { commentsBehind } from './comments.js'
import type { Editing } from './editing.js'
import { freshEntry, likeElsewhere } from './fresh.js'
import { type Entry, groupOf, isGroup, type Spot } from './layout.js'
import { rewriteScalar } from './rewrite-scalar.js'

/** The text of an entry up to its key, which may be a new one. */
export function headOf({ text, start, keyStart, keyEnd }: Entry, key: string | null): string {
  return key === null ? text.slice(start, keyEnd) : text.slice(start, keyStart) + key
}

/**
 * The text of an entry with another value in place of the old one, up to its end; null where that is impossible. New lines
 * begin behind a column.
 */
export function textInPlace(
  editing: Editing,
  entry: Entry,
  spot: Spot,
  column: number,
  key: string | null,
): string | null {
  const { value: part, form, text, keyEnd, colonEnd } = entry
  const { role, value } = spot
  const before = headOf(entry, key) + text.slice(keyEnd, part.start)
  if (editing.isStill(spot) || (role === 'other' && isEqual(part.value, value)))
    return before + text.slice(part.start, part.end)
  if (editing.isCoarse && role === 'other') return null
  if (part.kind === 'scalar') {
    // There is no place for a value behind a key without a colon, or for a pair.
    const hasPlace = entry.key === null || colonEnd > keyEnd
    if (isGroup(spot) || !hasPlace || part.style === 'pair') return null
    const blank = part.style === 'empty' ? ' ' : ''
    return before + blank + rewriteScalar(text, part, value, { place: form, column }, editing)
  }
  if (!isGroup(spot) || part.isList !== isList(value)) return null
  const isFilled = Object.keys(spot.value).length > 0
  if (part.kind === 'block')
    return isFilled ? before + editing.blockLines(editing, entry, spot, part.column, null) : null
  // A list of items that was empty is filled as other lists are.
  if (form === 'block' && role === 'items' && part.entries.length === 0 && isFilled) return null
  return before + editing.flowText(editing, entry, spot, column + 2, null)
}

/** The lines of an entry from its first character on, for another value; `key` is its new name, if it gets one. */
export function blockEntryText(editing: Editing, entry: Entry, spot: Spot, key: string | null): string {
  const { value: part, column, text } = entry
  const written = textInPlace(editing, entry, spot, column, key)
  if (written === null) return rewritten(editing, entry, spot, headOf(entry, key))
  const tail = text.slice(part.end, entry.end)
  const wasWhole = text.charAt(part.end - 1) === '\n' && part.kind === 'scalar'
  if (!wasWhole || written.endsWith('\n')) return written + tail
  // The comment behind the header of a text in lines of its own.
  const comment = /^\S+(.*)/.exec(text.slice(part.start, part.end))?.[1]?.trimEnd() ?? ''
  return `${written}${comment}${editing.eol}${tail}`
}

/** An entry whose value is rewritten, with all comments that were behind it. */
function rewritten(editing: Editing, entry: Entry, spot: Spot, head: string): string {
  const { key, column, start, keyStart } = entry
  const isExplicit = key !== null && keyStart > start
  const name = isExplicit ? `${head}${editing.eol}${' '.repeat(column)}:` : `${head}:`
  // An empty value does not show how to fill it.
  const like = groupOf(entry)?.entries.length === 0 ? likeElsewhere(editing.styles, key ?? '') : entry
  const comments = commentsBehind(entry)
  return freshEntry(editing, key === null ? '-' : name, spot, column, like, comments)
}
