import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Json, JsonMap } from '../../model/json.js'
import type { ReadYaml } from '../read/read-yaml.js'
import type {
  AnyEntry,
  BlockEntry,
  BlockPart,
  Entry,
  FlowEntry,
  FlowPart,
  Layout,
  Part,
  ScalarPart,
} from './layout.js'
import { MENU, type Site, siteBelow } from './site.js'
import { bitsOf, findSign, lineEndOf, lineStartOf, linesIn, partAbove } from './trivia.js'

/** How a text that ends with a line break is laid out. */
export function toLayout({ root: node, value, source: { text } }: ReadYaml): Layout {
  const items = new Map<string, Entry>()
  const root = createReader(text, items)(node, value as JsonMap, 0, MENU)
  if (root.kind === 'block') settleBlock(text, root, lineStartOf(text, root.start), documentEnd(text, root))
  const itemEntries = new Set(items.values())
  return { text, eol: lineEnding(text), value: value as JsonMap, root, items, itemEntries }
}

/** The line ending that most lines have. */
function lineEnding(text: string): string {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows * 2 > all ? '\r\n' : '\n'
}

/** Where the lines of the menu end: at the end of the text, or at the document end marker. */
function documentEnd(text: string, { entries }: BlockPart): number {
  const from = entries.at(-1)?.end ?? 0
  const mark = /^\.\.\.(?=\s|$)/m.exec(text.slice(lineStartOf(text, from)))
  return mark === null ? text.length : lineStartOf(text, from) + mark.index
}

/** Reads the parts of a text, and registers its items. */
function createReader(text: string, items: Map<string, Entry>): ReadPart {
  const read: ReadPart = (node, value, at, site) => {
    const [start, end] = node?.range ?? [at, at]
    if (isMap(node) || isSeq(node)) {
      if (node.flow !== true) return readBlock(node, value, site, start, end)
      if (/[[{]/.test(text.charAt(start))) return readFlow(node, value, site, start, end)
      return { kind: 'scalar', style: 'pair', value, start, end }
    }
    if (!isScalar(node) || start === end)
      return { kind: 'scalar', style: 'empty', value: isScalar(node) ? value : null, start: at, end: at }
    return { kind: 'scalar', style: STYLES[node.type ?? ''] ?? 'plain', value, start, end }
  }

  /** What an entry of either form has, from an offset behind the one before. */
  const readEntry = (child: Child, site: Site, at: number, end: number, dash: 0 | 1): AnyEntry => {
    const { keyNode, key, value, valueNode } = child
    const anchor = keyNode ?? (dash === 1 ? null : valueNode)
    // At its `?`, where it has one, else at its key; in a list at its `-`, or at its value.
    const start = anchor === null && dash === 0 ? at : findSign(text, at, anchor?.range?.[0] ?? end)
    const keyEnd = keyNode === null ? start + dash : (keyNode.range?.[1] ?? start)
    const colonEnd = keyNode === null || valueNode === null ? keyEnd : findSign(text, keyEnd, end) + 1
    const part = read(valueNode, value, colonEnd, site)
    return { key, start, keyStart: keyNode?.range?.[0] ?? keyEnd, keyEnd, colonEnd, value: part }
  }

  const enter = (site: Site, entry: Entry): void => {
    if (site.role === 'item') items.set(site.at, entry)
  }

  const readBlock = (node: Collection, value: Json, site: Site, start: number, end: number): BlockPart => {
    const entries: BlockEntry[] = []
    const lineStart = lineStartOf(text, start)
    const column = start - lineStart
    let at = start
    for (const child of childrenOf(node, value)) {
      const below = siteBelow(site, child.key ?? String(entries.length), child.value)
      const own = readEntry(child, below, at, end, child.keyNode === null ? 1 : 0)
      at = Math.max(own.colonEnd, own.value.end)
      const lines = { loose: own.start, gap: own.start, lead: own.start, end: at }
      const entry: BlockEntry = { form: 'block', column, ...own, ...lines }
      entries.push(entry)
      enter(below, entry)
    }
    const isInline = text.slice(lineStart, start).trim() !== ''
    return { kind: 'block', isList: isSeq(node), value, column, isInline, start, end: at, foot: at, entries }
  }

  const readFlow = (node: Collection, value: Json, site: Site, start: number, end: number): FlowPart => {
    const entries: FlowEntry[] = []
    const open = behindComment(text, start + 1, end - 1)
    let at = open
    for (const child of childrenOf(node, value)) {
      const below = siteBelow(site, child.key ?? String(entries.length), child.value)
      const own = readEntry(child, below, at, end, 0)
      const valueEnd = Math.max(own.colonEnd, own.value.end)
      const sign = findSign(text, valueEnd, end - 1)
      const comma = text.charAt(sign) === ',' && sign < end - 1 ? sign : null
      const after = behindComment(text, comma === null ? valueEnd : comma + 1, end - 1)
      const lead = leadOf(text, at, own.start)
      const entry: FlowEntry = { form: 'flow', ...own, loose: at, lead, end: valueEnd, comma, after }
      entries.push(entry)
      enter(below, entry)
      at = after
    }
    return { kind: 'flow', isList: isSeq(node), value, start, end, open, close: at, entries }
  }
  return read
}

/** The part for a node, or for a missing one at an offset. */
type ReadPart = (node: Node | null, value: Json, at: number, site: Site) => Part

type Collection = YAMLMap | YAMLSeq

/** Behind a comment that follows in the same line; the offset itself when there is none. */
function behindComment(text: string, from: number, to: number): number {
  for (const { kind, end } of bitsOf(text, from, to)) {
    if (kind === 'comment') return end
    if (kind !== 'blank') break
  }
  return from
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
  if (isSeq(node)) {
    const list = value as readonly Json[]
    return node.items.map((each, place) => ({
      keyNode: null,
      key: null,
      value: list[place] ?? null,
      valueNode: each as Node,
    }))
  }
  return (node.items as Pair<Node, Node | null>[]).map(({ key: keyNode, value: valueNode }) => {
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
function settleBlock(text: string, part: BlockPart, from: number, to: number): void {
  const block: Writable<BlockPart> = part
  if (!block.isInline) block.start = from
  let at = block.start
  for (const [place, each] of block.entries.entries()) {
    const entry: Writable<BlockEntry> = each
    const isBehind = block.isInline && place === 0
    const top = isBehind ? entry.start : lineStartOf(text, entry.start)
    Object.assign(entry, { loose: at, ...partAbove(text, at, top) })
    const next = block.entries[place + 1]
    const below = next === undefined ? to : lineStartOf(text, next.start)
    entry.end = deeperEnd(text, lastLineEnd(text, entry), below, entry.column)
    if (entry.value.kind === 'block')
      settleBlock(text, entry.value, lineEndOf(text, entry.colonEnd), entry.end)
    at = entry.end
  }
  block.foot = at
  block.end = to
}

/** The end of the line in which an entry's value ends; a block scalar ends with its lines. */
function lastLineEnd(text: string, { end }: BlockEntry): number {
  return text.charAt(end - 1) === '\n' ? end : lineEndOf(text, end)
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
