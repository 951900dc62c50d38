import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { acceptedCodings, type Coding } from './encoding.js'
import { type Headers, sendText } from './problem-json.js'

/** Smaller bodies fit into one packet anyway. */
const MIN_BYTES = 1_024
/** What is sent once must be quick: more saves a tenth of the bytes and takes three times as long. */
const QUALITY = 4

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes a text that is made for one operator, compressed unless its length could reveal its contents (BREACH,
 * https://breachattack.com): for that, a page of another site must make the browser ask, with guesses in the address. The
 * browser says so, and gets plain bytes; so does one that does not say who asks. A token that is masked anew in each response,
 * the usual way, protects the token alone, and not the menus.
 */
export async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  { headers, ...options }: { status?: number; type: string; headers?: Headers },
): Promise<void> {
  const plain = Buffer.from(text)
  const coding = plain.length < MIN_BYTES ? 'identity' : codingFor(request)
  const body = coding === 'identity' ? plain : await encode(plain, coding)
  if (response.destroyed) return
  const own = {
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    vary: 'Accept-Encoding, Sec-Fetch-Site',
    ...headers,
  }
  sendText(request, response, body, { ...options, headers: own })
}

function codingFor({ headers }: IncomingMessage): Coding {
  const relation = headers['sec-fetch-site']
  const isOwn = relation === 'same-origin' || relation === 'none'
  return (isOwn && acceptedCodings(headers['accept-encoding'])[0]) || 'identity'
}

function encode(plain: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  if (coding === 'gzip') return zip(plain)
  return brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
}
