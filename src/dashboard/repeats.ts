import { contentHash } from '../store/hash.js'
import { isRead } from './access/same-origin.js'
import { Refusal } from './refusal.js'
import { type Call, type Reply, readKey } from './routes/call.js'

/** Answers a call, once for each Idempotency-Key of an operator: the same request sent again gets the same answer. */
export type Repeats = (call: Call, answer: () => Promise<Reply>) => Promise<Reply>

/** How many answers are remembered, and how many characters of JSON: each may hold a menu. */
interface Most {
  readonly answers: number
  readonly characters: number
}

/** The last ones of an operator, and of all. After a restart, versions keep a repeat from doing harm. */
const OF_OPERATOR: Most = { answers: 100, characters: 4 * 1_048_576 }
const OF_ALL: Most = { answers: 1_000, characters: 16 * 1_048_576 }

interface Remembered {
  readonly operator: string
  readonly sent: string
  readonly answered: Promise<Reply>
  /** Of the answer; 0 while there is none. */
  characters: number
}

export function createRepeats(): Repeats {
  const remembered = new Map<string, Remembered>()
  /** Forgets the oldest of some until the rest is within the limits. The newest is never forgotten. */
  const keepLast = (entries: readonly (readonly [string, Remembered])[], most: Most): void => {
    let left = entries.length
    let characters = entries.reduce((sum, [, each]) => sum + each.characters, 0)
    for (const [name, each] of entries.slice(0, -1)) {
      if (left <= most.answers && characters <= most.characters) return
      remembered.delete(name)
      left--
      characters -= each.characters
    }
  }
  return async (call, answer) => {
    const { request, operator, body, isDry } = call
    const key = readKey(request)
    if (key === null || isRead(request) || isDry) return answer()
    const name = JSON.stringify([operator.id, key])
    const { method, url, headers } = request
    const sent = contentHash(JSON.stringify([method, url, headers['if-match'] ?? null, body]))
    const before = remembered.get(name)
    if (before !== undefined && before.sent !== sent) throw new Refusal('key-reused')
    if (before !== undefined) return before.answered
    const answered = answer().then(asText)
    const own: Remembered = { operator: operator.id, sent, answered, characters: 0 }
    remembered.set(name, own)
    const reply = await answered.catch(() => null)
    // What failed may be tried again.
    if (reply !== null) own.characters = reply.json?.length ?? 0
    else if (remembered.get(name) === own) remembered.delete(name)
    keepLast(
      [...remembered].filter(([, each]) => each.operator === operator.id),
      OF_OPERATOR,
    )
    keepLast([...remembered], OF_ALL)
    return answered
  }
}

/** The same answer without the values that it is made of. */
function asText(reply: Reply): Reply {
  if (reply.value === undefined) return reply
  const { value, ...rest } = reply
  return { ...rest, json: JSON.stringify(value) }
}
