import { CST, Lexer, Parser } from 'yaml'
import type { YamlLimits } from '../model/limits.js'
import type { ProblemCode } from '../model/problem-codes.js'
import type { Range } from './source.js'

/** A place of the text that must not reach the composer, and why. */
export interface Refusal {
  readonly code: ProblemCode
  readonly range: Range
  readonly what: string
}

/** The tokens of a text that is safe to compose; else the reasons why it is not. */
export type Guarded =
  | {
      readonly tokens: readonly CST.Token[]
      /** The offsets of the `#` of its comments. */
      readonly comments: readonly number[]
      readonly refusals: readonly []
    }
  | { readonly tokens: null; readonly refusals: readonly Refusal[] }

/** Forms of YAML through which an edit at one place would change another, or that change how the text is read. */
const REFUSED: ReadonlyMap<string, readonly [ProblemCode, string]> = new Map([
  ['anchor', ['yaml-alias', 'Anchors are not allowed.']],
  ['alias', ['yaml-alias', 'Aliases are not allowed.']],
  ['tag', ['yaml-tag', 'Tags are not allowed.']],
  ['directive-line', ['yaml-directive', 'Directives are not allowed.']],
])
const MAX_REFUSALS = 50
const MAX_ERRORS = 10

/**
 * Reads the tokens of a text and stops it before anything is composed of it: the composer recurses, and on deep nesting
 * V8 can end the whole process where no `catch` helps. Lexer and parser alone are safe at any depth.
 */
export function guardYaml(text: string, limits: YamlLimits): Guarded {
  const early = controlCharacter(text) ?? mergeConflict(text)
  if (early !== null) return { tokens: null, refusals: [early] }
  const lexed = lex(text, limits)
  if (lexed.refusals.length > 0) return { tokens: null, refusals: lexed.refusals }
  return parse(lexed, limits)
}

interface Lexed {
  readonly lexemes: readonly string[]
  readonly comments: readonly number[]
  readonly refusals: readonly Refusal[]
}

/** Looks at the lexemes alone, which costs a third of parsing: a text with too much in it goes no further. */
function lex(text: string, limits: YamlLimits): Lexed {
  const lexemes: string[] = []
  const comments: number[] = []
  const refusals: Refusal[] = []
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
    const range: Range = [offset, offset + lexeme.length]
    if (!MARKERS.has(lexeme)) offset += lexeme.length
    if (type === 'comment') comments.push(range[0])
    const refused = REFUSED.get(type ?? '')
    if (refused !== undefined) refusals.push({ code: refused[0], range, what: refused[1] })
    if (type === 'doc-start' && contentSeen) {
      refusals.push({ code: 'yaml-documents', range, what: 'A second document begins here.' })
    }
    const indicates = INDICATORS.has(type ?? '')
    if (VALUES.has(type ?? '') || (indicates && nothingYet)) weight++
    if (VALUES.has(type ?? '') || indicates) {
      contentSeen = true
      nothingYet = indicates
    }
    if (OPENING.has(type ?? '')) open++
    else if (CLOSING.has(type ?? '')) open--
    if (open > limits.depth) return { lexemes, comments, refusals: [...refusals, tooDeep(range, limits)] }
    if (weight > limits.nodes) {
      const what = `The file holds more than ${limits.nodes} values.`
      return { lexemes, comments, refusals: [...refusals, { code: 'yaml-nodes', range, what }] }
    }
    if (refusals.length >= MAX_REFUSALS) break
  }
  return { lexemes, comments, refusals }
}

function parse({ lexemes, comments }: Lexed, limits: YamlLimits): Guarded {
  const tokens: CST.Token[] = []
  const parser = new Parser()
  let offset = 0
  let errors = 0
  for (const lexeme of lexemes) {
    const range: Range = [offset, offset + lexeme.length]
    if (!MARKERS.has(lexeme)) offset += lexeme.length
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errors++
    }
    // Each becomes an error with a stack: a million of them would be the end of the process.
    if (errors >= MAX_ERRORS) break
    const fatal = outgrown(parser, range, limits)
    if (fatal !== null) return { tokens: null, refusals: [fatal] }
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens, comments, refusals: [] }
}

function tooDeep(range: Range, { depth }: YamlLimits): Refusal {
  return { code: 'yaml-depth', range, what: `Values are nested more than ${depth} deep here.` }
}

const OPENING: ReadonlySet<string> = new Set(['flow-seq-start', 'flow-map-start'])
const CLOSING: ReadonlySet<string> = new Set(['flow-seq-end', 'flow-map-end'])

/** The tokens that stand for a value of their own. */
const VALUES: ReadonlySet<string> = new Set([
  'plain',
  'double-quoted-scalar',
  'single-quoted-scalar',
  'flow-seq-start',
  'flow-map-start',
])

/**
 * The tokens before a value. Where one follows another, a value was left empty or a list begins in a list, so that the
 * two count as one more: no text composes to more than twice the nodes that are counted.
 */
const INDICATORS: ReadonlySet<string> = new Set([
  'seq-item-ind',
  'map-value-ind',
  'explicit-key-ind',
  'comma',
])

/** What the lexer says without a character of the text behind it. */
const MARKERS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

function outgrown(parser: Parser, range: Range, limits: YamlLimits): Refusal | null {
  if (parser.stack.length > limits.depth) {
    return tooDeep(range, limits)
  }
  const top = parser.stack.at(-1)
  const isMap = top?.type === 'block-map' || (top?.type === 'flow-collection' && top.start.source === '{')
  if (isMap && top.items.length > limits.keysPerMap) {
    return { code: 'yaml-nodes', range, what: `A map holds more than ${limits.keysPerMap} keys here.` }
  }
  return null
}

/** YAML 1.2.2, section 5.1: the characters that may stand in a text. */
export const NOT_PRINTABLE: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffe\uffff]/

function controlCharacter(text: string): Refusal | null {
  const found = NOT_PRINTABLE.exec(text)
  if (found === null) return null
  const what = `The control character ${toCodePoint(found[0])} stands here, at offset ${found.index}.`
  return { code: 'control-character', range: [found.index, found.index + 1], what }
}

/** A character by its number, such as `U+0000`. */
export function toCodePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A mark of git at the beginning of a line, where no text of a menu can stand. One alone was left behind by hand. */
function mergeConflict(text: string): Refusal | null {
  const found = /^(?:<{7}|>{7}) .*$/m.exec(text)
  if (found === null) return null
  const range: Range = [found.index, found.index + found[0].length]
  const begins = found[0].startsWith('<')
  return { code: 'merge-conflict', range, what: `A merge conflict ${begins ? 'begins' : 'ends'} here.` }
}
