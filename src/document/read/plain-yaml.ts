import type { YamlLimits } from '../../model/limits.js'
import type { Range } from '../source.js'
import { NOT_PRINTABLE } from './guard.js'

/** The content of a text in plain YAML. */
export interface PlainYaml {
  readonly value: Readonly<Record<string, unknown>>
  /** The offset at which a map or a list of the value begins. */
  readonly startOf: (collection: object) => number | undefined
  /** Where the keys of the outermost map are. */
  readonly keys: ReadonlyMap<string, Range>
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

type Collection = Record<string | number, unknown>

const KEY = /([A-Za-z_][\w.-]*|'[^']*'|"[^"\\]*"):(?: +|$)/y
/** YAML allows 1,024 characters (section 7.4.2). */
const MAX_KEY_LENGTH = 1_000
const SINGLE = /'((?:[^']|'')*)'/y
const DOUBLE = /"([^"\\]*)"/y
/** What begins no text without quotes (YAML 1.2.2, section 7.3.3); `-` may, where no blank follows it. */
const INDICATORS = ',[]{}#&*!|>\'"%@`?: '
const BRACKETS = ',[]{}'
const MAX_FLOW_DEPTH = 8
/** What the guard counts as open besides blocks. */
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
  const starts = new WeakMap<object, number>()
  const keys = new Map<string, Range>()
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

  const readBlock = (first: Line, depth: number): Collection => {
    const { indent, start } = first
    if (depth + DEPTH_AROUND > limits.depth) throw new NotPlain()
    const isList = isEntry(first)
    const block: Collection = isList ? ([] as unknown as Collection) : {}
    starts.set(block, start)
    for (let size = 0; lines[row]?.indent === indent && isEntry(lines[row]) === isList; size++) {
      line = lines[row] as Line
      at = 0
      if (isList) readEntry(block, size, indent, depth)
      else readPair(block, size, indent, depth)
    }
    return block
  }

  const readEntry = (list: Collection, place: number, indent: number, depth: number): void => {
    count()
    skipBlanks(1)
    if (isOver()) {
      endLine(1)
      list[place] = readBelow(indent + 1, depth)
    } else {
      line = { indent: indent + at, text: line.text.slice(at), start: line.start + at }
      lines[row] = line
      at = 0
      KEY.lastIndex = 0
      list[place] = KEY.test(line.text) ? readBlock(line, depth + 1) : readInLine(indent)
    }
  }

  const readPair = (map: Collection, size: number, indent: number, depth: number): void => {
    const { start } = line
    const [key, end] = readKey(map, size)
    if (depth === 0) keys.set(key, [start, start + end])
    if (isOver()) {
      endLine(end + 1)
      const isListBeside = lines[row]?.indent === indent && isEntry(lines[row])
      map[key] = isListBeside ? readBlock(lines[row] as Line, depth + 1) : readBelow(indent + 1, depth)
    } else map[key] = readInLine(indent)
  }

  /** The block behind an indicator that ends its line; null where there is none. */
  const readBelow = (indent: number, depth: number): unknown => {
    const next = lines[row]
    return next === undefined || next.indent < indent ? null : readBlock(next, depth + 1)
  }

  /** A key of a map, and where it ends. */
  const readKey = (map: Collection, size: number): [key: string, end: number] => {
    count()
    KEY.lastIndex = at
    const [pair = '', written = ''] = KEY.exec(line.text) ?? []
    const key = /^['"]/.test(written) ? written.slice(1, -1) : toScalar(written)
    if (pair === '' || written.length > MAX_KEY_LENGTH || size >= limits.keysPerMap) throw new NotPlain()
    if (typeof key !== 'string' || key === '__proto__' || Object.hasOwn(map, key)) throw new NotPlain()
    const end = at + written.length
    at += pair.length
    return [key, end]
  }

  /** A value that begins in a line and ends with it. */
  const readInLine = (indent: number): unknown => {
    const value = readValue('', 0)
    endLine(at)
    // A line that is further in goes on with the value.
    if ((lines[row]?.indent ?? 0) > indent) throw new NotPlain()
    return value
  }

  const readValue = (stops: string, depth: number): unknown => {
    count()
    const { text } = line
    const from = at
    const first = text[at]
    if (first === '{' || first === '[') return readFlow(first === '{', depth + 1)
    if (first !== "'" && first !== '"') {
      at = plainEnd(text, at, stops)
      return toScalar(text.slice(from, at))
    }
    const pattern = first === "'" ? SINGLE : DOUBLE
    pattern.lastIndex = at
    const [quoted, content = ''] = pattern.exec(text) ?? []
    if (quoted === undefined) throw new NotPlain()
    at += quoted.length
    return first === "'" ? content.replaceAll("''", "'") : content
  }

  const readFlow = (isMap: boolean, depth: number): unknown => {
    if (depth > MAX_FLOW_DEPTH) throw new NotPlain()
    const { text } = line
    const flow: Collection = isMap ? {} : ([] as unknown as Collection)
    starts.set(flow, line.start + at)
    skipBlanks(at + 1)
    for (let size = 0; text[at] !== (isMap ? '}' : ']'); size++) {
      if (size > 0 && text[at] !== ',') throw new NotPlain()
      if (size > 0) skipBlanks(at + 1)
      const key = isMap ? readKey(flow, size)[0] : size
      flow[key] = readValue(BRACKETS, depth)
      skipBlanks(at)
    }
    at++
    return flow
  }

  const isOver = (): boolean => at >= line.text.length || line.text[at] === '#'

  /** Only a comment may follow. One without a blank behind its `#` was often meant as a part of the text. */
  const endLine = (from: number): void => {
    const { text, start } = line
    skipBlanks(from)
    row++
    if (at >= text.length) return
    if (text[at] !== '#' || at === from || !' #!'.includes(text.charAt(at + 1))) throw new NotPlain()
    comments.push(start + at)
  }

  const [first] = lines
  if (first === undefined || first.indent !== 0 || isEntry(first)) throw new NotPlain()
  const value = readBlock(first, 0)
  if (row < lines.length) throw new NotPlain()
  comments.sort((a, b) => a - b)
  return { value, startOf: (collection) => starts.get(collection), keys, comments }
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
