import { Composer, type Document, type Node } from 'yaml'
import { type Limits, toYamlLimits } from '../model/limits.js'
import { compareProblems, type Finding, isError, type Problem, toProblem } from '../model/problem.js'
import type { ProblemCode } from '../model/problem-codes.js'
import type { MenuFile } from '../model/snapshot.js'
import { decodeUtf8 } from './decode.js'
import { guardYaml } from './guard.js'
import { type Issue, toPointerText } from './issue.js'
import { ruleIssues, type Vocabulary } from './rules.js'
import { schemaIssues } from './schema.js'
import { lineAt, type Range, type Source, toFrame, toPosition, toSource } from './source.js'
import { toMenu } from './to-menu.js'
import { validateMenu } from './validators.js'
import { locate, toValue, type ValueFault, writtenAs } from './value.js'
import { yamlSyntax } from './yaml-syntax.js'

/** What parsing a file depends on besides its bytes. */
export interface ParseOptions {
  readonly limits: Limits
  readonly vocabulary: Vocabulary
  /** The content hash of bytes. */
  readonly hash: (bytes: Uint8Array) => string
}

/** A file has at most this many problems listed; the rest is counted. */
export const MAX_PROBLEMS = 50

/**
 * Reads one menu file. Never throws and never gives half a menu: `menu` is null exactly when one of `problems` is an
 * error.
 */
export function parseMenuFile(path: string, bytes: Uint8Array, options: ParseOptions): MenuFile {
  const { menu, problems } = parseBytes(path, bytes, options)
  const sorted = problems.sort((a, b) => Number(isError(b)) - Number(isError(a)) || compareProblems(a, b))
  const listed = sorted.slice(0, MAX_PROBLEMS).sort(compareProblems)
  const omitted = sorted.length - listed.length
  return Object.freeze({ path, version: options.hash(bytes), menu, problems: Object.freeze(listed), omitted })
}

type Parsed = { readonly menu: MenuFile['menu']; readonly problems: Problem[] }

function parseBytes(path: string, bytes: Uint8Array, { limits, vocabulary }: ParseOptions): Parsed {
  if (bytes.length > limits.bytes) return refuse([tooLarge(path, bytes.length, limits)])
  const { text, badByte } = decodeUtf8(bytes)
  if (text === null) {
    const what = `The byte at offset ${badByte} is not UTF-8.`
    return refuse([toProblem({ code: 'not-utf8', path, what })])
  }
  const source = toSource(path, text)
  const guarded = guardYaml(text, toYamlLimits(limits))
  if (guarded.tokens === null) return refuse(guarded.refusals.map((refusal) => problemAt(source, refusal)))
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const [document, second] = composer.compose(guarded.tokens, true, text.length)
  const syntax = document === undefined ? [] : yamlSyntax(document, source)
  if (syntax.length > 0) return refuse(syntax)
  if (second !== undefined) {
    const range: Range = [second.range[0], second.range[0] + 3]
    return refuse([
      problemAt(source, { code: 'yaml-documents', range, what: 'A second document begins here.' }),
    ])
  }
  return parseDocument(source, document ?? null, vocabulary, limits)
}

function parseDocument(
  source: Source,
  document: Document | null,
  vocabulary: Vocabulary,
  limits: Limits,
): Parsed {
  const root = document?.contents ?? null
  if (isEmpty(root)) {
    return refuse([toProblem({ code: 'empty-file', path: source.path, what: 'The file has no content.' })])
  }
  const faults: ValueFault[] = []
  const value = toValue(root, faults)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = `The file is ${Array.isArray(value) ? 'a list' : 'a single value'}, not a map.`
    return refuse([problemAt(source, { code: 'not-a-menu', range: locate(root, []), what })])
  }
  const rules = ruleIssues(value, vocabulary, limits)
  const oversized = rules.some(({ code }) => code === 'too-many-items' || code === 'too-many-levels')
  const written = (pointer: readonly string[]) => writtenAs(root, pointer, source.text)
  const schema = oversized ? [] : schemaIssues(validateMenu, value, written)
  const problems = [
    ...faults.map((fault) => problemAt(source, { ...fault, pointer: toPointerText(fault.pointer) })),
    ...[...schema, ...rules].map((issue) => toProblemOf(issue, root, source)),
  ]
  if (problems.some(isError)) return { menu: null, problems }
  // Through JSON, so that the menu's texts do not keep the text of the file in memory.
  const flat: unknown = JSON.parse(JSON.stringify(value))
  const lineOf = (pointer: readonly (string | number)[]) => lineAt(source, locate(root, pointer)[0])
  return { menu: toMenu(flat, lineOf), problems }
}

function isEmpty(root: Node | null): boolean {
  return root === null || ('value' in root && root.value === null)
}

function refuse(problems: Problem[]): Parsed {
  return { menu: null, problems }
}

function tooLarge(path: string, size: number, { bytes }: Limits): Problem {
  return toProblem({
    code: 'file-too-large',
    path,
    what: `The file has ${size} bytes, and ${bytes} are allowed.`,
  })
}

function toProblemOf(issue: Issue, root: Node | null, source: Source): Problem {
  const { part = 'value', pointer, ...rest } = issue
  return problemAt(source, { ...rest, range: locate(root, pointer, part), pointer: toPointerText(pointer) })
}

type Found = Omit<Finding, 'path' | 'line' | 'column' | 'frame'> & {
  readonly code: ProblemCode
  readonly range: Range
}

/** A problem at a range of a text, with its line, its column and a picture of the place. */
function problemAt(source: Source, { range, ...found }: Found): Problem {
  const position = toPosition(source, range)
  return toProblem({ ...found, ...position, path: source.path, frame: toFrame(source, position) })
}
