import { isList, isMap } from '../../model/json.js'
import type { Editing } from './editing.js'
import { type Entry, entriesOf, type GroupSpot, groupOf, isGroup, type Spot, spotBelow } from './layout.js'
import { quoteOf } from './rewrite-scalar.js'
import { toScalarText } from './scalar-text.js'

/**
 * A new value in one line, or in brackets, written like that of another entry; null where it gets lines of its own. Lines
 * in brackets begin at a column.
 */
export function inlineText(
  editing: Editing,
  spot: Spot,
  column: number,
  like: Entry | null,
  inFlow: boolean,
): string | null {
  if (!isGroup(spot)) {
    const wish = like?.value.kind === 'scalar' ? quoteOf(like.value) : 'plain'
    return toScalarText(spot.value, wish, inFlow ? 'flow' : 'block', editing.styles.quote)
  }
  if (Object.keys(spot.value).length === 0) return isList(spot.value) ? '[]' : '{}'
  if (!inFlow && !isFlow(editing, spot, like)) return null
  return editing.flowText(editing, null, spot, column + 2, like)
}

/** The lines of an entry in a block with a new value, behind its `-` or its key; `comments` are those behind the old one. */
export function freshEntry(
  editing: Editing,
  key: string,
  spot: Spot,
  column: number,
  like: Entry | null,
  comments: readonly string[] = [],
): string {
  const { eol, styles } = editing
  const isInList = key === '-'
  const ownLine = isInList && like?.key === null ? depthOf(like) : null
  const gap = isInList ? (gapBehind(like) ?? styles.dashGap) : ' '
  // A list under a key is like its neighbour, else as usual in the file.
  const listDepth = (groupOf(like)?.isList === true ? depthOf(like) : null) ?? styles.dash
  const depth = isInList ? (ownLine ?? gap.length + 1) : isList(spot.value) ? listDepth : styles.step
  const at = column + depth
  const inline = inlineText(editing, spot, isInList ? at - 2 : column, like, false)
  const [first, ...rest] = comments
  const head = first === undefined ? '' : ` ${first}`
  const below = rest.map((comment) => `${' '.repeat(column + 2)}${comment}${eol}`).join('')
  if (inline !== null) return `${key}${gap}${inline}${head}${eol}${below}`
  const lines = editing.blockLines(editing, null, spot as GroupSpot, at, like)
  const isBehind = isInList && ownLine === null && first === undefined
  return isBehind ? `${key}${gap}${lines.slice(at)}` : `${key}${head}${eol}${below}${lines}`
}

/** Whether a value is in brackets: like its neighbour, else when it is small and not an item. */
function isFlow(editing: Editing, spot: GroupSpot, like: Entry | null): boolean {
  if (bringsLines(editing, spot)) return false
  const { role, value } = spot
  const part = groupOf(like)
  if (part?.isList === isList(value)) return part.kind === 'flow'
  if (role !== 'other') return false
  return Object.values(value).every((each) => !isList(each) && !isMap(each))
}

/** Whether items with lines of their own go below a new one. */
function bringsLines(editing: Editing, spot: GroupSpot): boolean {
  const { role, value } = spot
  const list = isList(value) ? value : value['children']
  if ((role !== 'items' && role !== 'item') || !isList(list)) return false
  const below = role === 'items' ? spot : spotBelow(spot, 'children', list)
  return list.some((each, place) => editing.sourceOf(spotBelow(below, String(place), each))?.form === 'block')
}

/** How much deeper than its entry a neighbour's list or map is in the lines below; null where it is in the same line. */
function depthOf(like: Entry | null): number | null {
  const part = groupOf(like)
  if (like?.form !== 'block' || part?.kind !== 'block' || part.isInline) return null
  return part.column - like.column
}

/** The text between the `-` of an entry and its value. */
function gapBehind(like: Entry | null): string | null {
  if (like?.form !== 'block' || like.key !== null) return null
  return /^( +)\S/.exec(like.text.slice(like.keyEnd, like.value.start + 1))?.[1] ?? null
}

/** The model for a value under a key: the neighbour's under that key, else the first in the file. */
export function likeBelow({ styles }: Editing, like: Entry | null, key: string, spot: Spot): Entry | null {
  const entries = entriesOf(like)
  const found = entries.find((entry) => entry.key === key)
  if (found !== undefined) return found
  if (isGroup(spot)) return likeElsewhere(styles, key)
  return entries.find(({ value: part }) => part.kind === 'scalar' && typeof part.value === 'string') ?? null
}

/** The first list or map under a key in the file; lists of items are alike, whatever their key. */
export function likeElsewhere({ byKey }: Editing['styles'], key: string): Entry | null {
  return byKey.get(key) ?? (key === 'children' ? byKey.get('items') : null) ?? null
}

/** The entry of a list that is the model for a new one at a place. */
export function neighbour(around: Entry | null, place: number): Entry | null {
  const entries = entriesOf(around)
  return entries[Math.min(Math.max(0, place - 1), entries.length - 1)] ?? null
}

/**
 * A key with its colon, in quotes where its neighbour is. One that is too long for a line (YAML 1.2.2, 7.4.2) has a `?`, and
 * its colon behind `between`.
 */
export function keyWithColon(editing: Editing, key: string, like: Entry | null, between: string): string {
  const text = keyText(editing, key, like)
  return text.length > 1000 ? `? ${text}${between}:` : `${text}:`
}

/** A key, in quotes where its neighbour is. */
export function keyText({ styles }: Editing, key: string, like: Entry | null): string {
  const quote = like?.text.charAt(like.keyStart)
  const wish = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain'
  return toScalarText(key, wish, 'key', styles.quote)
}
