import type { Random } from '../yaml/random.js'

// Requests as bytes: mild ones, which the parser takes, so that many are answered on one connection, and wild ones, of
// which most end it. All text here is Latin-1: a character is a byte.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const METHODS = words(
  'GET GET GET GET GET HEAD HEAD OPTIONS POST PUT DELETE PATCH TRACE PROPFIND M-SEARCH SOURCE',
)
const WILD_METHODS = words('get G\xcbT PRI QUERY GET\x00 CONNECT')
const PATHS = words(
  '/ /api/menu/ /api/menu/main /api/menu/main /api/menu/big /readyz /livez /openapi.json /metrics /-/reload /%',
)
const SCRAPS = words(
  String.raw`main _locale= _context_sets= [ ] { } "id":3 " : , %22 %5B % %zz %ff %00 %E2%82 .. / // %2f ? & = + # ;
  __proto__ constructor 1e999 -0 null true 9007199254740993 \u * es xx @ \ http://x [{"id":3}] %c3%a9`,
)
const WILD_SCRAPS = words('\xe9 \xff\xfe \xc3\xa9 \x7f \x01 \x00')
const NAMES =
  words(`If-None-Match Accept-Language Accept-Encoding Origin Range X-Forwarded-For Authorization Forwarded
  Via Cookie X-Request-Id TE Content-Type If-Modified-Since Access-Control-Request-Method __proto__ X`)
const WILD_NAMES = words('Host Connection Upgrade Expect Trailer X-\xe9 X(Y Content-Length')
const VALUES = ['*', '"x"', 'W/"', 'en;q=x', '*;q=0', 'null', 'Bearer x', '127.0.0.1', ',,;;', '']
const MORE_VALUES = [
  'close',
  'h2c',
  '100-continue',
  'bytes=5-2',
  'gzip, br',
  'es, en;q=0.5',
  '\xff\xfe',
  '\t',
  '::1',
]
const LENGTHS = ['-1', '1e3', '99999999999999999999', '5, 5', '+3', '']
const BAD_CHUNKS = [
  'zz\r\n',
  '5;x="\r\n',
  'ffffffffffffffffff\r\n',
  '3\r\nabc\r\n0\r\nX: y\r\n\r\n',
  '-1\r\n',
]
const CODINGS = ['gzip', 'chunked, identity', 'xchunked', 'identity']
const BAD_LINES = [
  ' folded\r\n',
  'X : y\r\n',
  ': y\r\n',
  'X\r\n',
  'X: a\nY: b\r\n',
  'X: a\rb\r\n',
  '\0: y\r\n',
]
const HOSTS = ['', 'Host: x\r\nHost: y\r\n', 'Host: \xff\r\n', 'Host:\r\n']
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', '']

/** The bytes of some requests on one connection, the last one with a wish to close it; a third of all are wild. */
export function rawRequests(count: number, random: Random): string {
  const wild = random.below(3) === 0
  const requests = Array.from({ length: count }, (_, place) => {
    const isWild = wild && random.below(4) === 0
    return rawRequest(random, isWild, place === count - 1 ? 'Connection: close\r\n' : '')
  })
  return wild ? damaged(requests.join(''), random) : requests.join('')
}

function rawRequest(random: Random, wild: boolean, last: string): string {
  const odd = (one: number): boolean => wild && random.below(one) === 0
  const method = random.pick(odd(6) ? WILD_METHODS : METHODS)
  const version = odd(10) ? random.pick(VERSIONS) : 'HTTP/1.1'
  const host = odd(8) ? random.pick(HOSTS) : 'Host: x\r\n'
  const [headers, body] = wild ? wildBody(random) : mildBody(random)
  const lines = Array.from({ length: random.below(4) }, () => {
    const name = random.pick(odd(4) ? WILD_NAMES : NAMES)
    return `${name}: ${fieldValue(random, wild)}\r\n`
  })
  return `${method} ${targetOf(random, wild)} ${version}\r\n${host}${lines.join('')}${last}${headers}\r\n${body}`
}

/** A target in one of the four forms of RFC 9112, section 3.2. */
function targetOf(random: Random, wild: boolean): string {
  const tail = Array.from({ length: random.below(9) }, () =>
    random.pick(wild && random.below(8) === 0 ? WILD_SCRAPS : SCRAPS),
  )
  const path = `${random.pick(PATHS)}${random.below(2) === 0 ? '?' : ''}${tail.join('')}`
  const form = random.below(20)
  if (form === 0 && wild) return random.pick(['*', 'example.org:443', 'x', '[::1]:80', '127.0.0.1:0', '//'])
  if (form > 3) return path
  const scheme = random.pick(wild ? ['ftp://', 'http:/', 'http:'] : ['http://', 'HTTPS://'])
  return `${scheme}${random.pick(wild ? ['', 'u:p@x', '\xe9'] : ['x', 'x:1', '[::1]:80'])}${path}`
}

function fieldValue(random: Random, wild: boolean): string {
  const kind = random.below(60)
  if (kind === 0) return 'y'.repeat(random.scaled(100, wild ? 20_000 : 4_000))
  if (kind > 20) return random.pick(kind > 40 ? VALUES : MORE_VALUES)
  const [least, most] = wild ? [0, 256] : [0x20, 0x7f]
  const code = (): string => String.fromCharCode(least + random.below(most - least))
  return Array.from({ length: random.below(12) }, code).join('')
}

/** The headers that speak of a body, and the body, as they should be. */
function mildBody(random: Random): readonly [headers: string, body: string] {
  const text = 'b'.repeat(1 + random.below(40))
  const kind = random.below(12)
  if (kind === 0) return [`Content-Length: ${text.length}\r\n`, text]
  if (kind > 1) return ['', '']
  return ['Transfer-Encoding: chunked\r\n', `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`]
}

function wildBody(random: Random): readonly [headers: string, body: string] {
  const kinds: readonly (readonly [string, string])[] = [
    [`Content-Length: ${random.pick(LENGTHS)}\r\n`, 'body'],
    ['Transfer-Encoding: chunked\r\n', random.pick(BAD_CHUNKS)],
    ['Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '4\r\nbody\r\n0\r\n\r\n'],
    [`Transfer-Encoding: ${random.pick(CODINGS)}\r\n`, 'body'],
    [random.pick(BAD_LINES), ''],
  ]
  return random.below(3) === 0 ? random.pick(kinds) : mildBody(random)
}

/** Damage to a whole conversation: a byte changed, left out or put in, or the rest cut off. */
function damaged(bytes: string, random: Random): string {
  const at = random.below(bytes.length)
  const byte = String.fromCharCode(random.below(256))
  const kind = random.below(6)
  if (kind === 0) return bytes.slice(0, at) + byte + bytes.slice(at + 1)
  if (kind === 1) return bytes.slice(0, at) + bytes.slice(at + 1)
  if (kind === 2) return bytes.slice(0, at) + byte.repeat(1 + random.below(3)) + bytes.slice(at)
  return kind === 3 ? bytes.slice(0, at) : bytes
}
