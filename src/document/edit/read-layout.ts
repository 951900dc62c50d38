import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'
import type { Json, JsonMap } from '../../change/json.js'
import type { ReadYaml } from '../read/read-yaml.js'
import type { BlockEntry, BlockPart, Entry, FlowEntry, FlowPart, Layout, Part, ScalarPart } from './layout.js'
import { settleBlock } from './settle.js'
import { MENU, type Site, siteBelow } from './site.js'
import { bitsOf, findSign, lineStartOf, linesIn, partAbove } from './trivia.js'

/** How a text lies on the page that ends with a line break. */
export function toLayout({ root: node, value, source: { text } }: ReadYaml): Layout {
  const items = new Map<string, Entry>()
  const root = new Reader(text, items).read(node, value as JsonMap, 0, MENU)
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

/** Where the lines of the menu end: the text, or the mark for the end of the document. */
function documentEnd(text: string, { entries }: BlockPart): number {
  const from = entries.at(-1)?.end ?? 0
  const mark = /^\.\.\.(?=\s|$)/m.exec(text.slice(lineStartOf(text, from)))
  return mark === null ? text.length : lineStartOf(text, from) + mark.index
}

class Reader {
  readonly #text: string
  readonly #items: Map<string, Entry>

  constructor(text: string, items: Map<string, Entry>) {
    this.#text = text
    this.#items = items
  }

  /** The part for a node, or for none at an offset. */
  read(node: Node | null, value: Json, at: number, site: Site): Part {
    if (isMap(node) || isSeq(node)) {
      const [start, end] = node.range ?? [at, at]
      const bracket = this.#text.charAt(start)
      if (node.flow !== true) return this.#readBlock(node, value, site, [start, end])
      if (bracket === '{' || bracket === '[') return this.#readFlow(node, value, site, [start, end])
      return { kind: 'scalar', style: 'pair', value, start, end }
    }
    if (!isScalar(node)) return { kind: 'scalar', style: 'empty', value: null, start: at, end: at }
    const [start, end] = node.range ?? [at, at]
    const style = start === end ? 'empty' : (STYLES[node.type ?? ''] ?? 'plain')
    return style === 'empty'
      ? { kind: 'scalar', style, value, start: at, end: at }
      : { kind: 'scalar', style, value, start, end }
  }

  #readBlock(node: Node, value: Json, site: Site, [start, end]: readonly [number, number]): Part {
    const text = this.#text
    const entries: BlockEntry[] = []
    const lineStart = lineStartOf(text, start)
    const column = start - lineStart
    let at = start
    for (const { keyNode, key, child, valueNode, hasValue } of childrenOf(node, value)) {
      const own = keyNode === null ? findSign(text, at, end) : this.#keyStart(keyNode, at)
      const keyEnd = keyNode === null ? own + 1 : (keyNode.range?.[1] ?? own)
      const colonEnd = keyNode === null || !hasValue ? keyEnd : findSign(text, keyEnd, end) + 1
      const below = siteBelow(site, key ?? String(entries.length), child)
      const part = this.read(valueNode, child, colonEnd, below)
      at = Math.max(colonEnd, part.end)
      const entry: BlockEntry = {
        form: 'block',
        key,
        column,
        start: own,
        keyStart: keyNode?.range?.[0] ?? keyEnd,
        keyEnd,
        colonEnd,
        value: part,
        loose: own,
        gap: own,
        lead: own,
        end: at,
      }
      entries.push(entry)
      if (below.role === 'item') this.#items.set(below.at, entry)
    }
    const isInline = text.slice(lineStart, start).trim() !== ''
    return { kind: 'block', isList: isSeq(node), value, column, isInline, start, end: at, foot: at, entries }
  }

  #readFlow(node: Node, value: Json, site: Site, [start, end]: readonly [number, number]): FlowPart {
    const text = this.#text
    const entries: FlowEntry[] = []
    const open = this.#behindComment(start + 1, end - 1)
    let at = open
    for (const { keyNode, key, child, valueNode, hasValue } of childrenOf(node, value)) {
      const anchor = keyNode ?? valueNode
      const own = anchor === null ? at : this.#keyStart(anchor, at)
      const keyEnd = keyNode === null ? own : (keyNode.range?.[1] ?? own)
      const colonEnd = keyNode === null || !hasValue ? keyEnd : findSign(text, keyEnd, end) + 1
      const below = siteBelow(site, key ?? String(entries.length), child)
      const part = this.read(valueNode, child, colonEnd, below)
      const valueEnd = Math.max(colonEnd, part.end)
      const sign = findSign(text, valueEnd, end - 1)
      const comma = text.charAt(sign) === ',' && sign < end - 1 ? sign : null
      const after = this.#behindComment(comma === null ? valueEnd : comma + 1, end - 1)
      const lead = leadOf(text, at, own)
      const entry: FlowEntry = {
        form: 'flow',
        key,
        start: own,
        keyStart: keyNode?.range?.[0] ?? own,
        keyEnd,
        colonEnd,
        value: part,
        loose: at,
        lead,
        end: valueEnd,
        comma,
        after,
      }
      entries.push(entry)
      if (below.role === 'item') this.#items.set(below.at, entry)
      at = after
    }
    return { kind: 'flow', isList: isSeq(node), value, start, end, open, close: at, entries }
  }

  /** Where an entry begins: at its `?`, where it has one, else at its key. */
  #keyStart(key: Node, from: number): number {
    const start = key.range?.[0] ?? from
    return findSign(this.#text, from, start)
  }

  /** Behind a comment that follows in the same line; the offset itself when there is none. */
  #behindComment(from: number, to: number): number {
    for (const { kind, end } of bitsOf(this.#text, from, to)) {
      if (kind === 'comment') return end
      if (kind !== 'blank') break
    }
    return from
  }
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
  readonly child: Json
  readonly valueNode: Node | null
  readonly hasValue: boolean
}

function* childrenOf(node: Node, value: Json): Generator<Child, void, undefined> {
  if (isSeq(node)) {
    for (const [place, each] of node.items.entries()) {
      const child = (value as readonly Json[])[place] ?? null
      yield { keyNode: null, key: null, child, valueNode: each as Node, hasValue: true }
    }
  }
  if (!isMap(node)) return
  for (const { key: keyNode, value: valueNode } of node.items as Pair<Node, Node | null>[]) {
    const key = isScalar(keyNode) ? String(keyNode.value) : ''
    yield { keyNode, key, child: (value as JsonMap)[key] ?? null, valueNode, hasValue: valueNode !== null }
  }
}

/** From where on the comments before an entry in brackets go with it: those that a blank line parts from it stay. */
function leadOf(text: string, from: number, start: number): number {
  const first = text.indexOf('\n', from) + 1
  if (first === 0 || first >= start) return from
  const { gap } = partAbove(text, first, lineStartOf(text, start))
  const hasLoose = linesIn(text, first, gap).some(({ column }) => column !== null)
  // The line break before the blank lines goes with the entry.
  return hasLoose ? gap - (text.charAt(gap - 2) === '\r' ? 2 : 1) : from
}
