import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** The requests under way on each connection, of which only a few are taken before the first of them are answered. */
export interface Pipelines {
  /** A request has come over its connection. */
  readonly begin: (request: IncomingMessage) => void
  /** It is answered. */
  readonly end: (request: IncomingMessage) => void
}

/** Unanswered requests of one connection. Clients that send several ahead (RFC 9112, section 9.3.2) send a few. */
const MAX_OPEN = 8
const END_OF_HEAD = '\r\n\r\n'
/** Bytes; a body of nothing but ends of heads is not taken four bytes at a time. */
const MIN_STEP = 128

interface Pipeline {
  open: number
  last: IncomingMessage | null
  /** Whether what came is kept back until a request is answered. */
  isHeld: boolean
}

/**
 * Bounds the requests that a server has to answer at once: MAX_OPEN on each connection, and one on each where there
 * are `maxOpen` in all. What comes behind them waits unread, in the kernel or at the client.
 *
 * Node would make requests of all that has come, thousands in one read, before anything else gets a turn, and would
 * read on for as long as nothing is answered. To refuse them costs as much as to answer, and to close the connection
 * brings the client back with the next thousands.
 */
export function createPipelines(server: Server, maxOpen: number): Pipelines {
  const pipelines = new WeakMap<Socket, Pipeline>()
  let openInAll = 0

  server.on('connection', (socket: Socket) => {
    const parse = takeListener(socket, 'data')
    const finish = takeListener(socket, 'end')
    const pipeline: Pipeline = { open: 0, last: null, isHeld: false }
    pipelines.set(socket, pipeline)
    const mayTake = (): boolean => {
      // Node has paused it where answers wait for their reader, and what waits for the rest of a body must get it.
      if (socket.destroyed || socket.isPaused()) return false
      const isBetween = pipeline.last === null || pipeline.last.complete
      return !isBetween || pipeline.open < (openInAll < maxOpen ? MAX_OPEN : 1)
    }
    const take = (chunk: Buffer): void => {
      pipeline.isHeld = false
      let at = 0
      while (at < chunk.length && mayTake()) {
        // To the end of a head, which is one request, or a few that are tiny; inside a body it does no harm.
        const end = chunk.indexOf(END_OF_HEAD, at + MIN_STEP)
        const next = end === -1 ? chunk.length : end + END_OF_HEAD.length
        parse(chunk.subarray(at, next))
        at = next
      }
      if (at === chunk.length || socket.destroyed) return
      pipeline.isHeld = !socket.isPaused()
      socket.pause().unshift(chunk.subarray(at))
    }
    socket.on('data', take)
    // Node ends the connection for a client that sends no more: after what is answered at once has been written.
    socket.on('end', () => setImmediate(() => !socket.destroyed && finish()))
    socket.once('close', () => {
      pipelines.delete(socket)
      openInAll -= pipeline.open
    })
  })

  const release = (socket: Socket): void => {
    const pipeline = pipelines.get(socket)
    // A connection that is gone has been taken off already.
    if (pipeline === undefined) return
    pipeline.open--
    openInAll--
    if (pipeline.open === 0 && pipeline.last?.complete) pipeline.last = null
    if (!pipeline.isHeld) return
    pipeline.isHeld = false
    socket.resume()
  }
  return {
    begin: (request) => {
      const pipeline = pipelines.get(request.socket)
      if (pipeline === undefined) return
      pipeline.open++
      openInAll++
      pipeline.last = request
    },
    end: ({ socket }) => {
      // What waits for this goes on in the next turn of the event loop, so that the others get theirs.
      if (pipelines.get(socket)?.isHeld) setImmediate(release, socket)
      else release(socket)
    },
  }
}

/** Takes away how Node itself listens to a connection, which it does last, and gives it to be called. */
function takeListener(socket: Socket, event: string): (...values: unknown[]) => void {
  const listener = socket.listeners(event).at(-1) as (...values: unknown[]) => void
  socket.removeListener(event, listener)
  return listener
}
