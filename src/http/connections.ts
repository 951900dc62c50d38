import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, and the requests under way on each. */
export interface Connections {
  /** Has a request answered that has come over its connection, now or when those before it are. */
  readonly begin: (request: IncomingMessage, answer: () => void) => void
  /** Its answer is not written at once. */
  readonly wait: (response: ServerResponse) => void
  /** Its answer is written, or its client is gone. */
  readonly end: (response: ServerResponse) => void
}

/** Unanswered requests of one connection. Clients that send several ahead (RFC 9112, section 9.3.2) send a few. */
const MAX_OPEN = 8
/** Milliseconds for which new connections are taken in turn after one that sent more requests ahead. */
const WARY_MS = 60_000
const END_OF_HEAD = '\r\n\r\n'
/** Bytes; a body of nothing but ends of heads is not taken four bytes at a time. */
const MIN_STEP = 128

interface Connection {
  readonly socket: Socket
  /** Answers that were not written at once. */
  readonly unwritten: Set<ServerResponse>
  /** Its place in the order of when connections last began or ended something. */
  stirred: number
  /** How many requests count as unanswered. */
  open: number
  last: IncomingMessage | null
  /** Answers for what came beyond the bound in one read. */
  readonly surplus: (() => void)[]
  /** Ends the connection, for a client that sends no more; null while it may. */
  finish: (() => void) | null
  /** Whether Node's parser gets what comes in turns. */
  isInTurns: boolean
  /** Whether what came is kept back until a request is answered. */
  isHeld: boolean
}

/**
 * Keeps a server within a number of connections. One too many takes the place of the one that has been silent for
 * longest, so that clients who hold connections open and say nothing shut nobody out; only when all of them wait for
 * an answer is the new one refused.
 *
 * Bounds the requests that a server has to answer at once as well: MAX_OPEN on each connection, and one on each where
 * there are `max` in all. What comes behind them waits unread, in the kernel or at the client. Node would make requests
 * of all that has come, thousands in one read, before anything else gets a turn, and would read on for as long as
 * nothing is answered. To refuse them costs as much as to answer, and to close the connection brings the client back
 * with the next thousands.
 *
 * To read a connection in turns costs a fifth of an answer, and clients that wait for their answers need it not. So the
 * first read that exceeds a bound has all connections read so from then on, and those that come within WARY_MS. What that
 * read brought, at most 64 KB, waits as requests.
 */
export function createConnections(server: Server, max: number, onRefused: () => void): Connections {
  const known = new Map<Socket, Connection>()
  let stirs = 0
  let openInAll = 0
  let waryUntil = 0
  const maxOpen = (): number => (openInAll < max ? MAX_OPEN : 1)

  server.on('connection', (socket: Socket) => {
    if (known.size >= max) {
      const oldest = oldestOf(known.values(), isSilent) ?? oldestOf(known.values(), waitsForReader)
      if (oldest === undefined) {
        onRefused()
        socket.destroy()
        return
      }
      known.delete(oldest.socket)
      oldest.socket.destroy()
    }
    const nothing = { stirred: ++stirs, open: 0, last: null, isInTurns: false, isHeld: false, finish: null }
    const connection: Connection = { socket, unwritten: new Set(), surplus: [], ...nothing }
    known.set(socket, connection)
    finishLate(connection)
    if (performance.now() < waryUntil) takeInTurns(connection, maxOpen)
    socket.once('close', () => {
      known.delete(socket)
      openInAll -= connection.open
    })
  })

  const beWary = (): void => {
    waryUntil = performance.now() + WARY_MS
    for (const each of known.values()) if (!each.isInTurns) takeInTurns(each, maxOpen)
  }
  const start = (connection: Connection, answer: () => void): void => {
    connection.open++
    openInAll++
    answer()
  }
  const release = (connection: Connection): void => {
    // One that is gone has been taken off already.
    if (!known.has(connection.socket)) return
    connection.open--
    openInAll--
    const next = connection.surplus.shift()
    if (next !== undefined) {
      start(connection, next)
      finishSoon(connection)
      return
    }
    if (connection.open === 0 && connection.last?.complete) connection.last = null
    if (!connection.isHeld) return
    connection.isHeld = false
    connection.socket.resume()
  }
  return {
    begin: (request, answer) => {
      const connection = known.get(request.socket)
      if (connection === undefined) return answer()
      connection.stirred = ++stirs
      connection.last = request
      if (connection.open < maxOpen()) return start(connection, answer)
      if (!connection.isInTurns) beWary()
      connection.surplus.push(answer)
    },
    wait: (response) => void known.get(response.req.socket)?.unwritten.add(response),
    end: (response) => {
      const connection = known.get(response.req.socket)
      if (connection === undefined) return
      connection.stirred = ++stirs
      connection.unwritten.delete(response)
      // What waits for this goes on in the next turn of the event loop, so that the others get theirs.
      if (connection.isHeld || connection.surplus.length > 0) setImmediate(release, connection)
      else release(connection)
    },
  }
}

/** The one that has been so for longest. Only a connection too many costs a pass over all; requests cost a number each. */
function oldestOf(
  connections: Iterable<Connection>,
  isFit: (connection: Connection) => boolean,
): Connection | undefined {
  let oldest: Connection | undefined
  for (const each of connections) {
    if ((oldest === undefined || each.stirred < oldest.stirred) && isFit(each)) oldest = each
  }
  return oldest
}

function isSilent({ unwritten }: Connection): boolean {
  return unwritten.size === 0
}

/** Whether a connection waits for nothing but its reader. */
function waitsForReader({ unwritten }: Connection): boolean {
  return [...unwritten].every((response) => response.writableEnded)
}

/** Stands between a connection and Node's parser, which gets no more than `maxOpen` requests that are not answered. */
function takeInTurns(connection: Connection, maxOpen: () => number): void {
  const { socket } = connection
  connection.isInTurns = true
  // A connection whose listener changes in a pause is not read on after it.
  if (socket.isPaused()) return void socket.once('resume', () => takeInTurns(connection, maxOpen))
  const parse = takeListener(socket, 'data')
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
function finishLate(connection: Connection): void {
  const finish = takeListener(connection.socket, 'end')
  connection.socket.on('end', () => {
    connection.finish = finish
    finishSoon(connection)
  })
}

function finishSoon({ socket, surplus, finish }: Connection): void {
  if (surplus.length === 0 && finish !== null) setImmediate(() => !socket.destroyed && finish())
}

/** Takes away how Node itself listens to a connection, which it does last, and gives it to be called. */
function takeListener(socket: Socket, event: string): (...values: unknown[]) => void {
  const listener = socket.listeners(event).at(-1) as (...values: unknown[]) => void
  socket.removeListener(event, listener)
  return listener
}
