import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finishLate, finishSoon, type InTurns, takeInTurns } from './in-turns.js'

/** Has a request answered that has come over its connection, now or when those before it are. */
export type Connections = (response: ServerResponse) => void

export interface ConnectionsOptions {
  /** How many there may be. */
  readonly max: number
  /** For how long an idle one is kept. */
  readonly keepAliveSeconds: number
  readonly answer: (response: ServerResponse) => void
  /** An answer is written, or its client is gone. */
  readonly onEnd: (response: ServerResponse) => void
  /** A connection found no place. */
  readonly onRefused: () => void
}

interface Connection extends InTurns {
  /** Answers that were not written at once. */
  readonly unwritten: Set<ServerResponse>
  /** Its place in the order of when connections last began or ended something. */
  stirred: number
}

/** Unanswered requests of one connection. Clients that send several ahead (RFC 9112, section 9.3.2) send a few. */
const MAX_OPEN = 8
/** Milliseconds for which new connections are taken in turns after one that sent more requests ahead. */
const WARY_MS = 60_000
/** Milliseconds. An answer under way, on a connection over which nothing comes or goes, has this long. */
const SILENCE_TIMEOUT = 15_000
/** Milliseconds. Timeout for a client that stops reading. Node waits twice, because it counts what the kernel took at once as progress. */
const STOPPED_READING_TIMEOUT = 7_500

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
 *
 * Ends idle connections, too. A check of all of them a second costs less than the two timeouts that Node would set for
 * each request.
 */
export function createConnections(
  server: Server,
  { max, keepAliveSeconds, answer, onEnd, onRefused }: ConnectionsOptions,
): Connections {
  const known = new Map<Socket, Connection>()
  let stirs = 0
  let openInAll = 0
  let waryUntil = 0
  const maxOpen = (): number => (openInAll < max ? MAX_OPEN : 1)
  // How far `stirs` had come at each second of the last keepAliveSeconds.
  const seconds: number[] = Array.from({ length: keepAliveSeconds }, () => 0)
  const endIdle = (): void => {
    const then = seconds.shift() ?? 0
    seconds.push(stirs)
    for (const each of known.values()) if (each.stirred <= then && isSilent(each)) each.socket.destroy()
  }
  const checking = setInterval(endIdle, 1_000).unref()
  server.on('close', () => clearInterval(checking))

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
  const start = (connection: Connection, response: ServerResponse): void => {
    connection.open++
    openInAll++
    answer(response)
    // As nearly all are: such an answer costs no listeners.
    if (isWritten(response)) {
      end(connection, response)
      return
    }
    const { unwritten } = connection
    unwritten.add(response)
    limitSilence(connection)
    response
      .on('prefinish', () => limitSilence(connection))
      .on('close', () => {
        unwritten.delete(response)
        limitSilence(connection)
        end(connection, response)
      })
  }
  const end = (connection: Connection, response: ServerResponse): void => {
    onEnd(response)
    connection.stirred = ++stirs
    // What waits for this goes on in the next turn of the event loop, so that the others get theirs.
    if (connection.isHeld || connection.surplus.length > 0) setImmediate(release, connection)
    else release(connection)
  }
  const release = (connection: Connection): void => {
    // Its requests are taken off as it closes.
    if (connection.socket.destroyed) return
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
  return (response) => {
    const request = response.req
    const connection = known.get(request.socket)
    if (connection === undefined) {
      response.on('close', () => onEnd(response))
      return answer(response)
    }
    connection.stirred = ++stirs
    connection.last = request
    if (connection.open < maxOpen()) return start(connection, response)
    if (!connection.isInTurns) beWary()
    connection.surplus.push(response)
  }
}

/** Whether the kernel has all of an answer. */
function isWritten({ writableEnded, socket }: ServerResponse): boolean {
  return writableEnded && socket !== null && socket.writableLength === 0 && !socket.destroyed
}

/** Ends a connection over which nothing comes or goes while an answer is under way. */
function limitSilence({ unwritten, socket }: Connection): void {
  if (unwritten.size === 0) socket.setTimeout(0)
  else socket.setTimeout(socket.writableLength > 0 ? STOPPED_READING_TIMEOUT : SILENCE_TIMEOUT)
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
