import type { Json } from '../../model/json.js'

/** Where a single value is: what may be unquoted depends on it. */
export type Where = 'block' | 'flow' | 'key'
export type Quote = 'plain' | 'single' | 'double'

/** A scalar as YAML 1.2 core reads it back, in one line; quoted as requested if possible. */
export function toScalarText(value: Json, wish: Quote, place: Where, fallback: Quote = 'double'): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'string') return String(value)
  if (wish === 'plain' && isPlain(value, place)) return value
  const quote = wish === 'plain' ? fallback : wish
  return quote === 'single' && isPrintable(value) ? `'${value.replaceAll("'", "''")}'` : toDoubleQuoted(value)
}

/** YAML has words for these, JSON has not. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  return Object.is(value, -0) ? '-0' : String(value)
}

/** A JSON text is a double-quoted one of YAML; invisible characters are escaped. */
function toDoubleQuoted(value: string): string {
  return JSON.stringify(value).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Whether a text fits in one line without an escape. */
export function isPrintable(value: string): boolean {
  INVISIBLE.lastIndex = 0
  return !INVISIBLE.test(value) && !/\p{Surrogate}/u.test(value)
}

/** What YAML 1.2 core, or a YAML 1.1 reader, does not take for a text. */
const NOT_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|<<|=|[-+]?(?:\.inf|\.nan|0x[\da-f_]+|0o?[0-7_]+|0b[01_]+|[\d_,]+(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.[\d_]+(?:e[-+]?\d+)?)|\d+(?::\d+)+|\d{4}-\d\d?-\d\d?.*)$/i

function isPlain(value: string, place: Where): boolean {
  if (value === '' || value.trim() !== value || !isPrintable(value) || NOT_TEXT.test(value)) return false
  if (/^(?:[-?:](?=$|[\s,[\]{}])|[,[\]{}#&*!|>'"%@`]|---|\.\.\.)/.test(value)) return false
  if (/:(?=\s|$)|\s#/.test(value)) return false
  if (place === 'key' && value.length > 900) return false
  // In brackets, and a key may move there.
  return place === 'block' || !/[,[\]{}]|[?:-]$|^[-?:]|:[,[\]{}]/.test(value)
}
