import { isEqual, isList, isMap, type Json, type JsonList, type JsonMap } from '../../model/json.js'
import { commentsBehind } from './comments.js'
import type { Editing, Located } from './editing.js'
import { type BlockEntry, type Part, slice } from './layout.js'
import { likeElsewhere } from './likeness.js'
import { rewriteScalar } from './rewrite-scalar.js'
import type { Site } from './site.js'

/** The key of an entry, and the entry with another value in place of the old one; null where that is impossible. */
export interface InPlace {
  readonly head: string
  readonly text: string | null
  /** What is behind the value in its lines. */
  readonly tail: string
}

/** Writes another value in place of an entry's; `key` is its new name, if it gets one. */
export function writeInPlace(
  editing: Editing,
  { layout, entry }: Located,
  value: Json,
  site: Site,
  column: number,
  key: string | null,
): InPlace {
  const { value: part, form } = entry
  const head = key === null ? slice(layout, entry.start, entry.keyEnd) : key
  const before = head + slice(layout, entry.keyEnd, part.start)
  const to = (text: string | null, tail = ''): InPlace => ({ head, text, tail })
  if (editing.isStill(site) || (site.role === 'other' && isEqual(part.value, value)))
    return to(head + slice(layout, entry.keyEnd, entry.end))
  if (editing.isCoarse && site.role === 'other') return to(null)
  if (part.kind === 'scalar') {
    // There is no place for a value behind a key without a colon, or for a pair.
    const hasPlace = entry.key === null || entry.colonEnd > entry.keyEnd
    if (isList(value) || isMap(value) || !hasPlace || part.style === 'pair') return to(null)
    const text = rewriteScalar(layout, part, value, { place: form, column }, editing.styles.quote)
    return to(before + (part.style === 'empty' ? ' ' : '') + text, slice(layout, part.end, entry.end))
  }
  if (part.isList ? !isList(value) : !isMap(value)) return to(null)
  const some = value as JsonList | JsonMap
  const isFilled = Object.keys(some).length > 0
  if (part.kind === 'block')
    return to(isFilled ? before + editing.blockLines({ layout, part }, some, site) : null)
  // A list of items that was empty is filled as other lists are.
  if (form === 'block' && site.role === 'items' && isEmpty(part) && isFilled) return to(null)
  const text = editing.flowText({ layout, part }, some, site, column + 2, null)
  return to(before + text, slice(layout, part.end, entry.end))
}

/** The lines of an entry from its first character on, for another value; `key` is its new name, if it gets one. */
export function blockEntryText(
  editing: Editing,
  source: Located<BlockEntry>,
  value: Json,
  site: Site,
  key: string | null = null,
): string {
  const { layout, entry } = source
  const { value: part } = entry
  const { head, text, tail } = writeInPlace(editing, source, value, site, entry.column, key)
  if (text === null) return rewritten(editing, source, value, site, head)
  const wasOverLines = part.kind === 'scalar' && (part.style === 'literal' || part.style === 'folded')
  if (!wasOverLines || text.endsWith('\n')) return text + tail
  const comment = /^\S+(.*)/.exec(slice(layout, part.start, part.end))?.[1]?.trimEnd() ?? ''
  return `${text}${comment}${editing.eol}${tail}`
}

/** An entry whose value is rewritten, with all comments that were behind it. */
function rewritten(
  editing: Editing,
  { layout, entry }: Located<BlockEntry>,
  value: Json,
  site: Site,
  head: string,
): string {
  const { eol } = editing
  const { column } = entry
  const isInList = entry.key === null
  // An empty value does not show how to fill it.
  const like = isEmpty(entry.value)
    ? likeElsewhere(editing, entry.key ?? '')
    : { layout, part: entry.value, entry }
  const { dashGap } = editing.styles
  const at = isInList ? column + dashGap.length - 1 : column
  const fresh = editing.fresh(value, { site, column: at, isInList, inFlow: false, like })
  const isExplicit = !isInList && layout.text.charAt(entry.start) === '?' && entry.start !== entry.keyStart
  const key = isInList ? '-' : isExplicit ? `${head.trimEnd()}${eol}${' '.repeat(column)}:` : `${head}:`
  const [first, ...rest] = commentsBehind(layout, entry)
  const deeper = ' '.repeat(column + 2)
  const lines = rest.map((comment) => `${deeper}${comment}${eol}`).join('')
  const mark = first === undefined ? '' : ` ${first}`
  if (fresh.lines === null) return `${key} ${fresh.inline}${mark}${eol}${lines}`
  if (!isInList || mark !== '' || lines !== '') return `${key}${mark}${eol}${lines}${fresh.lines}`
  return `${key}${dashGap}${fresh.lines.slice(fresh.column)}`
}

function isEmpty(part: Part): boolean {
  return part.kind !== 'scalar' && part.entries.length === 0
}
