import { connect } from 'node:net'

/** What came back on a connection, and how long it stayed open, in milliseconds. */
export interface Exchange {
  readonly text: string
  readonly milliseconds: number
}

export interface ExchangeOptions {
  /** How long the server may take to close the connection, in milliseconds. Default: 10,000. */
  readonly within?: number
  /** What is written later, one text after each pause. */
  readonly every?: readonly string[]
  /** In milliseconds. Default: 500. */
  readonly pause?: number
}

/** Writes bytes as they are, which no HTTP client would, and reads until the server closes the connection. */
export function exchange(
  url: string,
  bytes: string,
  { within = 10_000, every = [], pause = 500 }: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    let text = ''
    const rest = [...every]
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const drip = setInterval(() => {
      const next = rest.shift()
      if (next !== undefined && socket.writable) socket.write(next)
    }, pause)
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Still open after ${within} ms.\n${text}`))
    }, within)
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    // A connection that is reset has ended, too.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      clearTimeout(late)
      resolve({ text, milliseconds: performance.now() - begun })
    })
  })
}

/** The status codes of the answers on a connection. */
export function statusesOf({ text }: Exchange): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
