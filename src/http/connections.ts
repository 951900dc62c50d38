import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { groupBy } from '../model/group-by.js'
import { toNetwork } from '../web/network.js'

export interface ConnectionsOptions {
  /** How many there may be. */
  readonly max: number
  /** A connection found no place, or its network floods. */
  readonly onRefused: () => void
  /** A connection was closed because its client sends requests and does not wait for the responses. */
  readonly onFlooded: () => void
  /** A response is written, or its client is gone, this many milliseconds after its request. */
  readonly onEnd: (response: ServerResponse, milliseconds: number) => void
}

/** The connections of a server. */
export interface Connections {
  /** Counts a request until its response is written. False where it gets none, because its connection is being closed. */
  readonly admit: (response: ServerResponse) => boolean
  /** Whether a request that was admitted may be answered now. False where its connection is closed. */
  readonly mayAnswer: (response: ServerResponse) => boolean
}

interface Connection {
  readonly socket: Socket
  /** The network of its client. */
  readonly network: string
  /** Answers that the kernel does not have in full. */
  readonly unanswered: Set<ServerResponse>
  /** Its place in the order in which connections last began or ended something. */
  lastUsed: number
  /** Whether it is about to be closed, with nothing more read or answered. */
  isFlooded: boolean
  /** Requests beyond the limit, which Node made of the same read. */
  refused: number
}

/** The part of all connections that one network may have before its own make room. */
const SHARE = 0.25
/** Requests that one connection may have sent ahead. */
const MAX_UNANSWERED = 64
/** Bytes of responses that a client may leave unread while it asks for more. */
const MAX_UNREAD = 1_048_576
/**
 * Milliseconds until a flooded connection is closed, and between two such closings: a client that is cut off at once returns
 * with thousands more requests.
 */
const FLOODED_TIMEOUT = 2_000
const FLOODED_PAUSE = 150
/** Requests that flooded connections keep in memory until they are closed. A connection beyond the limit is closed at once. */
const MAX_HELD_REQUESTS = 32_000
/** Connections with too many requests that one network may have within a window of milliseconds. Then its new ones are not read. */
const MAX_FLOODS = 20
const FLOODS_WINDOW = 2_000
const MAX_FLOODING_NETWORKS = 1_000
/** Milliseconds without progress. Node waits twice where a client stops reading, because what the kernel took counts as progress. */
const SILENCE_TIMEOUT = 7_500
/** Milliseconds for the rest of an unread body, after the response. */
const LATE_BODY_TIMEOUT = 14_000

/**
 * Keeps a server within a number of connections: one too many replaces the one that has been unused for longest and does not
 * wait for a response. A network with more than its share replaces its own, and is the first to make room. Closes connections
 * whose clients stop reading, or send many requests without waiting for the responses: Node makes requests of everything that
 * one read brought, which can be thousands.
 */
