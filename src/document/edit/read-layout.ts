import type { GroupNode, Member, YamlNode } from '../node.js'
import type { ReadYaml } from '../read/read-yaml.js'
import {
  type Entry,
  type GroupPart,
  type Layout,
  menuSpot,
  type Part,
  type Spot,
  spotBelow,
} from './layout.js'
import { behindComment, findSign, lineEndOf, lineStartOf, linesIn, partAbove } from './trivia.js'

/** How a text that ends with a line break is laid out. */
export function toLayout({ root, source: { text } }: ReadYaml): Layout {
  const items = new Map<string, Entry>()
  const part = createReader(text, items)(root, 0, menuSpot(root?.value ?? null))
  if (part.kind === 'block') settleBlock(text, part, lineStartOf(text, part.start), documentEnd(text, part))
  const { start, end } = part
  const around = { detached: start, gap: start, lead: start, start, keyStart: start, keyEnd: start }
  const menu: Entry = {
    ...around,
    ...{ text, form: 'block', isItem: false, key: null, column: 0, colonEnd: start, value: part },
    ...{ end, comma: null, after: end },
  }
  return { text, eol: lineEnding(text), menu, items }
}

/** The line ending that most lines have. */
function lineEnding(text: string): string {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows * 2 > all ? '\r\n' : '\n'
}

/** Where the lines of the menu end: at the end of the text, or at the document end marker. */
function documentEnd(text: string, { entries }: GroupPart): number {
  const from = lineStartOf(text, entries.at(-1)?.end ?? 0)
  const mark = /^\.\.\.(?=\s|$)/m.exec(text.slice(from))
  return mark === null ? text.length : from + mark.index
}

/** Reads the part for a node, or for a missing one at an offset. */
type ReadPart = (node: YamlNode | null, at: number, spot: Spot) => Part

/** Reads the parts of a text, and registers its items. */
function createReader(text: string, items: Map<string, Entry>): ReadPart {
  const read: ReadPart = (node, at, spot) => {
    if (node === null || node.start === node.end)
      return { kind: 'scalar', style: 'empty', value: null, start: at, end: at }
    if (node.kind === 'scalar') return node
    const { kind, value, start, end } = node
    const isPair = kind === 'flow' && !/[[{]/.test(text.charAt(start))
    return isPair ? { kind: 'scalar', style: 'pair', value, start, end } : readGroup(node, spot)
  }

  const readGroup = ({ kind, isList, value, members, start, end }: GroupNode, spot: Spot): GroupPart => {
    const lineStart = lineStartOf(text, start)
    const column = start - lineStart
    const open = kind === 'flow' ? behindComment(text, start + 1, end - 1) : start
    const entries: Entry[] = []
    let at = open
    for (const member of members) {
      const below = spotBelow(spot, member.key ?? String(entries.length), member.node?.value ?? null)
      const own = readEntry(member, below, at, end, kind)
      const entry: Entry = kind === 'block' ? { ...own, column } : { ...own, ...aroundOf(own, at, end - 1) }
      entries.push(entry)
      if (entry.isItem) items.set(below.at, entry)
      at = entry.after
    }
    const isInline = text.slice(lineStart, start).trim() !== ''
    const last = kind === 'block' ? at : end
    return { kind, isList, value, column, isInline, start, end: last, open, close: at, entries }
  }

  /** What an entry of either form has, from an offset behind the one before. */
  const readEntry = (member: Member, spot: Spot, at: number, to: number, form: Entry['form']): Entry => {
    const { key, node } = member
    const isKeyed = key !== null
    const dash = form === 'block' && !isKeyed ? 1 : 0
    // At its `?`, where it has one, else at its key; in a list at its `-`, or at its value.
    const start = findSign(text, at, isKeyed ? member.keyStart : dash === 1 ? to : (node?.start ?? at))
    const keyStart = isKeyed ? member.keyStart : start + dash
    const keyEnd = isKeyed ? member.keyEnd : start + dash
    const colonEnd = !isKeyed || node === null ? keyEnd : findSign(text, keyEnd, to) + 1
    const value = read(node, colonEnd, spot)
    const end = Math.max(colonEnd, value.end)
    const above = { column: 0, detached: start, gap: start, lead: start }
    const own = { start, keyStart, keyEnd, colonEnd, value, end, comma: null, after: end }
    return { text, form, isItem: spot.role === 'item', key, ...above, ...own }
  }

  /** What belongs to an entry in brackets: what is before it from an offset on, its comma, and a comment behind that. */
  const aroundOf = ({ start, end }: Entry, at: number, close: number): Partial<Entry> => {
    const sign = findSign(text, end, close)
    const comma = text.charAt(sign) === ',' && sign < close ? sign : null
    const lead = leadOf(text, at, start)
    const lineStart = lineStartOf(text, start)
    const column = /^[ \t]*/.exec(text.slice(lineStart, start))?.[0].length ?? 0
    const after = behindComment(text, comma === null ? end : comma + 1, close)
    return { column, detached: at, gap: lead, lead, comma, after }
  }
  return read
}

/** Where the comments of an entry in brackets begin; those separated from it by a blank line stay. */
function leadOf(text: string, from: number, start: number): number {
  const first = text.indexOf('\n', from) + 1
  if (first >= start) return from
  const { gap } = partAbove(text, first, lineStartOf(text, start))
  const hasDetached = linesIn(text, first, gap).some(({ column }) => column !== null)
  // The line break before the blank lines goes with the entry.
  return hasDetached ? gap - (text.charAt(gap - 2) === '\r' ? 2 : 1) : from
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Assigns the lines of a block to its entries: comments indented deeper than the entry below them belong to what is above
 * them, those directly above an entry to it, and the rest stays where it is.
 */
function settleBlock(text: string, part: GroupPart, from: number, to: number): void {
  const block: Writable<GroupPart> = part
  if (!block.isInline) block.start = from
  let at = block.start
  for (const [place, each] of block.entries.entries()) {
    const entry: Writable<Entry> = each
    const isBehind = block.isInline && place === 0
    const top = isBehind ? entry.start : lineStartOf(text, entry.start)
    Object.assign(entry, { detached: at, ...partAbove(text, at, top) })
    const next = block.entries[place + 1]
    const below = next === undefined ? to : lineStartOf(text, next.start)
    // A block scalar ends with its lines.
    const lineEnd = text.charAt(entry.end - 1) === '\n' ? entry.end : lineEndOf(text, entry.end)
    entry.end = deeperEnd(text, lineEnd, below, entry.column)
    entry.after = entry.end
    if (entry.value.kind === 'block')
      settleBlock(text, entry.value, lineEndOf(text, entry.colonEnd), entry.end)
    at = entry.end
  }
  block.close = at
  block.end = to
}

/** The end of the comments indented deeper than a column, up to the first that is not. */
function deeperEnd(text: string, from: number, to: number, column: number): number {
  let end = from
  for (const line of linesIn(text, from, to)) {
    if (line.column === null) continue
    if (line.column <= column) break
    end = line.end
  }
  return end
}
