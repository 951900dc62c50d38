import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, up to a maximum. */
export interface Connections {
  /** A request has come whole over a connection. */
  readonly begin: (socket: Socket, response: ServerResponse) => void
  /** Its answer is written, or its client is gone. */
  readonly end: (socket: Socket, response: ServerResponse) => void
}

/**
 * Keeps a server within a number of connections. One too many takes the place of the one that has been silent for
 * longest, so that clients who hold connections open and say nothing shut nobody out; only when all of them wait for
 * an answer is the new one refused.
 */
export function createConnections(server: Server, max: number, onRefused: () => void): Connections {
  // In the order of when they last began or ended something.
  const silent = new Set<Socket>()
  const busy = new Map<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    if (silent.size + busy.size >= max) {
      const oldest = silent.values().next().value ?? firstSlow(busy)
      if (oldest === undefined) {
        onRefused()
        socket.destroy()
        return
      }
      silent.delete(oldest)
      busy.delete(oldest)
      oldest.destroy()
    }
    silent.add(socket)
    socket.once('close', () => {
      silent.delete(socket)
      busy.delete(socket)
    })
  })
  return {
    begin: (socket, response) => {
      silent.delete(socket)
      busy.set(socket, (busy.get(socket) ?? new Set()).add(response))
    },
    end: (socket, response) => {
      const responses = busy.get(socket)
      // A connection that is gone has been taken out already.
      if (responses === undefined) return
      responses.delete(response)
      if (responses.size > 0) return
      busy.delete(socket)
      if (!socket.destroyed) silent.add(socket)
    },
  }
}

/** The first connection that waits for nothing but its reader. */
function firstSlow(busy: ReadonlyMap<Socket, ReadonlySet<ServerResponse>>): Socket | undefined {
  for (const [socket, responses] of busy) {
    if ([...responses].every((response) => response.writableEnded)) return socket
  }
  return undefined
}
