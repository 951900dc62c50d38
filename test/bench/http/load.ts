import { connect, type Socket } from 'node:net'

/** What a request asks: its path and the lines of its head behind Host, each with its line end. `turn` counts requests. */
export interface Asked {
  readonly path: (turn: number) => string
  readonly lines: (turn: number) => string
}

/** Connections to a server that stay open, each with one request at a time. */
export interface Load {
  /** Sends this number of requests, and resolves when all are answered. */
  readonly send: (requests: number) => Promise<void>
  /** Bytes of the body of an answer; 0 before the first one. */
  readonly bytes: () => number
  readonly close: () => void
}

const CONNECTIONS = 32
const CLOSED = 'The server closed a connection.'
const END_OF_HEAD = '\r\n\r\n'

/** Opens connections; sending fails when an answer has another status or length than the first. */
export async function openLoad(
  url: string,
  { path, lines }: Asked,
  connections: number = CONNECTIONS,
): Promise<Load> {
  const { port, host } = new URL(url)
  let [turn, left, open, status, length, body] = [0, 0, 0, '', 0, 0]
  let isOver = false
  let done = (): void => {}
  let fail = (_: Error): void => {}
  const write = (socket: Socket): void => {
    left--
    socket.write(`GET ${path(turn)} HTTP/1.1\r\nHost: ${host}\r\n${lines(turn++)}\r\n`)
  }
  const openOne = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      let missing = 0
      const socket = connect(Number(port), '127.0.0.1', () => resolve(socket))
      socket.setNoDelay(true)
      socket.on('error', (error) => {
        reject(error)
        fail(error)
      })
      socket.on('close', () => {
        isOver = true
        fail(new Error(CLOSED))
      })
      socket.on('data', (chunk) => {
        if (missing === 0) {
          const start = chunk.toString('latin1', 0, 12)
          status ||= start
          if (length === 0) [length, body] = lengthsOf(chunk)
          if (start !== status) return fail(new Error(`${start} behind ${status}`))
          missing = length
        }
        missing -= chunk.length
        if (missing < 0) return fail(new Error(`more than ${length} bytes`))
        if (missing > 0) return
        if (left > 0) write(socket)
        else if (--open === 0) done()
      })
    })
  const sockets = await Promise.all(Array.from({ length: connections }, openOne))
  const send = (requests: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(new Error(CLOSED))
      ;[done, fail, left] = [resolve, reject, requests]
      const used = sockets.slice(0, requests)
      open = used.length
      for (const socket of used) write(socket)
    })
  const close = (): void => {
    fail = () => {}
    for (const socket of sockets) socket.end()
  }
  return { send, bytes: () => body, close }
}

/** Bytes of an answer and of its body; the chunk has all of its head. */
function lengthsOf(chunk: Buffer): [number, number] {
  const head = chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length
  const [, body = '0'] = /^content-length: (\d+)/im.exec(chunk.toString('latin1', 0, head)) ?? []
  return [head + Number(body), Number(body)]
}
