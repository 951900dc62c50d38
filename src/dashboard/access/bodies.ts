import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBodyBudget, type Room } from '../../web/body-budget.js'
import { toNetwork } from '../../web/network.js'
import { createUnfinished } from '../../web/unfinished.js'
import type { Operator } from './operator.js'

/** How much may be sent to the dashboard at once, by whom. */
export interface Bodies {
  readonly of: (operator: Operator, response: ServerResponse) => Room
  /** Of anyone who has not signed in. */
  readonly ofStranger: (request: IncomingMessage, response: ServerResponse) => Room
}

/** Bytes of all operators. Each gets at most half, so no one keeps the others from saving. */
const OF_OPERATORS = 32 * 1_048_576
/** Bytes of everyone who signs in, and of one network. */
const OF_STRANGERS = 2 * 1_048_576
const OF_NETWORK = 262_144
/** Bodies that are awaited from one network. */
const UNFINISHED = 16

/** `largest` is how many bytes the largest body may have. */
export function createBodies(addressOf: (request: IncomingMessage) => string, largest: number): Bodies {
  // A form is longer than what it carries.
  const share = Math.max(OF_OPERATORS / 2, largest + OF_NETWORK)
  const operators = createBodyBudget(2 * share, share)
  const strangers = createBodyBudget(OF_STRANGERS, OF_NETWORK)
  const unfinished = createUnfinished(UNFINISHED)
  return {
    of: ({ id }, response) => operators.roomFor(id, response),
    ofStranger: (request, response) => {
      const network = toNetwork(addressOf(request))
      unfinished(network, request)
      return strangers.roomFor(network, response)
    },
  }
}
