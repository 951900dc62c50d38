import type { YamlLimits } from '../../model/limits.js'
import { type GroupNode, type Member, toEntry, toGroupValue, type YamlNode } from '../node.js'
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
  /** Its content. */
  text: string
  /** The offset of its content. */
  start: number
}

const KEY = /([A-Za-z_][\w.-]*|'[^']*'|"[^"\\]*"):(?: +|$)/y
/** YAML allows 1,024 characters (section 7.4.2). */
const MAX_KEY_LENGTH = 1_000
const SINGLE = /'((?:[^']|'')*)'/y
const DOUBLE = /"([^"\\]*)"/y
/** What begins no text without quotes (YAML 1.2.2, section 7.3.3); `-` may, where no blank follows it. */
const INDICATORS = ',[]{}#&*!|>\'"%@`?: '
const BRACKETS = ',[]{}'
/** What the guard counts as open besides maps and lists. */
const DEPTH_AROUND = 4
const NULL = /^(?:~|null|Null|NULL)$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** What is a number in some notation, or looks like one. */
const LIKE_NUMBER = /^[-+]?(?:\.?\d[\w.+-]*|\.(?:inf|nan))$/i

/**
 * Reads the plain part of YAML that nearly every menu keeps to: block maps and lists, texts on one line, one-line maps and
 * lists in brackets, comments. It is many times as fast as the YAML library, and reads the same.
 *
 * @returns null at the first thing that it is not sure of: errors, values over a limit, and whatever is not read as it looks
 */
export function readPlainYaml(text: string, limits: YamlLimits): PlainYaml | null {
  if (/[\t\r\ufeff]/.test(text) || NOT_PRINTABLE.test(text)) return null
  try {
    return read(text, limits)
  } catch (thrown) {
    if (thrown instanceof NotPlain) return null
    throw thrown
  }
}

