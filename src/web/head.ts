import { type OutgoingHttpHeader, ServerResponse } from 'node:http'
import { isShared, toStricter } from './cache-control.js'

/** As Node has it. */
const { writeHead } = ServerResponse.prototype

/** What an answer is that carries a cookie: it is for one visitor. */
const FOR_ONE = 'private, no-cache'
const JOINED_LATE = /^(vary|cache-control|set-cookie)$/i
/** Headers of a host about bytes that are not sent now. */
const OF_OTHER_BYTES = [
  'content-encoding',
  'content-length',
  'content-range',
  'last-modified',
  'transfer-encoding',
]

/**
 * Writes the head of an answer; `lines` are names and values in turn. What a host has set before us stays: its `Vary` is
 * added to, the stricter of two `Cache-Control` counts, whom it lets read across origins it decides, and an answer with
 * its cookie is shared with nobody. What describes the bytes is ours.
 */
export function sendHead(response: ServerResponse, status: number, lines: readonly string[]): void {
  const isReplaced = response.writeHead !== writeHead
  if (!isReplaced && response.getHeaderNames().length === 0)
    return void response.writeHead(status, lines as string[])
  for (const name of OF_OTHER_BYTES) response.removeHeader(name)
  for (const [name, value] of pairsOf(lines)) join(response, name, value)
  const finish = (): void => keepStrict(response, lines)
  if (isReplaced) beforeWriting(response, finish)
  else finish()
  // In a record, because what replaces writeHead takes a list for something else, and of its own, because it may write into it.
  response.writeHead(status, {})
}

/** Header lines of a record. */
export function toLines(headers: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
}

function* pairsOf(lines: readonly string[]): Iterable<readonly [name: string, value: string]> {
  for (let place = 0; place < lines.length; place += 2) yield [lines[place] ?? '', lines[place + 1] ?? '']
}

function join(response: ServerResponse, name: string, value: string): void {
  const key = name.toLowerCase()
  if (key === 'vary' || key === 'access-control-expose-headers') {
    response.setHeader(name, toUnion(`${textOf(response.getHeader(name)) ?? ''},${value}`))
  } else if (key === 'cache-control') {
    const theirs = cacheControlOf(response)
    response.setHeader(name, theirs === null ? value : toStricter(value, theirs))
  } else if (!key.startsWith('access-control-') || !response.hasHeader(name)) {
    response.setHeader(name, value)
  }
}

/** Merges the headers on who may cache an answer again, after all that the host has done. */
function keepStrict(response: ServerResponse, lines: readonly string[]): void {
  for (const [name, value] of pairsOf(lines)) {
    if (JOINED_LATE.test(name)) join(response, name, value)
  }
  const control = textOf(response.getHeader('cache-control')) ?? ''
  if (response.hasHeader('set-cookie') && isShared(control)) {
    response.setHeader('Cache-Control', toStricter(control, FOR_ONE))
  }
}

/**
 * Does something whenever the host may have set one of these headers, until the head is bytes: what replaces `writeHead` does it
 * as late as that, such as a session its cookie. A `writeHead` of ours would run before theirs. Some set headers past
 * `setHeader` of the response; what Node's own `writeHead` does first, behind all of them, is to set `statusCode`.
 */
function beforeWriting(response: ServerResponse, work: () => void): void {
  let isAtWork = false
  const doWork = (): void => {
    if (isAtWork || response.headersSent) return
    isAtWork = true
    work()
    isAtWork = false
  }
  for (const name of ['setHeader', 'appendHeader'] as const) {
    const set = response[name]
    response[name] = (header: string, value: number | string | readonly string[]) => {
      set.call(response, header, value as string)
      if (JOINED_LATE.test(header)) doWork()
      return response
    }
  }
  // HTTP/2 has a statusCode of another kind.
  if (!(response instanceof ServerResponse)) return
  let status = response.statusCode
  Object.defineProperty(response, 'statusCode', {
    configurable: true,
    enumerable: true,
    get: () => status,
    set: (code: number) => {
      status = code
      doWork()
    },
  })
}

/** A host's headers about caching; HTTP/1.0 had other ones (RFC 9111, sections 5.3 and 5.4). */
function cacheControlOf(response: ServerResponse): string | null {
  const control = textOf(response.getHeader('cache-control'))
  if (control !== null) return control
  if (/no-cache/i.test(textOf(response.getHeader('pragma')) ?? '')) return 'no-cache'
  const expires = textOf(response.getHeader('expires'))
  if (expires === null) return null
  const seconds = Math.floor((Date.parse(expires) - Date.now()) / 1000)
  // What is not a date is in the past; `0` is common, and not a date.
  return `max-age=${/[a-z]/i.test(expires) && seconds > 0 ? seconds : 0}`
}

function textOf(header: OutgoingHttpHeader | undefined): string | null {
  return header === undefined ? null : [header].flat().join(', ')
}

/** Names of a list, each once; a star means all. */
function toUnion(list: string): string {
  const names = new Map<string, string>()
  for (const name of list.split(',').map((each) => each.trim())) {
    const key = name.toLowerCase()
    if (name !== '' && !names.has(key)) names.set(key, name)
  }
  return names.has('*') ? '*' : [...names.values()].join(', ')
}
