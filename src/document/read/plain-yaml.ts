import type { YamlLimits } from '../../model/limits.js'
import { type GroupNode, type Member, type ScalarNode, toEntry, toGroup, type YamlNode } from '../node.js'
import type { Source } from '../source.js'
import { NOT_PRINTABLE } from './guard.js'

/** The content of a text in plain YAML. */
export interface PlainYaml {
  readonly root: GroupNode
  /** The offsets of the `#` of its comments. */
  readonly comments: readonly number[]
}

/** Something that this reader is not sure of. */
class NotPlain extends Error {}

/** A line that is neither blank nor a comment. */
interface Line {
  /** The blanks before its content. */
  indent: number
  /** The offset of its content. */
  start: number
  /** The offset of its line break. */
  readonly end: number
}

const CONTENT = /[^ ]/g
const KEY = /(?:[A-Za-z_][\w.-]*|'[^'\n]*'|"[^"\\\n]*"):(?: +|\n|$)/y
/** YAML allows 1,024 characters (section 7.4.2). */
const MAX_KEY_LENGTH = 1_000
const SINGLE = /'(?:[^'\n]|'')*'/y
const DOUBLE = /"[^"\\\n]*"/y
/**
 * A text without quotes (YAML 1.2.2, section 7.3.3), as far as what may be a comment or the colon of a key; within brackets,
 * also as far as one of them or a comma.
 */
