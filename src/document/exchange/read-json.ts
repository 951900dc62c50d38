import { type JSONPath, visit } from 'jsonc-parser'
import type { Json } from '../../model/json.js'
import { findSurplus } from '../../model/json-text.js'
import type { YamlLimits } from '../../model/limits.js'
import { toPointer } from '../../model/pointer.js'
import { done, failed, type Result } from '../../model/result.js'
import { quote } from '../issue.js'
import { decodeUtf8 } from '../read/decode.js'
import { toPosition, toSource } from '../source.js'

/** Why a text is refused, and the JSON Pointer to the place; `''` where it is not JSON, and the words name line and column. */
export interface JsonFault {
  readonly pointer: string
  readonly what: string
}

/**
 * The value of a JSON text (RFC 8259) that nothing is known of, within the limits on a YAML text. Refused besides: a key that one
 * map has twice, numbers that are not finite, halves of characters. Never throws.
 */
export function readJson(bytes: Uint8Array, limits: YamlLimits): Result<Json, JsonFault> {
  const { text, badByte } = decodeUtf8(bytes)
  if (text === null) return failed({ pointer: '', what: `Byte ${badByte} is not UTF-8.` })
  const refused = (what: string, offset: number): Result<never, JsonFault> => {
    const { line, column } = toPosition(toSource('', text), [offset, offset])
    return failed({ pointer: '', what: `${what} at line ${line}, column ${column}.` })
  }
  // The parser that finds places recurses, and costs much for each value.
  const surplus = findSurplus(text, { levels: limits.depth, values: limits.nodes })
  if (surplus?.of === 'levels') return refused(`Values are nested more than ${limits.depth} deep`, surplus.at)
  if (surplus !== null) return refused(`The JSON has more than ${limits.nodes} values`, surplus.at)
  let first: number | null = null
  let fault: JsonFault | null = null
  const refuse = (path: JSONPath, what: string): void => {
    fault ??= { pointer: toPointer(path), what }
  }
  const open: Set<string>[] = []
  visit(
    text,
    {
      onError: (_, offset) => {
        first ??= offset
      },
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (key, _at, _length, _line, _column, pathOf) => {
        const keys = open.at(-1) ?? new Set()
        if (keys.has(key)) refuse([...pathOf(), key], `The key ${quote(key)} appears twice in one map.`)
        if (HALF_CHARACTER.test(key)) refuse(pathOf(), `The key ${quote(key)} has half a character.`)
        if (keys.add(key).size > limits.keysPerMap)
          refuse(pathOf(), `A map has more than ${limits.keysPerMap} keys.`)
      },
      onLiteralValue: (value: unknown, _at, _length, _line, _column, pathOf) => {
        const isHalf = typeof value === 'string' && HALF_CHARACTER.test(value)
        if (isHalf) refuse(pathOf(), 'The text has half a character.')
        if (typeof value === 'number' && !Number.isFinite(value))
          refuse(pathOf(), 'This number is not finite.')
      },
    },
    { disallowComments: true, allowTrailingComma: false },
  )
  const notJson = 'The text is not JSON'
  if (first !== null) return refused(notJson, first)
  if (fault !== null) return failed(fault)
  try {
    return done(JSON.parse(text))
  } catch {
    return refused(notJson, text.length)
  }
}

const HALF_CHARACTER = /\p{Cs}/u