export function limitConnections(
  server: Server,
  { max, onRefused, onFlooded, onEnd }: ConnectionsOptions,
): Connections {
  const connections = new Map<Socket, Connection>()
  const floods = new LRUCache<string, number>({
    max: MAX_FLOODING_NETWORKS,
    ttl: FLOODS_WINDOW,
    noUpdateTTL: true,
  })
  let uses = 0

  server.on('connection', (socket: Socket) => {
    const network = toNetwork(socket.remoteAddress ?? '')
    if (connections.size >= max) {
      const replaced = toReplaced([...connections.values()], network, SHARE * max)
      if (replaced === null) {
        onRefused()
        return socket.destroy()
      }
      connections.delete(replaced.socket)
      replaced.socket.destroy()
    }
    const connection: Connection = {
      socket,
      network,
      unanswered: new Set(),
      lastUsed: ++uses,
      isFlooded: false,
      refused: 0,
    }
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
    if ((floods.get(network) ?? 0) <= MAX_FLOODS) return
    connection.isFlooded = true
    onRefused()
    // Node begins to read before the next microtask.
    queueMicrotask(() => hold(socket, FLOODS_WINDOW))
  })

  server.setTimeout(SILENCE_TIMEOUT, (socket) => {
    const { unanswered } = connections.get(socket) ?? {}
    // The handler of a request limits the time of its body and of its work.
    if (!unanswered?.size || socket.writableLength > 0) socket.destroy()
  })

  const end = (connection: Connection, response: ServerResponse, since: number): void => {
    connection.lastUsed = ++uses
    connection.unanswered.delete(response)
    if (!response.req.complete) endLate(response.req)
    onEnd(response, performance.now() - since)
  }
  let held = 0
  let nextClosing = 0
  const closeFlooded = (connection: Connection): boolean => {
    const { socket, unanswered } = connection
    connection.isFlooded = true
    unanswered.clear()
    onFlooded()
    // Once Node is done with what came, or it would read on.
    queueMicrotask(() => {
      const { refused } = connection
      if (socket.destroyed || held + refused > MAX_HELD_REQUESTS) return socket.destroy()
      held += refused
      socket.once('close', () => {
        held -= refused
      })
      const now = performance.now()
      nextClosing = Math.max(now + FLOODED_TIMEOUT, nextClosing + FLOODED_PAUSE)
      return hold(socket, nextClosing - now)
    })
    return false
  }
  return {
    admit: (response) => {
      const connection = connections.get(response.req.socket)
      if (connection === undefined) return false
      const { unanswered, isFlooded } = connection
      if (isFlooded) {
        connection.refused++
        return false
      }
      if (unanswered.size === MAX_UNANSWERED) {
        const { network } = connection
        floods.set(network, (floods.get(network) ?? 0) + 1)
        return closeFlooded(connection)
      }
      connection.lastUsed = ++uses
      unanswered.add(response)
      const since = performance.now()
      response.on('close', () => end(connection, response, since))
      return true
    },
    mayAnswer: ({ req: { socket } }) => {
      const connection = connections.get(socket)
      if (connection === undefined || connection.isFlooded) return false
      const { unanswered } = connection
      return unanswered.size === 1 || bytesIn(unanswered) <= MAX_UNREAD || closeFlooded(connection)
    },
  }
}

/** Reads nothing more from a connection, and closes it after some milliseconds. */
function hold(socket: Socket, ms: number): void {
  socket.pause()
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
}

/** The connection that makes room for one of a network; null for none. Only a connection too many costs this pass over all. */
function toReplaced(connections: readonly Connection[], network: string, share: number): Connection | null {
  const networks = [...groupBy(connections, (each) => each.network)]
  const crowds = networks.filter(([, own]) => own.length > share).sort(([, a], [, b]) => b.length - a.length)
  const own = crowds.filter(([name]) => name === network)
  for (const [, crowd] of [...own, ...crowds, ['', connections] as const]) {
    const found = longestUnused(crowd)
    if (found !== null) return found
  }
  return null
}

function longestUnused(connections: Iterable<Connection>): Connection | null {
  let found: Connection | null = null
  for (const each of connections) {
    const isOlder = found === null || each.lastUsed < found.lastUsed
    if (isOlder && !isWaitingForUs(each)) found = each
  }
  return found
}

/** Whether a request has come in full and has no answer yet. */
function isWaitingForUs({ unanswered }: Connection): boolean {
  return [...unanswered].some(({ req, writableEnded }) => req.complete && !writableEnded)
}

/** Bytes of responses that wait for their client to read. */
function bytesIn(answers: ReadonlySet<ServerResponse>): number {
  let bytes = 0
  for (const { writableLength } of answers) bytes += writableLength
  return bytes
}

/** Ends the connection of a client that goes on sending the body of a request that was answered. */
function endLate(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), LATE_BODY_TIMEOUT).unref()
  request.once('close', () => clearTimeout(timer))
}
