import { CST, Lexer, Parser } from 'yaml'
import type { YamlLimits } from '../../model/limits.js'
import type { ProblemCode } from '../../model/problem-codes.js'
import type { Found } from '../issue.js'
import type { Range } from '../source.js'

/** The tokens of a text that is safe to compose; null where it is not, and why. */
export interface Guarded {
  readonly tokens: readonly CST.Token[] | null
  /** The offsets of the `#` of its comments. */
  readonly comments: readonly number[]
  readonly refusals: readonly Found[]
}

/** Forms of YAML through which an edit at one place would change another, or that change how the text is read. */
const REFUSED: ReadonlyMap<string | null, Omit<Found, 'range'>> = new Map([
  ['anchor', { code: 'yaml-alias', what: 'Anchors are not allowed.' }],
  ['alias', { code: 'yaml-alias', what: 'Aliases are not allowed.' }],
  ['tag', { code: 'yaml-tag', what: 'Tags are not allowed.' }],
  ['directive-line', { code: 'yaml-directive', what: 'Directives are not allowed.' }],
])
export const SECOND_DOCUMENT: Omit<Found, 'range'> = {
  code: 'yaml-documents',
  what: 'A second document begins here.',
}
const MAX_REFUSALS = 50
const MAX_ERRORS = 10

/**
 * Reads the tokens of a text and rejects it before anything is composed: the composer recurses, and deep nesting can make V8
 * end the whole process, where no `catch` helps. Lexer and parser alone are safe at any depth.
 */
export function guardYaml(text: string, limits: YamlLimits): Guarded {
  for (const [pattern, code, toWhat, todo] of NEVER) {
    const match = pattern.exec(text)
    if (match === null) continue
    const { 0: found, index } = match
    const range = rangeAt(index, found)
    return refuse([{ code, range, what: toWhat(found, index), ...(todo !== undefined && { todo }) }])
  }
  return parse(text, limits)
}

function refuse(refusals: readonly Found[]): Guarded {
  return { tokens: null, comments: [], refusals }
}

/** Looks at every lexeme before the first is parsed: parsing takes twice as long, and a text that is refused has no need of it. */
function parse(text: string, limits: YamlLimits): Guarded {
  const lexemes: string[] = []
  const comments: number[] = []
  const refusals: Found[] = []
  let offset = 0
  let weight = 0
  let open = 0
  let nothingYet = false
  let contentSeen = false
  let plainFollows = false
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme)
    const type: string | null = plainFollows ? 'plain' : CST.tokenType(lexeme)
    plainFollows = type === 'scalar'
    const start = offset
    const role = ROLES.get(type)
    if (role !== 'marker') offset += lexeme.length
    if (role === 'comment') comments.push(start)
    let refusal = role === 'document' && contentSeen ? SECOND_DOCUMENT : REFUSED.get(type)
    const indicates = role === 'indicator'
    if (indicates || role === 'value' || role === 'opening') {
      if (!indicates || nothingYet) weight++
      contentSeen = true
      nothingYet = indicates
    }
    if (role === 'opening') open++
    else if (role === 'closing') open--
    const isOver = open > limits.depth || weight > limits.nodes
    if (isOver) refusal = open > limits.depth ? tooDeep(limits) : tooMany(limits)
    if (refusal !== undefined) refusals.push({ ...refusal, range: rangeAt(start, lexeme) })
    if (isOver || refusals.length >= MAX_REFUSALS) break
  }
  return refusals.length > 0 ? refuse(refusals) : { comments, ...parseLexemes(lexemes, limits) }
}

function parseLexemes(lexemes: readonly string[], limits: YamlLimits): Omit<Guarded, 'comments'> {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let errors = 0
  let offset = 0
  for (const lexeme of lexemes) {
    // Each error becomes one with a stack: a million of them would end the process.
    if (errors >= MAX_ERRORS) break
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errors++
    }
    const fatal = outgrown(parser, limits)
    if (fatal !== null) return { tokens: null, refusals: [{ ...fatal, range: rangeAt(offset, lexeme) }] }
    offset = parser.offset
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens, refusals: [] }
}

