import { Composer, type CST, type Document } from 'yaml'
import { isList, isMap, type JsonMap } from '../../model/json.js'
import type { YamlLimits } from '../../model/limits.js'
import { type Steps, toPointer } from '../../model/pointer.js'
import { type Problem, toProblem } from '../../model/problem.js'
import type { Found, Issue } from '../issue.js'
import { locate, type YamlNode } from '../node.js'
import { lineAt, type Range, type Source, toFrame, toPosition, toSource } from '../source.js'
import { decodeUtf8 } from './decode.js'
import { guardYaml, SECOND_DOCUMENT } from './guard.js'
import { typoIn } from './line-typo.js'
import { readPlainYaml } from './plain-yaml.js'
import { toNode } from './to-node.js'
import { yamlSyntax } from './yaml-syntax.js'

/** A YAML text that holds a map, with the data for finding the place of each value. */
export interface ReadYaml {
  readonly value: JsonMap
  readonly root: YamlNode
  readonly source: Source
  /** The offsets of the `#` of its comments. */
  readonly comments: readonly number[]
  /** Faults of single keys; the value has all other keys. */
  readonly faults: readonly Found[]
  /** The same as problems. */
  readonly problems: readonly Problem[]
}

/** The same, or the problems that make a text unreadable. */
export type YamlMap = ReadYaml | { readonly value: null; readonly problems: readonly Problem[] }

/** Reads bytes as one YAML 1.2 document whose content is a map. Never throws. */
export function readYamlMap(path: string, bytes: Uint8Array, limits: YamlLimits): YamlMap {
  const { text, badByte } = decodeUtf8(bytes)
  if (isUtf16(bytes))
    return refuse([toProblem({ code: 'not-utf8', path, what: 'The file is UTF-16, not UTF-8.' })])
  if (text === null) return refuse([notUtf8(path, bytes, badByte)])
  const source = toSource(path, text)
  const plain = readPlainYaml(source, limits)
  return plain === null ? readAnyYaml(source, limits) : toYamlMap(source, plain.root, plain.comments, [])
}

/** Reads through the YAML library, which takes ten times as long as the plain reader. */
function readAnyYaml(source: Source, limits: YamlLimits): YamlMap {
  const { text } = source
  const refuseAt = (found: readonly Found[]): YamlMap => refuse(found.map((each) => problemAt(source, each)))
  const { tokens, comments, refusals } = guardYaml(text, limits)
  if (tokens === null) return refuseAt(refusals)
  const [document, second] = composeQuickly(tokens, text.length)
  const syntax = document === undefined ? [] : yamlSyntax(document, source)
  if (syntax.length > 0) return refuseAt(syntax)
  if (second !== undefined) {
    const range: Range = [second.range[0], second.range[0] + 3]
    return refuseAt([{ ...SECOND_DOCUMENT, range }])
  }
  const faults: Found[] = []
  const contents = document?.contents ?? null
  return toYamlMap(source, contents === null ? null : toNode(contents, text, faults), comments, faults)
}

/** Composes documents without a stack for each error in them, which would cost more than everything else. */
function composeQuickly(tokens: readonly CST.Token[], length: number): readonly Document.Parsed[] {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
    return [...composer.compose(tokens, true, length)] as Document.Parsed[]
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** UTF-16 by its byte order mark, or by the empty halves of the ASCII characters that every menu begins with. */
function isUtf16([first, second, third, fourth]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return (second === 0 && fourth === 0 && first !== 0) || (first === 0 && third === 0 && second !== 0)
}

function toYamlMap(
  source: Source,
  root: YamlNode | null,
  comments: readonly number[],
  faults: readonly Found[],
): YamlMap {
  const value = root?.value ?? null
  if (root === null || value === null)
    return refuse([toProblem({ code: 'empty-file', path: source.path, what: 'The file has no content.' })])
  if (!isMap(value)) {
    const what = `The file is ${isList(value) ? 'a list' : 'a single value'}, not a map.`
    return refuse([problemAt(source, { code: 'not-a-menu', range: locate(root, []), what })])
  }
  const problems = faults.map((fault) => problemAt(source, fault))
  return { value, root, source, comments, faults, problems }
}

/** The 1-based line of a value, or of the nearest value around it. */
export function lineOf({ root, source }: ReadYaml, pointer: Steps): number {
  return lineAt(source, locate(root, pointer)[0])
}

function refuse(problems: readonly Problem[]): YamlMap {
  return { value: null, problems }
}

/** The place is shown as browsers would read the text: with a replacement character for what is not UTF-8. */
function notUtf8(path: string, bytes: Uint8Array, badByte: number): Problem {
  const lossy = new TextDecoder()
  const start = lossy.decode(bytes.subarray(0, badByte)).length
  const what = `The byte at offset ${badByte} is not UTF-8.`
  return problemAt(toSource(path, lossy.decode(bytes)), { code: 'not-utf8', range: [start, start + 1], what })
}

/** An issue of a value at its place in the text. */
export function foundOf({ part = 'value', ...issue }: Issue, { root, source }: Located): Found {
  const range = locate(root, issue.pointer, part)
  // `label:Home` is a text, and `-label: Home` a map: valid YAML, but surely not meant.
  const typo = issue.code === 'wrong-type' ? typoIn(source, lineAt(source, range[0])) : null
  return { ...issue, range, ...(typo !== null && { todo: typo.todo, range: typo.range }) }
}

type Located = Pick<ReadYaml, 'root' | 'source'>

/** An issue of a value as a problem at its place in the text. */
export function problemOf(issue: Issue, yaml: Located): Problem {
  return problemAt(yaml.source, foundOf(issue, yaml))
}

/** A problem at a range of a text, with its line, its column and a picture of the place. */
export function problemAt(source: Source, { range, pointer = [], suggest, ...words }: Found): Problem {
  const position = toPosition(source, range)
  const { suggestion = suggest?.() ?? null } = words
  const frame = toFrame(source, position)
  return toProblem({
    ...words,
    ...position,
    suggestion,
    pointer: toPointer(pointer),
    path: source.path,
    frame,
  })
}
