import { LRUCache } from 'lru-cache'
import type { Audit, AuditRecord } from './audit.js'

/** Records something under a key. */
export type Tally = (key: string, record: AuditRecord) => void

/** Milliseconds for which what is repeated goes into one record. */
const WINDOW_MS = 60_000
/** Keys that are counted, the latest ones. */
const MAX_KEYS = 1_000

/**
 * Records what can be repeated without end, such as wrong passwords, so that it pushes nothing else out of the audit log:
 * the first of a key at once; those of the next minute as one record, the last of them with their `count`.
 */
export function createTally(audit: Audit, windowMs: number = WINDOW_MS): Tally {
  interface Open {
    count: number
    last: AuditRecord
  }
  const open = new LRUCache<string, Open>({ max: MAX_KEYS })
  const end = (key: string, each: Open): void => {
    if (open.peek(key) !== each) return
    open.delete(key)
    if (each.count === 0) return
    audit.record({ ...each.last, count: each.count })
    begin(key, each.last)
  }
  const begin = (key: string, last: AuditRecord): void => {
    const each = { count: 0, last }
    open.set(key, each)
    setTimeout(end, windowMs, key, each).unref()
  }
  return (key, record) => {
    const known = open.get(key)
    if (known !== undefined) {
      known.count++
      known.last = record
      return
    }
    audit.record(record)
    begin(key, record)
  }
}
