import { type OutgoingHttpHeaders, request } from 'node:http'

/** An answer, read to its end. */
export interface HttpAnswer {
  readonly status: number
  /** By name in lower case; a header that came several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Names and values in turn, as they stood on the wire. */
  readonly rawHeaders: readonly string[]
  /** The bytes as sent: a compressed answer stays compressed. */
  readonly body: Buffer
  readonly text: string
  /** The body as JSON; throws when it is none. */
  readonly json: () => unknown
}

export interface HttpOptions {
  /** A flat list of names and values can send one header twice. */
  readonly headers?: OutgoingHttpHeaders | readonly string[]
  /** Default: `GET`. */
  readonly method?: string
  readonly body?: string | Uint8Array
  /** The request target as written on the wire, in place of the path of the URL. */
  readonly target?: string
  /** The address of this machine that it comes from. Default: the system's choice. */
  readonly from?: string
  /** How long to wait for the whole answer, in milliseconds. Default: 30,000. */
  readonly within?: number
}

/** One request on a connection of its own, so that nothing stays open behind it. Redirects are answers, not followed. */
export function get(url: string | URL, options: HttpOptions = {}): Promise<HttpAnswer> {
  const { headers = {}, method = 'GET', body, target, from, within = 90_000 } = options
  return new Promise((resolve, reject) => {
    const path = target === undefined ? {} : { path: target }
    const origin = from === undefined ? {} : { localAddress: from }
    const sent = request(url, { ...path, ...origin, headers, method, agent: false }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('error', reject)
      message.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({
          status: message.statusCode ?? 0,
          headers: toHeaders(message.rawHeaders),
          rawHeaders: message.rawHeaders,
          body: bytes,
          text,
          json: () => JSON.parse(text),
        })
      })
    })
    const timer = setTimeout(
      () => sent.destroy(new Error(`No answer of ${url} within ${within} ms.`)),
      within,
    )
    sent.on('error', reject).on('close', () => clearTimeout(timer))
    sent.end(body)
  })
}

function toHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let place = 0; place < raw.length; place += 2) {
    const name = (raw[place] ?? '').toLowerCase()
    const value = raw[place + 1] ?? ''
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