function tooDeep({ depth }: YamlLimits): Omit<Found, 'range'> {
  return { code: 'yaml-depth', what: `Values are nested more than ${depth} deep here.` }
}

function tooMany({ nodes }: YamlLimits): Omit<Found, 'range'> {
  return { code: 'yaml-nodes', what: `The file has more than ${nodes} values.` }
}

function rangeAt(start: number, lexeme: string): Range {
  return [start, start + lexeme.length]
}

/**
 * How the guard classifies a token. A marker has no character in the text. An opening is also a value, namely one of the
 * values of its parent. An indicator is before a value: where two indicators follow each other, a value was left empty or a
 * list begins in a list, so both together count as one more, and no text composes to more than twice the nodes counted.
 */
type Role = 'marker' | 'comment' | 'document' | 'value' | 'opening' | 'closing' | 'indicator'

/** The types of tokens by their role; blanks and line breaks do not count. */
const TYPES: Readonly<Record<Role, readonly string[]>> = {
  marker: ['doc-mode', 'flow-error-end', 'scalar'],
  comment: ['comment'],
  document: ['doc-start'],
  value: ['plain', 'single-quoted-scalar', 'double-quoted-scalar'],
  opening: ['flow-seq-start', 'flow-map-start'],
  closing: ['flow-seq-end', 'flow-map-end'],
  indicator: ['seq-item-ind', 'map-value-ind', 'explicit-key-ind', 'comma'],
}
const ROLES: ReadonlyMap<string | null, string> = new Map(
  Object.entries(TYPES).flatMap(([role, types]) => types.map((type) => [type, role])),
)

/** The part of the open text that exceeds the limits. */
function outgrown({ stack }: Parser, limits: YamlLimits): Omit<Found, 'range'> | null {
  if (stack.length > limits.depth) return tooDeep(limits)
  const top = stack.at(-1)
  const isMap = top?.type === 'block-map' || (top?.type === 'flow-collection' && top.start.source === '{')
  if (!isMap) return null
  const surplus = top.items.length - limits.keysPerMap
  // The last one may hold only a comment, or what follows a comma.
  const last = top.items.at(-1)
  if (surplus > 1 || (surplus === 1 && (last?.key != null || last?.sep !== undefined))) {
    return { code: 'yaml-nodes', what: `A map has more than ${limits.keysPerMap} keys here.` }
  }
  return null
}

/** YAML 1.2.2, section 5.1, lists the characters of a text; U+0085 is one of them, but as invisible as the others here. */
export const NOT_PRINTABLE: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/

/**
 * A carriage return alone. It ends a line for YAML and for some editors, but not for others or for our parser: what one
 * shows as a key is part of a comment to another.
 */
export const LONE_RETURN: RegExp = /\r(?!\n)/

/** A mark of git at the start of a line, where a menu has no text. A single mark is left over from a manual merge. */
const CONFLICT = /^(?:<{7}|>{7}) .*$/m

/** What no text may have anywhere. */
const NEVER: readonly (readonly [
  RegExp,
  ProblemCode,
  (found: string, at: number) => string,
  todo?: string,
])[] = [
  [
    NOT_PRINTABLE,
    'control-character',
    (found, at) => `The text has the control character ${toCodePoint(found)} here, at offset ${at}.`,
  ],
  [
    LONE_RETURN,
    'control-character',
    (_, at) => `The text has a carriage return without a line feed here, at offset ${at}.`,
    'Save the file with line breaks of the form LF or CRLF.',
  ],
  [
    CONFLICT,
    'merge-conflict',
    (found) => `A merge conflict ${found.startsWith('<') ? 'begins' : 'ends'} here.`,
  ],
]

/** A character by its number, such as `U+0000`. */
export function toCodePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
