import type { JsonMap } from '../model/json.js'
import { type Limits, toYamlLimits } from '../model/limits.js'
import { parsePointer } from '../model/pointer.js'
import { isError, type Problem, toProblem } from '../model/problem.js'
import type { Layout } from './edit/layout.js'
import { toLayout } from './edit/read-layout.js'
import { decodeUtf8 } from './read/decode.js'
import { lineOf, type ReadYaml, readYamlMap } from './read/read-yaml.js'

/** The text of a menu, parsed once. */
export interface MenuDocument {
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** The text without its byte order mark; `''` where it is not UTF-8. */
  readonly text: string
  /** The byte order mark of the text, or `''`. */
  readonly mark: string
  /** The value of the text, as far as it can be read; null where it is not a map. */
  readonly value: JsonMap | null
  /** Why the text, or a part of it, cannot be read. */
  readonly problems: readonly Problem[]
  /** The nodes of the text and their source; null where `value` is. */
  readonly yaml: ReadYaml | null
  readonly limits: Limits
  /** The 1-based line of the value at a JSON Pointer, or of the nearest value around it. */
  readonly lineOf: (pointer: string) => number
  /** How the text is laid out, for the writer; else why it cannot be edited. Made on first use. */
  readonly layout: () => Layout | string
  /** The document of another text in place of this one. */
  readonly with: (text: string) => MenuDocument
}

/** The purposes for which documents are read, so that reads can be counted. */
export type OnRead = (path: string) => void

const MARK = [0xef, 0xbb, 0xbf]
const encoder = new TextEncoder()

/** Reads the bytes of a menu file. Never throws. */
export function readDocument(path: string, bytes: Uint8Array, limits: Limits, onRead?: OnRead): MenuDocument {
  onRead?.(path)
  const isLarge = bytes.length > limits.bytes
  const read = isLarge
    ? { value: null, problems: [tooLarge(path, bytes.length, limits)] }
    : readYamlMap(path, bytes, toYamlLimits(limits))
  const yaml = read.value === null ? null : read
  let text: string | null = null
  let layout: Layout | string | null = null
  const document: MenuDocument = {
    path,
    bytes,
    get text() {
      text ??= yaml?.source.text ?? decodeUtf8(bytes).text ?? ''
      return text
    },
    mark: MARK.every((byte, place) => bytes[place] === byte) ? '\ufeff' : '',
    value: read.value as JsonMap | null,
    problems: read.problems,
    yaml,
    limits,
    lineOf: (pointer) => (yaml === null ? 1 : lineOf(yaml, parsePointer(pointer) ?? [])),
    layout() {
      layout ??= layoutOf(document)
      return layout
    },
    with: (other) => readDocument(path, encoder.encode(other), limits, onRead),
  }
  return document
}

/** The problem of a file over the size limit. */
export function tooLarge(path: string, size: number, { bytes }: Pick<Limits, 'bytes'>): Problem {
  const what = `The file has ${size} bytes, and ${bytes} are allowed.`
  return toProblem({ code: 'file-too-large', path, what })
}

/** Whether a problem keeps a text from being edited. A control character written as an escape is a text like any other. */
export function isUneditable(problem: Problem): boolean {
  return isError(problem) && problem.code !== 'control-character'
}

function layoutOf(document: MenuDocument): Layout | string {
  const { yaml, problems } = document
  const problem = problems.find(isUneditable)
  if (problem !== undefined) return `Line ${problem.line}: ${problem.what}`
  if (yaml === null) return 'The text is not a map.'
  const { text } = yaml.source
  if (text.endsWith('\n')) return toLayout(yaml)
  // The writer counts in whole lines; the line break is not in the file, nor in its size.
  const whole = encoder.encode(text + (/\r\n/.test(text) ? '\r\n' : '\n'))
  const ended = readYamlMap(document.path, whole, toYamlLimits(document.limits))
  return ended.value === null ? 'The text is not a map.' : toLayout(ended)
}
