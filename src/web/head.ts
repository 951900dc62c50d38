import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { isShared, toStricter } from './cache-control.js'

/** What a response is that may be for one visitor. */
const FOR_ONE = 'private, no-cache'
/** Headers of a host about bytes that are not sent now. */
const OF_OTHER_BYTES = [
  'content-encoding',
  'content-length',
  'content-range',
  'last-modified',
  'transfer-encoding',
]

/**
 * Writes the head of a response; `lines` are names and values in turn. What a host has set before us stays: its `Vary` is
 * added to, the stricter of two `Cache-Control` applies, its own `Access-Control-…` headers win, and a response with its cookie
 * is never shared. Headers about the bytes are ours.
 *
 * A middleware that replaces `writeHead`, as sessions and compression do, may still set a cookie or a `Vary` when the head is
 * written. No code runs after it that could check, so such a response is never shared, either.
 */
export function sendHead(response: ServerResponse, status: number, lines: readonly string[]): void {
  const isReplaced = Object.hasOwn(response, 'writeHead')
  if (!isReplaced && response.getHeaderNames().length === 0)
    return void response.writeHead(status, lines as string[])
  for (const name of OF_OTHER_BYTES) response.removeHeader(name)
  for (let place = 0; place < lines.length; place += 2)
    join(response, lines[place] ?? '', lines[place + 1] ?? '')
  const control = cacheControlOf(response) ?? ''
  if ((isReplaced || response.hasHeader('set-cookie')) && isShared(control))
    response.setHeader('Cache-Control', toStricter(control, FOR_ONE))
  // In a record, because what replaces writeHead takes a list for something else, and of its own, because it may write into it.
  response.writeHead(status, {})
}

/** Header lines of a record. */
export function toLines(headers: Readonly<Record<string, string | number | readonly string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => [name, String(each)]),
  )
}

function join(response: ServerResponse, name: string, value: string): void {
  const key = name.toLowerCase()
  if (key === 'vary' || key === 'access-control-expose-headers') {
    response.setHeader(name, toUnion(`${textOf(response.getHeader(name)) ?? ''},${value}`))
  } else if (key === 'cache-control') {
    const theirs = cacheControlOf(response)
    response.setHeader(name, theirs === null ? value : toStricter(value, theirs))
  } else if (key === 'set-cookie') {
    const cookies = [response.getHeader(name) ?? [], value].flat().map(String)
    response.setHeader(name, [...new Set(cookies)])
  } else if (!key.startsWith('access-control-') || !response.hasHeader(name)) {
    response.setHeader(name, value)
  }
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
