import { failed } from '../../model/result.js'
import { contentHash } from '../../store/hash.js'
import { isRead } from '../access/same-origin.js'
import { type Answered, type Call, readKey } from './call.js'
import { problemOf } from './faults.js'

/** Answers a call, once for each Idempotency-Key of an operator: the same request sent again gets the same answer. */
export type Repeats = (call: Call, answer: () => Promise<Answered>) => Promise<Answered>

/** Answers that are remembered, the last ones: each may hold a menu. After a restart, versions keep a repeat from doing harm. */
const MAX_KNOWN = 100

export function createRepeats(): Repeats {
  const known = new Map<string, { readonly asked: string; readonly answered: Promise<Answered> }>()
  return async (call, answer) => {
    const { request, operator, body, isDry } = call
    const { value: key, fault } = readKey(request)
    if (fault !== null) return failed(fault)
    if (key === null || isRead(request) || isDry) return answer()
    const name = JSON.stringify([operator.id, key])
    const { method, url, headers } = request
    const asked = contentHash(JSON.stringify([method, url, headers['if-match'] ?? null, body]))
    const before = known.get(name)
    if (before !== undefined) return before.asked === asked ? before.answered : failed(REUSED)
    const answered = answer()
    known.set(name, { asked, answered })
    for (const [oldest] of known) if (known.size > MAX_KNOWN) known.delete(oldest)
    // What failed may be tried again.
    const forget = (): void => void known.delete(name)
    answered.then(({ fault: why }) => why !== null && forget(), forget)
    return answered
  }
}

const REUSED = problemOf('bad-key', {}, 'Another request had this Idempotency-Key.')
