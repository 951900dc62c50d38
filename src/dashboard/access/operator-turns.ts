import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { nextTurn } from '../../store/pause.js'
import { createTurns, type Turns } from '../../store/turns.js'
import { OVERLOADED } from '../../web/problem-json.js'
import { Refusal } from '../refusal.js'
import type { Operator } from './operator.js'

/**
 * Serves a few requests of each operator at a time, so that no one keeps the others waiting. A request holds its
 * turn until the client has the response, or does not take it. If too many wait, it is refused; if the client left while
 * it waited, nothing is done.
 */
export type OperatorTurns = (
  operator: Pick<Operator, 'id'>,
  response: ServerResponse,
  work: () => Promise<void>,
) => Promise<void>

const AT_ONCE = 4
/** Requests of an operator in progress or waiting. */
const MOST = 200
/** Milliseconds that a client has to take a response before the next request gets its turn. */
const PATIENCE_MS = 5_000
const TOO_MANY = 'Too many of your requests are waiting. Try again in a second.'

export function createOperatorTurns(): OperatorTurns {
  const all = new Map<string, { readonly inTurn: Turns; count: number }>()
  return async ({ id }, response, work) => {
    const own = all.get(id) ?? { inTurn: createTurns(AT_ONCE), count: 0 }
    if (own.count >= MOST) throw new Refusal({ ...OVERLOADED, detail: TOO_MANY })
    all.set(id, own)
    own.count++
    try {
      await own.inTurn(async () => {
        await nextTurn()
        if (response.destroyed) return
        await work()
        await untilTaken(response)
      })
    } finally {
      own.count--
      if (own.count === 0) all.delete(id)
    }
  }
}

/** Waits for the client of a response; not of one that goes on, such as events. */
async function untilTaken(response: ServerResponse): Promise<void> {
  if (!response.writableEnded || response.writableFinished || response.destroyed) return
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), PATIENCE_MS).unref()
  await once(response, 'close', waiting).catch(() => {})
  clearTimeout(timer)
}
