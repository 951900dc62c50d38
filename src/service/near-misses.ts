import { type ContextKey, fromContextKey } from '../model/context.js'
import { derived } from '../model/derived.js'
import { createNearContexts, type NearContexts } from '../model/near-contexts.js'
import type { ServedMenu } from '../model/select.js'
import type { Snapshot } from '../model/snapshot.js'
import type { Log } from './log.js'
import { createNotices } from './once.js'

/** Notes context sets that no menu of the code answers to. */
export type NearMisses = (snapshot: Snapshot, code: string, candidates: readonly ContextKey[]) => void

/**
 * Logs contexts that are nearly those of a menu, such as `partner: "3"` where there is `partner: 3`: their answer is empty, by
 * contract, and nobody would know why. Each is looked into once, and after the first thousand none is.
 */
export function createNearMisses(log: Log): NearMisses {
  const notice = createNotices(log)
  const contextsOf = derived((variants: ReadonlyMap<ContextKey, ServedMenu>): NearContexts => {
    const contexts = createNearContexts()
    for (const each of variants.values()) contexts.add(each)
    return contexts
  })
  return ({ index }, code, candidates) => {
    const variants = index.get(code)
    if (variants === undefined || candidates.length === 0) return
    notice('debug', 'context_nearly_matches', JSON.stringify([code, candidates]), () => {
      for (const candidate of candidates) {
        const near = contextsOf(variants).find(code, fromContextKey(candidate))
        if (near !== null) return { code, what: near.what, path: near.other.path }
      }
      return null
    })
  }
}
