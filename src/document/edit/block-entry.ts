import { isEqual, isList, isMap, type Json } from '../../model/json.js'
import { commentsBehind } from './comments.js'
import type { Editing, Source } from './editing.js'
import { type BlockEntry, type Part, slice } from './layout.js'
import { likeElsewhere } from './likeness.js'
import { rewriteScalar } from './rewrite-scalar.js'
import type { Site } from './site.js'

/** The lines of an entry from its first sign on, for another value of it; the key is written as `key`, where it gets another name. */
export function blockEntryText(
  editing: Editing,
  source: Source<BlockEntry>,
  value: Json,
  site: Site,
  key: string | null = null,
): string {
  const { layout, entry } = source
  if (editing.isStill(site)) return slice(layout, entry.start, entry.end)
  const { value: part } = entry
  const head = key === null ? slice(layout, entry.start, entry.keyEnd) : key
  const colon = slice(layout, entry.keyEnd, part.start)
  const tail = slice(layout, part.end, entry.end)
  const isSame = site.role === 'other' && isEqual(part.value, value)
  if (isSame) return head + slice(layout, entry.keyEnd, entry.end)
  if (!editing.isCoarse || site.role !== 'other') {
    if (
      part.kind === 'flow' &&
      isSameKind(part.isList, value) &&
      !(site.role === 'items' && isEmpty(part) && sizeOf(value) > 0)
    ) {
      const text = editing.flowText({ layout, part }, value, site, entry.column + 2, null)
      return head + colon + text + tail
    }
    if (part.kind === 'block' && isSameKind(part.isList, value) && sizeOf(value) > 0) {
      return head + colon + editing.blockLines({ layout, part }, value, site)
    }
    const hasPlace = isDash(entry) || entry.colonEnd > entry.keyEnd
    if (part.kind === 'scalar' && part.style !== 'pair' && hasPlace && !isList(value) && !isMap(value)) {
      const spot = { place: 'block', column: entry.column } as const
      const text = rewriteScalar(layout, part, value, spot, editing.styles.quote)
      if (part.style === 'empty') return `${head}${colon} ${text}${tail}`
      const isOverLines = part.style === 'literal' || part.style === 'folded'
      if (!isOverLines || text.endsWith('\n')) return head + colon + text + tail
      const comment = /^\S+(.*)/.exec(slice(layout, part.start, part.end))?.[1]?.trimEnd() ?? ''
      return `${head}${colon}${text}${comment}${editing.eol}${tail}`
    }
  }
  return rewritten(editing, source, value, site, head)
}

/** A `-` has a value behind it, always; a key only behind a colon. */
function isDash({ key }: BlockEntry): boolean {
  return key === null
}

function isSameKind(
  isListPart: boolean,
  value: Json,
): value is readonly Json[] | { readonly [key: string]: Json } {
  return isListPart ? isList(value) : isMap(value)
}

function sizeOf(value: Json): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** An entry whose value is written anew, with all comments that were behind it. */
function rewritten(
  editing: Editing,
  { layout, entry }: Source<BlockEntry>,
  value: Json,
  site: Site,
  head: string,
): string {
  const { eol } = editing
  const { column } = entry
  const isInList = isDash(entry)
  // What is empty does not tell how it is filled.
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
