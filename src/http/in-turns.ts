import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection, and its requests under way. */
export interface InTurns {
  readonly socket: Socket
  /** How many requests count as unanswered. */
  open: number
  last: IncomingMessage | null
  /** What came beyond the bound in one read. */
  readonly surplus: ServerResponse[]
  /** Ends the connection, for a client that sends no more; null while it may. */
  finish: (() => void) | null
  /** Whether Node's parser gets what comes in turns. */
  isInTurns: boolean
  /** Whether what came is kept back until a request is answered. */
  isHeld: boolean
}

const END_OF_HEAD = '\r\n\r\n'
/** Bytes; a body of nothing but ends of heads is not taken four bytes at a time. */
const MIN_STEP = 128

/** Stands between a connection and Node's parser, which gets no more than `maxOpen` requests that are not answered. */
export function takeInTurns(connection: InTurns, maxOpen: () => number): void {
  const { socket } = connection
  connection.isInTurns = true
  const parse = takeListener(socket, 'data')
  // Node's parser had the socket, and may have stopped its reading, which the stream does not know until it gets something.
  socket.once('resume', () => socket._read(0))
  const mayTake = (): boolean => {
    // Node has paused it where answers wait for their reader, and what waits for the rest of a body must get it.
    if (socket.destroyed || socket.isPaused()) return false
    const isBetween = connection.last === null || connection.last.complete
    return !isBetween || (connection.open < maxOpen() && connection.surplus.length === 0)
  }
  socket.on('data', (chunk: Buffer) => {
    connection.isHeld = false
    let at = 0
    while (at < chunk.length && mayTake()) {
      // To the end of a head, which is one request, or a few that are tiny; inside a body it does no harm.
      const end = chunk.indexOf(END_OF_HEAD, at + MIN_STEP)
      const next = end === -1 ? chunk.length : end + END_OF_HEAD.length
      parse(next - at === chunk.length ? chunk : chunk.subarray(at, next))
      at = next
    }
    if (at === chunk.length || socket.destroyed) return
    connection.isHeld = !socket.isPaused()
    socket.pause().unshift(chunk.subarray(at))
  })
}

/** Node ends the connection for a client that sends no more: now after what is answered at once has been written. */
export function finishLate(connection: InTurns): void {
  const finish = takeListener(connection.socket, 'end')
  connection.socket.on('end', () => {
    connection.finish = finish
    finishSoon(connection)
  })
}

/** Ends the connection of a client that sends no more, once no request of it waits to be answered. */
export function finishSoon({ socket, surplus, finish }: InTurns): void {
  if (surplus.length === 0 && finish !== null) setImmediate(() => !socket.destroyed && finish())
}

/** Takes away how Node itself listens to a connection, which it does last, and gives it to be called. */
function takeListener(socket: Socket, event: string): (...values: unknown[]) => void {
  const listener = socket.listeners(event).at(-1) as (...values: unknown[]) => void
  socket.removeListener(event, listener)
  return listener
}
