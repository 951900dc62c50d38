import { toNearest } from '../document/did-you-mean.js'
import { type ContextKey, fromContextKey } from '../model/context.js'
import { derived } from '../model/derived.js'
import { createNearContexts, type NearContexts } from '../model/near-contexts.js'
import type { ServedMenu } from '../model/select.js'
import type { Snapshot } from '../model/snapshot.js'
import type { Level, Log, LogFields } from './log.js'

/** Visitors choose what is logged: at most this many different keys are known, and at most this much of each. */
const MAX_KEYS = 1_000
const MAX_LENGTH = 300

/** Answers whether a key comes for the first time, for what would be logged with every request. Beyond the first thousand, none does. */
export function createOnce(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const short = key.slice(0, MAX_LENGTH)
    if (known.size >= MAX_KEYS || known.has(short)) return false
    known.add(short)
    return true
  }
}

/**
 * Logs an event unless it came before with this key. Only then are its fields made, which may take a search; null where
 * there is nothing to log.
 */
export type Notice = (level: Level, event: string, key: string, fields: () => LogFields | null) => void

/** Notices that are logged once per event and key; at most a thousand keys per event. */
export function createNotices(log: Log): Notice {
  const known = new Map<string, (key: string) => boolean>()
  return (level, event, key, toFields) => {
    const isFirst = known.get(event) ?? createOnce()
    known.set(event, isFirst)
    const fields = isFirst(key) ? toFields() : null
    if (fields === null) return
    const short = (value: unknown): unknown =>
      typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value
    log[level](event, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, short(value)])))
  }
}

/**
 * Logs context sets that no menu of a code answers to, and that are nearly those of one, such as `partner: "3"` where there is
 * `partner: 3`: the response is empty, by contract, and no one would know why. Each of the first thousand is checked once.
 */
export function createNearMisses(
  log: Log,
): (snapshot: Snapshot, code: string, candidates: readonly ContextKey[]) => void {
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

/** Milliseconds between two lines. */
const EVERY = 60_000
/** Visitors choose codes: at most this many of the latest are logged beside the last one, and at most this much of each. */
const MAX_OTHERS = 10
const MAX_TOLD = 100

/**
 * Logs codes that no menu has, with the nearest of those `known`, at most one line a minute: the first at once, then what came
 * since the last line. `now` is in milliseconds.
 */
export function createUnknownCodes(
  log: Log,
  now: () => number = () => performance.now(),
): (code: string, known: Iterable<string>) => void {
  let next = Number.NEGATIVE_INFINITY
  let requests = 0
  // A set keeps the order in which its members came: the first is the oldest.
  let latest = new Set<string>()
  return (asked, known) => {
    const code = asked.slice(0, MAX_TOLD)
    requests++
    latest.delete(code)
    if (now() < next) {
      latest.add(code)
      if (latest.size > MAX_OTHERS) latest.delete([...latest][0] ?? '')
      return
    }
    const others = [...latest].reverse()
    const suggestion = toNearest(code, known)
    log.info('menu_unknown', { code, suggestion, requests, ...(others.length > 0 && { others }) })
    next = now() + EVERY
    requests = 0
    latest = new Set()
  }
}
