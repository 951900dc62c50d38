import { type ContextKey, NO_CONTEXT } from '../model/context.js'
import type { Limits } from '../model/limits.js'

/** A key with its value as `JSON.stringify` writes nearly all: no escapes, no blanks, whole numbers of up to 15 digits. */
const PAIR =
  /"[^"\\\p{Cc}\ud800-\udfff]*":(?:"[^"\\\p{Cc}\ud800-\udfff]*"|0|-?[1-9]\d{0,14}|true|false|null)/uy

/**
 * The candidates of context sets as clients write them; null for any other text, which is for `JSON.parse` to read or to
 * refuse. What is between the braces of such a context is its key already, unless its keys are in another order.
 */
export function readPlainSets(text: string, limits: Limits): readonly ContextKey[] | null {
  const candidates: ContextKey[] = []
  if (text[0] !== '[') return null
  let at = 0
  do {
    if (text[++at] !== '{' || candidates.length === limits.context_sets) return null
    if (text[at + 1] === '}') {
      candidates.push(NO_CONTEXT)
      at += 2
      continue
    }
    const start = at + 1
    const pairs: string[] = []
    do {
      PAIR.lastIndex = at + 1
      if (!PAIR.test(text) || pairs.length === limits.context_keys) return null
      pairs.push(text.slice(at + 1, PAIR.lastIndex))
      at = PAIR.lastIndex
      if (text[at] !== ',' && text[at] !== '}') return null
    } while (text[at] === ',')
    if (isAscending(pairs)) candidates.push(text.slice(start, at))
    else if (isAscending(pairs.sort(comparePairs))) candidates.push(pairs.join())
    else return null
    at++
  } while (text[at] === ',')
  return text[at] === ']' && at === text.length - 1 ? candidates : null
}

/** Whether the keys are in their order, each once. */
function isAscending(pairs: readonly string[]): boolean {
  return pairs.every((pair, place) => place === 0 || comparePairs(pairs[place - 1] ?? '', pair) < 0)
}

function comparePairs(one: string, other: string): number {
  const [a, b] = [keyOf(one), keyOf(other)]
  return a < b ? -1 : Number(a > b)
}

function keyOf(pair: string): string {
  return pair.slice(1, pair.indexOf('":'))
}
