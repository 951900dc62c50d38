import type { IncomingMessage } from 'node:http'
import { isMap } from '../model/json.js'
import { findSurplus } from '../model/json-text.js'
import { done, failed, type Result } from '../model/result.js'
import type { Room } from './body-budget.js'
import { boundaryOf, MAX_FIELDS, NOT_UTF8, readParts, TOO_MANY_FIELDS } from './multipart.js'
import type { HttpProblem } from './problem-json.js'

/**
 * Reads the body of a request, up to a number of bytes, as long as there is room for it and it comes fast enough; otherwise
 * nothing of it is kept. Never throws.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  room: Room,
): Promise<Result<Buffer, HttpProblem>> {
  const chunks: Buffer[] = []
  const { fault } = await takeBody(request, limit, (chunk) => {
    const full = room(chunk.length)
    if (full === null) chunks.push(chunk)
    return full
  })
  if (fault !== null) return failed(fault)
  return done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
}

/** Gives the body of a request to a function in pieces, under the same conditions, until the function returns a problem. */
export function takeBody(
  request: IncomingMessage,
  limit: number,
  use: (chunk: Buffer) => HttpProblem | null,
): Promise<Result<null, HttpProblem>> {
  const { headers } = request
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') return Promise.resolve(failed(CODED))
  if (Number(headers['content-length'] ?? 0) > limit) return Promise.resolve(failed(toTooLarge(limit)))
  // A host may have read it before us: it is not there a second time.
  const parsed = (request as { readonly body?: unknown }).body
  if (request.readableEnded) {
    const fault = parsed === undefined ? TAKEN : use(toBytes(parsed))
    return Promise.resolve(fault === null ? done(null) : failed(fault))
  }
  return new Promise((resolve) => {
    let size = 0
    const begun = performance.now()
    const judge = (): void => {
      const left = begun + GRACE_MS + (size / SLOWEST) * 1_000 - performance.now()
      if (left > 0) timer = setTimeout(judge, left)
      else {
        request.pause()
        end(failed(TOO_SLOW))
      }
    }
    let timer = setTimeout(judge, GRACE_MS)
    const end = (result: Result<null, HttpProblem>): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('error', breakOff).off('close', breakOff)
      resolve(result)
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      const fault = size > limit ? toTooLarge(limit) : use(chunk)
      if (fault !== null) {
        request.pause()
        end(failed(fault))
      }
    }
    const finish = (): void => end(request.complete ? done(null) : failed(CUT_OFF))
    const breakOff = (): void => end(failed(CUT_OFF))
    request.on('data', take).once('end', finish).once('error', breakOff).once('close', breakOff)
  })
}

/** Reads a body in UTF-8 of one of these media types. */
export async function readText(
  request: IncomingMessage,
  types: readonly string[],
  limit: number,
  room: Room,
): Promise<Result<string, HttpProblem>> {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (!types.includes(type.trim()) || !isUtf8) return failed(toWrongType(types))
  const { value: bytes, fault } = await readBody(request, limit, room)
  if (fault !== null) return failed(fault)
  try {
    return done(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return failed(NOT_UTF8)
  }
}

/** The value of a JSON body, nested at most 200 deep, of at most 500,000 values. */
export function parseJson(text: string): Result<unknown, HttpProblem> {
  try {
    // What nests without end takes long to parse.
    if (findSurplus(text, { levels: MAX_DEPTH, values: MAX_VALUES }) !== null) return failed(NESTED)
    return done(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return failed(NOT_JSON)
  }
}

/** Reads a form (urlencoded, or multipart with files in UTF-8); of a field that comes several times, the first counts. */
export async function readForm(
  request: IncomingMessage,
  limit: number,
  room: Room,
): Promise<Result<ReadonlyMap<string, string>, HttpProblem>> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  if (boundary !== null) {
    const { value: body, fault } = await readBody(request, limit, room)
    return fault === null ? readParts(body, boundary) : failed(fault)
  }
  // Some hosts parse forms, some put an empty body on what they have not read.
  const parsed = request.readableEnded ? (request as { readonly body?: unknown }).body : undefined
  const { value: text, fault } = await readText(request, FORM_TYPES, limit, room)
  if (fault !== null) return failed(fault)
  const isParsed = isMap(parsed) && !(parsed instanceof Uint8Array)
  const count = isParsed ? Object.keys(parsed).length : text.split('&', MAX_FIELDS + 1).length
  if (count > MAX_FIELDS) return failed(TOO_MANY_FIELDS)
  const pairs = isParsed ? Object.entries(parsed) : new URLSearchParams(text)
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    const [first] = [value].flat()
    if (!fields.has(name) && typeof first === 'string') fields.set(name, first)
  }
  return done(fields)
}

/** Milliseconds for a body of any size; a larger one has the time that it needs at this many bytes a second. */
const GRACE_MS = 14_000
const SLOWEST = 65_536

const FORM_TYPES = ['application/x-www-form-urlencoded']

/** Deeper than any menu may be, and not too deep for recursion. */
const MAX_DEPTH = 200
/** More than any menu may have. */
const MAX_VALUES = 500_000

function toBytes(parsed: unknown): Buffer {
  if (typeof parsed === 'string') return Buffer.from(parsed)
  return parsed instanceof Uint8Array ? Buffer.from(parsed) : Buffer.from(JSON.stringify(parsed) ?? '')
}

/** The rest of such a body is not read: the connection ends with the response. */
function toTooLarge(limit: number): HttpProblem {
  const detail = `The body has more than ${limit} bytes.`
  return { status: 413, code: 'body-too-large', detail, headers: { connection: 'close' } }
}

function toWrongType(types: readonly string[]): HttpProblem {
  const detail = `The body needs the Content-Type ${types.join(' or ')}, in UTF-8.`
  return { status: 415, code: 'wrong-content-type', detail, headers: { accept: types.join(', ') } }
}

const CODED: HttpProblem = {
  status: 415,
  code: 'body-encoded',
  detail: 'The body must be sent without a Content-Encoding.',
  headers: { 'accept-encoding': 'identity' },
}
/** The rest is not read: the connection ends with the response. */
const TOO_SLOW: HttpProblem = {
  status: 408,
  code: 'body-too-slow',
  detail: 'The body took too long. Send it again over a faster connection.',
  headers: { connection: 'close' },
}
/** A mistake of the program that we are mounted in. */
const TAKEN: HttpProblem = {
  status: 500,
  code: 'body-taken',
  detail: 'The server read the body before the dashboard could, and kept none of it.',
}
const CUT_OFF: HttpProblem = { status: 400, code: 'body-cut-off', detail: 'The body ended too early.' }
const NOT_JSON: HttpProblem = { status: 400, code: 'not-json', detail: 'The body is not JSON.' }
const NESTED: HttpProblem = {
  status: 400,
  code: 'too-deep',
  detail: `The body is nested more than ${MAX_DEPTH} deep, or has more than ${MAX_VALUES} values.`,
}
