import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, at most so many. */
export interface Connections {
  /** A request has come whole over a connection. */
  readonly begin: (socket: Socket) => void
  /** Its answer is written, or nobody waits for it any more. */
  readonly end: (socket: Socket) => void
}

/**
 * Keeps a server within a number of connections. One too many takes the place of the one that has been silent for
 * longest, so that clients who hold connections open and say nothing shut nobody out; only when all of them wait for
 * an answer is the new one refused.
 */
export function createConnections(server: Server, max: number, onRefused: () => void): Connections {
  // In the order of when they last began or ended something.
  const silent = new Set<Socket>()
  const busy = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    if (silent.size + busy.size >= max) {
      const [oldest] = silent
      if (oldest === undefined) {
        onRefused()
        socket.destroy()
        return
      }
      silent.delete(oldest)
      oldest.destroy()
    }
    silent.add(socket)
    socket.once('close', () => {
      silent.delete(socket)
      busy.delete(socket)
    })
  })
  return {
    begin: (socket) => {
      silent.delete(socket)
      busy.set(socket, (busy.get(socket) ?? 0) + 1)
    },
    end: (socket) => {
      const left = (busy.get(socket) ?? 0) - 1
      if (left > 0) {
        busy.set(socket, left)
        return
      }
      // A connection that is gone has been taken out already.
      if (busy.delete(socket) && !socket.destroyed) silent.add(socket)
    },
  }
}
