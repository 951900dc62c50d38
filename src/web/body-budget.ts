import type { ServerResponse } from 'node:http'
import { type HttpProblem, OVERLOADED } from './problem-json.js'

/** Why a part of a body cannot be kept; null when it can. */
export type Room = (bytes: number) => HttpProblem | null

/** How many bytes of bodies are in memory at once: each from its arrival to the end of the response. */
export interface BodyBudget {
  /** The room for the body of one request; `client` identifies its sender. */
  readonly roomFor: (client: string, response: ServerResponse) => Room
}

/** What is beyond `total` bytes, or beyond `share` bytes of one client, is refused with 503. */
export function createBodyBudget(total: number, share: number): BodyBudget {
  const held = new Map<string, number>()
  let all = 0
  const add = (client: string, bytes: number): void => {
    all += bytes
    const own = (held.get(client) ?? 0) + bytes
    if (own === 0) held.delete(client)
    else held.set(client, own)
  }
  return {
    roomFor: (client, response) => {
      let taken = 0
      response.once('close', () => add(client, -taken))
      return (bytes) => {
        const isFull = all + bytes > total || (held.get(client) ?? 0) + bytes > share
        // One that is closed gives nothing back any more.
        if (isFull || response.destroyed) return FULL
        taken += bytes
        add(client, bytes)
        return null
      }
    },
  }
}

/** The rest of the body is not read: the connection ends with the response. */
const FULL: HttpProblem = {
  ...OVERLOADED,
  detail: 'Too many large requests are in progress. Try again in a second.',
  headers: { ...OVERLOADED.headers, connection: 'close' },
}
