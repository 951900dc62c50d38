import type { IncomingMessage } from 'node:http'

/** Counts a request until its body has come whole. One too many of a client ends the oldest of them. */
export type Unfinished = (client: string, request: IncomingMessage) => void

/**
 * Bounds the bodies that are awaited from one client. The oldest gives way, because a body that is sent at once is whole a
 * moment later: a client with unfinished bodies locks no one out, even behind the same address.
 */
export function createUnfinished(most: number): Unfinished {
  const awaited = new Map<string, Set<IncomingMessage>>()
  return (client, request) => {
    if (request.complete || request.destroyed) return
    const own = awaited.get(client) ?? new Set()
    const forget = (): void => {
      own.delete(request)
      if (own.size === 0 && awaited.get(client) === own) awaited.delete(client)
    }
    awaited.set(client, own.add(request))
    request.once('end', forget).once('close', forget)
    if (own.size <= most) return
    const [oldest = request] = own
    own.delete(oldest)
    oldest.destroy()
  }
}
