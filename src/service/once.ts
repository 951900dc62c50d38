import type { Level, Log, LogFields } from './log.js'

/** Visitors choose what is logged: at most this many different keys are known, and at most this much of each. */
const MAX_KEYS = 1_000
const MAX_LENGTH = 300

/** Whether a key comes for the first time. Beyond the first thousand, none does. */
export type Once = (key: string) => boolean

/** For what would be logged again with every request. */
export function createOnce(): Once {
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

/** Notices that are logged once per event and key; beyond the first thousand keys of an event, no more of it are. */
export function createNotices(log: Log): Notice {
  const known = new Map<string, Once>()
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
