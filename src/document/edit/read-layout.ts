import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Json, JsonList, JsonMap } from '../../model/json.js'
import type { ReadYaml } from '../read/read-yaml.js'
import {
  type Entry,
  type GroupPart,
  type Layout,
  MENU,
  type Part,
  type ScalarPart,
  type Site,
  siteBelow,
} from './layout.js'
import { behindComment, findSign, lineEndOf, lineStartOf, linesIn, partAbove } from './trivia.js'

/** How a text that ends with a line break is laid out. */
export function toLayout({ root, value, source: { text } }: ReadYaml): Layout {
  const items = new Map<string, Entry>()
  const part = createReader(text, items)(root, value as JsonMap, 0, MENU)
  if (part.kind === 'block') settleBlock(text, part, lineStartOf(text, part.start), documentEnd(text, part))
  const { start, end } = part
  const around = { loose: start, gap: start, lead: start, start, keyStart: start, keyEnd: start }
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

type Collection = YAMLMap | YAMLSeq

/** Reads the part for a node, or for a missing one at an offset. */
type ReadPart = (node: Node | null, value: Json, at: number, site: Site) => Part

/** Reads the parts of a text, and registers its items. */
function createReader(text: string, items: Map<string, Entry>): ReadPart {
  const read: ReadPart = (node, value, at, site) => {
    const [start, end] = node?.range ?? [at, at]
    if (isMap(node) || isSeq(node)) {
      const isPair = node.flow === true && !/[[{]/.test(text.charAt(start))
      if (isPair) return { kind: 'scalar', style: 'pair', value, start, end }
      return readGroup(node, value, site, start, end)
    }
    if (!isScalar(node) || start === end)
      return { kind: 'scalar', style: 'empty', value: isScalar(node) ? value : null, start: at, end: at }
    return { kind: 'scalar', style: STYLES[node.type ?? ''] ?? 'plain', value, start, end }
  }

  const readGroup = (node: Collection, value: Json, site: Site, start: number, end: number): GroupPart => {
    const kind = node.flow === true ? 'flow' : 'block'
    const lineStart = lineStartOf(text, start)
    const column = start - lineStart
    const open = kind === 'flow' ? behindComment(text, start + 1, end - 1) : start
    const entries: Entry[] = []
    let at = open
    for (const child of childrenOf(node, value)) {
      const below = siteBelow(site, child.key ?? String(entries.length), child.value)
      const own = readEntry(child, below, at, end, kind)
      const entry: Entry = kind === 'block' ? { ...own, column } : { ...own, ...aroundOf(own, at, end - 1) }
      entries.push(entry)
      if (entry.isItem) items.set(below.at, entry)
      at = entry.after
    }
    const isInline = text.slice(lineStart, start).trim() !== ''
    const last = kind === 'block' ? at : end
    return { kind, isList: isSeq(node), value, column, isInline, start, end: last, open, close: at, entries }
  }

  /** What an entry of either form has, from an offset behind the one before. */
  const readEntry = (child: Child, site: Site, at: number, to: number, form: Entry['form']): Entry => {
    const { keyNode, key, valueNode } = child
    const dash = form === 'block' && keyNode === null ? 1 : 0
    const anchor = keyNode ?? (dash === 1 ? null : valueNode)
    // At its `?`, where it has one, else at its key; in a list at its `-`, or at its value.
    const start = anchor === null && dash === 0 ? at : findSign(text, at, anchor?.range?.[0] ?? to)
    const keyStart = keyNode?.range?.[0] ?? start + dash
    const keyEnd = keyNode === null ? start + dash : (keyNode.range?.[1] ?? start)
    const colonEnd = keyNode === null || valueNode === null ? keyEnd : findSign(text, keyEnd, to) + 1
    const value = read(valueNode, child.value, colonEnd, site)
    const end = Math.max(colonEnd, value.end)
    const above = { column: 0, loose: start, gap: start, lead: start }
    const own = { start, keyStart, keyEnd, colonEnd, value, end, comma: null, after: end }
    return { text, form, isItem: site.role === 'item', key, ...above, ...own }
  }

  /** What belongs to an entry in brackets: what is before it from an offset on, its comma, and a comment behind that. */
  const aroundOf = ({ start, end }: Entry, at: number, close: number): Partial<Entry> => {
    const sign = findSign(text, end, close)
    const comma = text.charAt(sign) === ',' && sign < close ? sign : null
    const lead = leadOf(text, at, start)
    const lineStart = lineStartOf(text, start)
    const column = /^[ \t]*/.exec(text.slice(lineStart, start))?.[0].length ?? 0
    const after = behindComment(text, comma === null ? end : comma + 1, close)
    return { column, loose: at, gap: lead, lead, comma, after }
  }
  return read
}

const STYLES: Readonly<Record<string, ScalarPart['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

interface Child {
  readonly keyNode: Node | null
  readonly key: string | null
  readonly value: Json
  readonly valueNode: Node | null
}

function childrenOf(node: Collection, value: Json): readonly Child[] {
  return node.items.map((each: unknown, place): Child => {
    if (isSeq(node))
      return { keyNode: null, key: null, value: (value as JsonList)[place] ?? null, valueNode: each as Node }
    const { key: keyNode, value: valueNode } = each as Pair<Node, Node | null>
    const key = isScalar(keyNode) ? String(keyNode.value) : ''
    return { keyNode, key, value: (value as JsonMap)[key] ?? null, valueNode }
  })
}

/** Where the comments of an entry in brackets begin; those separated from it by a blank line stay. */
function leadOf(text: string, from: number, start: number): number {
  const first = text.indexOf('\n', from) + 1
  if (first === 0 || first >= start) return from
  const { gap } = partAbove(text, first, lineStartOf(text, start))
  const hasLoose = linesIn(text, first, gap).some(({ column }) => column !== null)
  // The line break before the blank lines goes with the entry.
  return hasLoose ? gap - (text.charAt(gap - 2) === '\r' ? 2 : 1) : from
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
    Object.assign(entry, { loose: at, ...partAbove(text, at, top) })
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
