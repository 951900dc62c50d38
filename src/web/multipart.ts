import { done, failed, type Result } from '../model/result.js'
import type { HttpProblem } from './problem-json.js'

/** More than any form of ours has. */
const MOST_PARTS = 100

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
 * counts. What is not a part is left out.
 */
export function readParts(body: Buffer, boundary: string): Result<ReadonlyMap<string, string>, HttpProblem> {
  const fields = new Map<string, string>()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  let at = whole.indexOf(delimiter)
  for (let count = 0; at >= 0 && count < MOST_PARTS; count++) {
    const start = at + delimiter.length
    const end = whole.indexOf(delimiter, start)
    const middle = whole.indexOf('\r\n\r\n', start)
    at = end
    if (end < 0 || middle < 0 || middle > end) continue
    const name = /;\s*name="([^"]*)"/i.exec(whole.toString('utf8', start, middle))?.[1]
    if (name === undefined || fields.has(name)) continue
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(whole.subarray(middle + 4, end))
      fields.set(name, text)
    } catch {
      return failed(NOT_UTF8)
    }
  }
  return done(fields)
}

/** A body that is not UTF-8. */
export const NOT_UTF8: HttpProblem = { status: 400, code: 'not-utf8', detail: 'The body is not UTF-8.' }