const PLAIN = /(?:[^\n ,[\]{}#&*!|>'"%@`?:-]|-[^\n :])(?:[^\n :]|:[^\n :]| +[^\n :#])*/y
const PLAIN_IN_BRACKETS =
  /(?:[^\n ,[\]{}#&*!|>'"%@`?:-]|-[^\n :,[\]{}])(?:[^\n :,[\]{}]|:[^\n :,[\]{}]| +[^\n :#,[\]{}])*/y
/** What the guard counts as open besides maps and lists. */
const DEPTH_AROUND = 4

/**
 * Reads the plain part of YAML that nearly every menu keeps to: block maps and lists, texts on one line, one-line maps and
 * lists in brackets, comments. It is many times as fast as the YAML library, and reads the same.
 *
 * @returns null at the first thing that it is not sure of: errors, values over a limit, and whatever is not read as it looks
 */
export function readPlainYaml(source: Source, limits: YamlLimits): PlainYaml | null {
  if (/[\t\r\ufeff]/.test(source.text) || NOT_PRINTABLE.test(source.text)) return null
  try {
    return read(source, limits)
  } catch (thrown) {
    if (thrown instanceof NotPlain) return null
    throw thrown
  }
}

function read(source: Source, limits: YamlLimits): PlainYaml {
  const { text } = source
  const { lines, comments } = toLines(source)
  const [first] = lines
  if (first === undefined || first.indent > 0 || lines.length > limits.nodes) throw new NotPlain()
  let nodes = 0
  let row = 0
  /** The line that is read, and the offset up to which it is. */
  let line = first
  let at = 0

  const count = (): void => {
    if (++nodes > limits.nodes) throw new NotPlain()
  }
  const skipBlanks = (from: number): void => {
    at = from
    while (text[at] === ' ') at++
  }
  /** Whether a pattern matches here; reads on to its end. */
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const matches = pattern.test(text)
    if (matches) at = pattern.lastIndex
    return matches
  }
  /** Whether a line is an entry of a list. */
  const isEntry = ({ start, end }: Line): boolean =>
    text[start] === '-' && (start + 1 === end || text[start + 1] === ' ')

  const readBlock = (begin: Line, depth: number): GroupNode => {
    const { indent, start } = begin
    if (depth + DEPTH_AROUND > limits.depth) throw new NotPlain()
    const isList = isEntry(begin)
    const members: Member[] = []
    for (let next = lines[row]; next?.indent === indent && isEntry(next) === isList; next = lines[row]) {
      line = next
      at = line.start
      members.push(isList ? readEntry(indent, depth) : readPair(members, indent, depth))
    }
    return toPlainGroup('block', isList, members, start, (lines[row - 1] ?? begin).end)
  }

  const readEntry = (indent: number, depth: number): Member => {
    count()
    skipBlanks(at + 1)
    if (isOver()) return toEntry(readBelow(line.start + 1, indent + 1, depth))
    line.indent += at - line.start
    line.start = at
    if (!take(KEY)) return toEntry(readInLine(indent, depth))
    at = line.start
    return toEntry(readBlock(line, depth + 1))
  }

  const readPair = (map: readonly Member[], indent: number, depth: number): Member => {
    const keyStart = at
    const [key, keyEnd] = readKey(map)
    const next = lines[row + 1]
    const isListBeside = next?.indent === indent && isEntry(next)
    const below = isListBeside ? indent : indent + 1
    const node = isOver() ? readBelow(keyEnd + 1, below, depth) : readInLine(indent, depth)
    return { key, keyStart, keyEnd, node }
  }

  /** The block behind an indicator that ends its line; an empty value where there is none. */
  const readBelow = (from: number, indent: number, depth: number): YamlNode => {
    endLine(from)
    const next = lines[row]
    if (next !== undefined && next.indent >= indent) return readBlock(next, depth + 1)
    return toScalarNode('plain', at, null)
  }

  /** A key of a map, and where it ends. */
  const readKey = (map: readonly Member[]): [key: string, end: number] => {
    count()
    const from = at
    if (!take(KEY) || map.length >= limits.keysPerMap) throw new NotPlain()
    const end = text.lastIndexOf(':', at - 1)
    // A line break is not a part of the key.
    at = Math.min(at, line.end)
    const isQuoted = text[from] === "'" || text[from] === '"'
    const key = isQuoted ? text.slice(from + 1, end - 1) : asRead(text.slice(from, end))
    if (typeof key !== 'string' || end - from > MAX_KEY_LENGTH) throw new NotPlain()
    return [key, end]
  }

  /** A value that begins in a line and ends with it. */
  const readInLine = (indent: number, depth: number): YamlNode => {
    const node = readValue(PLAIN, depth)
    endLine(at)
    // A line that is further in goes on with the value.
    if ((lines[row]?.indent ?? 0) > indent) throw new NotPlain()
    return node
  }

  const readValue = (plain: RegExp, depth: number): YamlNode => {
    count()
    const start = at
    const first = text[at]
    if (first === '{' || first === '[') return readFlow(first === '[', depth + 1)
    if (take(plain)) return toScalarNode('plain', start, asRead(text.slice(start, at)))
    if (take(DOUBLE)) return toScalarNode('double', start, text.slice(start + 1, at - 1))
    if (!take(SINGLE)) throw new NotPlain()
    return toScalarNode('single', start, text.slice(start + 1, at - 1).replaceAll("''", "'"))
  }

  const toScalarNode = (
    style: ScalarNode['style'],
    start: number,
    value: ScalarNode['value'],
  ): ScalarNode => {
    return { kind: 'scalar', style, value, start, end: at }
  }

  const readFlow = (isList: boolean, depth: number): GroupNode => {
    if (depth + DEPTH_AROUND > limits.depth) throw new NotPlain()
    const start = at
    const members: Member[] = []
    skipBlanks(at + 1)
    while (text[at] !== (isList ? ']' : '}')) {
      if (members.length > 0 && text[at] !== ',') throw new NotPlain()
      if (members.length > 0) skipBlanks(at + 1)
      const keyStart = at
      const [key, keyEnd] = isList ? [null, 0] : readKey(members)
      const node = readValue(PLAIN_IN_BRACKETS, depth)
      members.push(key === null ? toEntry(node) : { key, keyStart, keyEnd, node })
      skipBlanks(at)
    }
    at++
    return toPlainGroup('flow', isList, members, start, at)
  }

  const isOver = (): boolean => at >= line.end || text[at] === '#'

  /** Only a comment may follow. */
  const endLine = (from: number): void => {
    skipBlanks(from)
    row++
    if (at >= line.end) return
    if (text[at] !== '#' || at === from) throw new NotPlain()
    comments.push(at)
  }

  if (isEntry(first)) throw new NotPlain()
  const root = readBlock(first, 0)
  if (row < lines.length) throw new NotPlain()
  comments.sort((a, b) => a - b)
  return { root, comments }
}

/** The value of a scalar without quotes. */
function asRead(text: string): ScalarNode['value'] {
  const value = toCoreScalar(text)
  if (value === undefined) throw new NotPlain()
  return value
}

/** A list or a map; one whose keys are not all different is left to the library. */
function toPlainGroup(...given: Parameters<typeof toGroup>): GroupNode {
  const group = toGroup(...given)
  if (!group.isList && Object.keys(group.value).length < group.members.length) throw new NotPlain()
  return group
}

/** The lines of a text, and the offsets of the comments that have a line of their own. */
function toLines({ text, lineStarts }: Source): { lines: Line[]; comments: number[] } {
  const lines: Line[] = []
  const comments: number[] = []
  for (let place = 0; place < lineStarts.length; place++) {
    const from = lineStarts[place] ?? 0
    CONTENT.lastIndex = from
    if (!CONTENT.test(text)) break
    const start = CONTENT.lastIndex - 1
    const end = (lineStarts[place + 1] ?? text.length + 1) - 1
    if (text[start] === '#') comments.push(start)
    else if (start < end) lines.push({ indent: start - from, start, end })
  }
  return { lines, comments }
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** What is a number in some notation, or looks like one. */
const LIKE_NUMBER = /^[-+]?(?:\.?\d[\w.+-]*|\.(?:inf|nan))$/i

/**
 * The value of a scalar without quotes, by the core schema (YAML 1.2.2, section 10.3.2): `1` is a number, `no` a text.
 *
 * @returns undefined for a number that is not written as it is printed, such as `1.0`, and for what only looks like one
 */
function toCoreScalar(text: string): string | number | boolean | null | undefined {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (!LIKE_NUMBER.test(text)) return text
  const number = Number(text)
  return NUMBER.test(text) && String(number) === text ? number : undefined
}
