import { done, failed, type Result } from '../model/result.js'
import type { HttpProblem } from './problem-json.js'

/** Fields of a form, in any encoding. More than any form of ours has, and few enough to show all of them at once. */
export const MAX_FIELDS = 2_000

/** The boundary of a multipart form by its Content-Type; null for another type. */
export function boundaryOf(type: string): string | null {
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim())
  if (media.toLowerCase() !== 'multipart/form-data') return null
  const boundary = parameters.find((each) => /^boundary=/i.test(each))?.slice('boundary='.length) ?? ''
  const plain = boundary.startsWith('"') && boundary.endsWith('"') ? boundary.slice(1, -1) : boundary
  // RFC 2046, section 5.1.1.
  return plain !== '' && plain.length <= 70 ? plain : null
}

/**
 * The fields of a multipart form (RFC 7578), files among them, as texts in UTF-8; of a name that comes several times, the first
 * counts. What is not a part is left out. In place of a file that is not UTF-8, there is a field whose name ends so.
 */
export function readParts(body: Buffer, boundary: string): Result<ReadonlyMap<string, string>, HttpProblem> {
  const fields = new Map<string, string>()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  let at = whole.indexOf(delimiter)
  for (let count = 0; at >= 0; count++) {
    if (count > MAX_FIELDS) return failed(TOO_MANY_FIELDS)
    const start = at + delimiter.length
    const end = whole.indexOf(delimiter, start)
    at = end
    if (end < 0) break
    // Looked for in the part alone: behind it, that of each part would be searched to the end of the body.
    const part = whole.subarray(start, end)
    const middle = part.indexOf('\r\n\r\n')
    if (middle < 0) continue
    const head = part.toString('utf8', 0, middle)
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]
    if (name === undefined || fields.has(name)) continue
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(part.subarray(middle + 4))
      fields.set(name, text)
    } catch {
      if (!/;\s*filename=/i.test(head)) return failed(NOT_UTF8)
      fields.set(name + BADLY_ENCODED, '')
    }
  }
  return done(fields)
}

/** Ends the name of a field for a file that is not UTF-8: its page can say how to save it. */
export const BADLY_ENCODED = ':not-utf8'

/** A body that is not UTF-8. */
export const NOT_UTF8: HttpProblem = { status: 400, code: 'not-utf8', detail: 'The body is not UTF-8.' }

export const TOO_MANY_FIELDS: HttpProblem = {
  status: 413,
  code: 'too-many-fields',
  detail: `The form has more than ${MAX_FIELDS} fields.`,
}
