import { LRUCache } from 'lru-cache'
import { contentHash } from '../store/hash.js'
import { Refusal } from './refusal.js'
import { type Call, type Reply, readKey } from './routes/call.js'

/** The latest operators, and the last responses of each. After a restart, versions keep a repeat from doing harm. */
const OPERATORS = 50
const ANSWERS = 100
/** Characters of JSON of all responses of an operator; each may hold a menu. The last one may be as long as it is. */
const CHARACTERS = 1_048_576

interface Remembered {
  readonly sent: string
  readonly answered: Promise<Reply>
}

/** Answers a call, once for each Idempotency-Key of an operator: the same request sent again gets the same response. */
export function createRepeats(): (call: Call, answer: () => Promise<Reply>) => Promise<Reply> {
  const operators = new LRUCache<string, LRUCache<string, Remembered>>({ max: OPERATORS })
  return async ({ request, operator, body, isDry }, answer) => {
    const key = readKey(request)
    if (key === null || isDry) return answer()
    const answers = operators.get(operator.id) ?? new LRUCache({ max: ANSWERS, maxSize: CHARACTERS })
    operators.set(operator.id, answers)
    const { method, url, headers } = request
    const sent = contentHash(JSON.stringify([method, url, headers['if-match'] ?? null, body]))
    const before = answers.get(key)
    if (before !== undefined && before.sent !== sent) throw new Refusal('key-reused')
    if (before !== undefined) return before.answered
    const own = { sent, answered: answer().then(asText) }
    answers.set(key, own, { size: 1 })
    try {
      const { json = '' } = await own.answered
      // A copy: the size of the same value would stay.
      answers.set(key, { ...own }, { size: Math.min(1 + json.length, CHARACTERS) })
    } catch {
      // What failed may be tried again.
      if (answers.peek(key) === own) answers.delete(key)
    }
    return own.answered
  }
}

/** The same response without the values that it is made of. */
function asText(reply: Reply): Reply {
  if (reply.value === undefined) return reply
  const { value, ...rest } = reply
  return { ...rest, json: JSON.stringify(value) }
}
