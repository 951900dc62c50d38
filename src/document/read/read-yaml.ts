import { Composer, type CST, type Document, type Node } from 'yaml'
import { valueAt } from '../../model/json.js'
import type { YamlLimits } from '../../model/limits.js'
import { type Steps, toPointer } from '../../model/pointer.js'
import { type Problem, toProblem } from '../../model/problem.js'
import type { Found, Issue } from '../issue.js'
import { lineAt, type Range, type Source, toFrame, toPosition, toSource } from '../source.js'
import { locate, toValue } from '../value.js'
import { decodeUtf8 } from './decode.js'
import { guardYaml, SECOND_DOCUMENT } from './guard.js'
import { type PlainYaml, readPlainYaml } from './plain-yaml.js'
import { slipIn } from './slip.js'
import { yamlSyntax } from './yaml-syntax.js'

/** A YAML text that holds a map, with the data for finding the place of each value. */
export interface ReadYaml {
  readonly value: Readonly<Record<string, unknown>>
  /** The nodes of the text with their places, made on first use where the text is plain. */
  readonly root: Node
  readonly source: Source
  /** The offsets of the `#` of its comments. */
  readonly comments: readonly number[]
  /** Faults of single keys; the value has all other keys. */
  readonly faults: readonly Found[]
  /** The same as problems. */
  readonly problems: readonly Problem[]
  /** What is known without the nodes; null where the text is not plain. */
  readonly plain: PlainYaml | null
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
  const plain = readPlainYaml(text, limits)
  return plain === null ? readAnyYaml(source, limits) : withNodes(source, plain, limits)
}

/** The YAML library takes ten times as long, and few of the texts that are read need what it knows. */
function withNodes(source: Source, plain: PlainYaml, limits: YamlLimits): ReadYaml {
  let root: Node | null = null
  return {
    value: plain.value,
    get root() {
      root ??= nodesOf(source, limits)
      return root
    },
    source,
    comments: plain.comments,
    faults: [],
    problems: [],
    plain,
  }
}

function nodesOf(source: Source, limits: YamlLimits): Node {
  const read = readAnyYaml(source, limits)
  if (read.value === null) throw new Error(`plain YAML that is no YAML: ${read.problems[0]?.what}`)
  return read.root
}

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
  return toYamlMap(source, document?.contents ?? null, comments)
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

function toYamlMap(source: Source, root: Node | null, comments: readonly number[]): YamlMap {
  if (root === null || ('value' in root && root.value === null)) {
    return refuse([toProblem({ code: 'empty-file', path: source.path, what: 'The file has no content.' })])
  }
  const faults: Found[] = []
  const value = toValue(root, faults)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = `The file is ${Array.isArray(value) ? 'a list' : 'a single value'}, not a map.`
    return refuse([problemAt(source, { code: 'not-a-menu', range: locate(root, []), what })])
  }
  const problems = faults.map((fault) => problemAt(source, fault))
  return {
    value: value as Readonly<Record<string, unknown>>,
    root,
    source,
    comments,
    faults,
    problems,
    plain: null,
  }
}

/** The 1-based line of a value, or of the nearest value around it. */
export function lineOf(yaml: ReadYaml, pointer: Steps): number {
  const { plain, source } = yaml
  const value = plain === null ? null : valueAt(yaml.value, pointer)
  // A text, a number or a boolean is in the line of its key.
  const start =
    typeof value === 'object' && value !== null
      ? plain?.startOf(value)
      : value != null && pointer.length === 1
        ? plain?.keys.get(String(pointer[0]))?.[0]
        : undefined
  return lineAt(source, start ?? locate(yaml.root, pointer)[0])
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
export function foundOf({ part = 'value', ...issue }: Issue, { root, source }: Placed): Found {
  const range = locate(root, issue.pointer, part)
  // `label:Home` is a text, and `-label: Home` a map: valid YAML, but surely not meant.
  const slip = issue.code === 'wrong-type' ? slipIn(source, lineAt(source, range[0])) : null
  return { ...issue, range, ...(slip !== null && { todo: slip.todo, range: slip.range }) }
}

type Placed = Pick<ReadYaml, 'root' | 'source'>

/** An issue of a value as a problem at its place in the text. */
export function problemOf(issue: Issue, yaml: Placed): Problem {
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
