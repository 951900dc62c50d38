import { connect } from 'node:net'

/** What one request asks: its path and the lines of its head behind Host, each with its line end. */
export interface Asked {
  /** `turn` counts the requests of a run. */
  readonly path: (turn: number) => string
  readonly lines: string
}

const CONNECTIONS = 32
const END_OF_HEAD = '\r\n\r\n'

/**
 * Sends requests over kept connections, one at a time on each; answers how many bytes each answer has. Throws where one has
 * another status or length than the first.
 */
export async function sendLoad(url: string, { path, lines }: Asked, requests: number): Promise<number> {
  const { port, host } = new URL(url)
  let sent = 0
  let length = 0
  const next = (): string => `GET ${path(sent++)} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let [missing, status] = [0, '']
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(next()))
      socket.setNoDelay(true)
      socket.on('error', reject).on('close', () => reject(new Error(`${url} closed a connection`)))
      socket.on('data', (chunk) => {
        if (missing === 0) {
          const start = chunk.toString('latin1', 0, 12)
          status ||= start
          length ||= lengthOf(chunk)
          if (start !== status) return void socket.destroy(new Error(`${start} behind ${status}`))
          missing = length
        }
        missing -= chunk.length
        if (missing < 0) return void socket.destroy(new Error(`more than ${length} bytes`))
        if (missing > 0) return
        if (sent < requests) socket.write(next())
        else socket.removeAllListeners('close').end(resolve)
      })
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return length
}

/** Bytes of an answer of which this is the first part, with all of its head. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length
  const [, body = '0'] = /^content-length: (\d+)/im.exec(chunk.toString('latin1', 0, head)) ?? []
  return head + Number(body)
}
