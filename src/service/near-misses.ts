import { type ContextKey, fromContextKey } from '../model/context.js'
import { toNearContext } from '../model/near-contexts.js'
import type { Snapshot } from '../model/snapshot.js'
import type { Log } from './log.js'

/** Visitors choose contexts: at most this many requests without an answer are looked into, and at most this much of each is logged. */
const MAX_LOOKS = 1_000
const MAX_TOLD = 300
/** Comparisons of a candidate with a menu for one request, beyond the first candidate; each takes about 60 ns. */
const MAX_COMPARISONS = 10_000

/** Takes note of context sets that no menu of the code answers to. */
export type NearMisses = (snapshot: Snapshot, code: string, candidates: readonly ContextKey[]) => void

/**
 * Logs contexts that are nearly those of a menu, such as `partner: "3"` where there is `partner: 3`: their answer is empty, by
 * contract, and nobody would know why. Each is looked into once, and after the first thousand none is.
 */
export function createNearMisses(log: Log): NearMisses {
  const seen = new Set<string>()
  return ({ index }, code, candidates) => {
    const variants = index.get(code)
    if (variants === undefined || candidates.length === 0 || seen.size >= MAX_LOOKS) return
    const key = JSON.stringify([code, candidates]).slice(0, MAX_TOLD)
    if (seen.has(key)) return
    seen.add(key)
    for (const candidate of candidates.slice(0, Math.ceil(MAX_COMPARISONS / variants.size))) {
      const near = toNearContext(code, fromContextKey(candidate), variants.values())
      if (near === null) continue
      log.debug('context_nearly_matches', { code, what: near.what.slice(0, MAX_TOLD), path: near.other.path })
      return
    }
  }
}