function read(whole: string, limits: YamlLimits): PlainYaml {
  const { lines, comments } = toLines(whole)
  if (lines.length > limits.nodes) throw new NotPlain()
  let nodes = 0
  let row = 0
  /** The line that is read, and how far. */
  let line: Line = { indent: 0, text: '', start: 0 }
  let at = 0

  const count = (): void => {
    if (++nodes > limits.nodes) throw new NotPlain()
  }
  const skipBlanks = (from: number): void => {
    at = from
    while (line.text[at] === ' ') at++
  }

  const readBlock = (first: Line, depth: number): GroupNode => {
    const { indent, start } = first
    if (depth + DEPTH_AROUND > limits.depth) throw new NotPlain()
    const isList = isEntry(first)
    const members: Member[] = []
    while (lines[row]?.indent === indent && isEntry(lines[row]) === isList) {
      line = lines[row] as Line
      at = 0
      members.push(isList ? readEntry(indent, depth) : readPair(members, indent, depth))
    }
    const last = lines[row - 1] ?? first
    return toGroup('block', isList, members, start, last.start + last.text.length)
  }

  const readEntry = (indent: number, depth: number): Member => {
    count()
    skipBlanks(1)
    if (isOver()) return toEntry(readBelow(1, indent + 1, depth))
    line = { indent: indent + at, text: line.text.slice(at), start: line.start + at }
    lines[row] = line
    at = 0
    KEY.lastIndex = 0
    return toEntry(KEY.test(line.text) ? readBlock(line, depth + 1) : readInLine(indent, depth))
  }

  const readPair = (map: readonly Member[], indent: number, depth: number): Member => {
    const { start } = line
    const [key, keyEnd] = readKey(map)
    const next = lines[row + 1]
    const isListBeside = next?.indent === indent && isEntry(next)
    const below = isListBeside ? indent : indent + 1
    const node = isOver() ? readBelow(keyEnd + 1, below, depth) : readInLine(indent, depth)
    return { key, keyStart: start, keyEnd: start + keyEnd, node }
  }

  /** The block behind an indicator that ends its line; an empty value where there is none. */
  const readBelow = (from: number, indent: number, depth: number): YamlNode => {
    endLine(from)
    const next = lines[row]
    if (next !== undefined && next.indent >= indent) return readBlock(next, depth + 1)
    const start = line.start + at
    return { kind: 'scalar', style: 'plain', value: null, start, end: start }
  }

  /** A key of a map, and where it ends. */
  const readKey = (map: readonly Member[]): [key: string, end: number] => {
    count()
    KEY.lastIndex = at
    const [pair = '', written = ''] = KEY.exec(line.text) ?? []
    const key = /^['"]/.test(written) ? written.slice(1, -1) : toScalar(written)
    if (pair === '' || written.length > MAX_KEY_LENGTH || map.length >= limits.keysPerMap)
      throw new NotPlain()
    if (typeof key !== 'string') throw new NotPlain()
    const end = at + written.length
    at += pair.length
    return [key, end]
  }

  /** A value that begins in a line and ends with it. */
  const readInLine = (indent: number, depth: number): YamlNode => {
    const node = readValue('', depth)
    endLine(at)
    // A line that is further in goes on with the value.
    if ((lines[row]?.indent ?? 0) > indent) throw new NotPlain()
    return node
  }

  const readValue = (stops: string, depth: number): YamlNode => {
    count()
    const { text, start } = line
    const from = at
    const first = text[at]
    if (first === '{' || first === '[') return readFlow(first === '[', depth + 1)
    const style = first === "'" ? 'single' : first === '"' ? 'double' : 'plain'
    if (style === 'plain') at = plainEnd(text, at, stops)
    const value = style === 'plain' ? toScalar(text.slice(from, at)) : readQuoted(style)
    return { kind: 'scalar', style, value, start: start + from, end: start + at }
  }

  const readQuoted = (style: 'single' | 'double'): string => {
    const pattern = style === 'single' ? SINGLE : DOUBLE
    pattern.lastIndex = at
    const [quoted, content = ''] = pattern.exec(line.text) ?? []
    if (quoted === undefined) throw new NotPlain()
    at += quoted.length
    return style === 'single' ? content.replaceAll("''", "'") : content
  }

  const readFlow = (isList: boolean, depth: number): GroupNode => {
    if (depth + DEPTH_AROUND > limits.depth) throw new NotPlain()
    const { text, start } = line
    const from = at
    const members: Member[] = []
    skipBlanks(at + 1)
    while (text[at] !== (isList ? ']' : '}')) {
      if (members.length > 0 && text[at] !== ',') throw new NotPlain()
      if (members.length > 0) skipBlanks(at + 1)
      const keyStart = start + at
      const [key, keyEnd] = isList ? [null, 0] : readKey(members)
      const node = readValue(BRACKETS, depth)
      members.push(key === null ? toEntry(node) : { key, keyStart, keyEnd: start + keyEnd, node })
      skipBlanks(at)
    }
    at++
    return toGroup('flow', isList, members, start + from, start + at)
  }

  const isOver = (): boolean => at >= line.text.length || line.text[at] === '#'

  /** Only a comment may follow. */
  const endLine = (from: number): void => {
    const { text, start } = line
    skipBlanks(from)
    row++
    if (at >= text.length) return
    if (text[at] !== '#' || at === from) throw new NotPlain()
    comments.push(start + at)
  }

  const [first] = lines
  if (first === undefined || first.indent !== 0 || isEntry(first)) throw new NotPlain()
  const root = readBlock(first, 0)
  if (row < lines.length) throw new NotPlain()
  comments.sort((a, b) => a - b)
  return { root, comments }
}

/** A list or a map; one whose keys are not all different is left to the library. */
function toGroup(
  kind: GroupNode['kind'],
  isList: boolean,
  members: readonly Member[],
  start: number,
  end: number,
): GroupNode {
  const value = toGroupValue(isList, members)
  if (Object.keys(value).length < members.length) throw new NotPlain()
  return { kind, isList, value, members, start, end }
}

/** The lines of a text, and the offsets of the comments that have a line of their own. */
function toLines(text: string): { readonly lines: Line[]; readonly comments: number[] } {
  const lines: Line[] = []
  const comments: number[] = []
  let from = 0
  for (const whole of text.split('\n')) {
    let indent = 0
    while (whole[indent] === ' ') indent++
    const content = whole.slice(indent)
    if (content.startsWith('#')) comments.push(from + indent)
    else if (content !== '') lines.push({ indent, text: content, start: from + indent })
    from += whole.length + 1
  }
  return { lines, comments }
}

/** Whether a line is an entry of a list. */
function isEntry(line: Line | undefined): boolean {
  return line !== undefined && (line.text === '-' || line.text.startsWith('- '))
}

/** Where a text without quotes ends: before ` #`, and within brackets before one of them or a comma. */
function plainEnd(text: string, at: number, stops: string): number {
  const second = text[at + 1] ?? ' '
  const isDash = text[at] === '-' && (second === ' ' || stops.includes(second))
  if (isDash || INDICATORS.includes(text[at] ?? ' ')) throw new NotPlain()
  let end = at
  for (let place = at; place < text.length; place++) {
    const character = text.charAt(place)
    if (character === ' ') continue
    if (stops.includes(character) || (character === '#' && text[place - 1] === ' ')) break
    const next = text[place + 1] ?? ' '
    if (character === ':' && (next === ' ' || stops.includes(next))) throw new NotPlain()
    end = place + 1
  }
  return end
}

/** A scalar without quotes, by the core schema (YAML 1.2.2, section 10.3.2). */
function toScalar(text: string): string | number | boolean | null {
  if (NULL.test(text)) return null
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  if (!LIKE_NUMBER.test(text)) return text
  const number = Number(text)
  if (!NUMBER.test(text) || String(number) !== text) throw new NotPlain()
  return number
}
