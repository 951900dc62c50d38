import type { Log, LogFields } from '../service/log.js'

/** Tells an event unless it was told with this key before; only then are its fields asked for, which may take a search. */
export type Notice = (event: string, key: string, fields: () => LogFields) => void

/** Tells the log once of what would come again with every page. */
export interface Notices {
  readonly warn: Notice
  readonly error: Notice
}

/** Keys may come from visitors: so many of each event are told, of keys of this length. */
const MAX_NOTICES = 1_000
const MAX_KEY = 300

/** Notices that are told once per event and key; beyond the first thousand of an event, no more of it are told. */
export function createNotices(log: Log): Notices {
  const told = new Map<string, Set<string>>()
  const once =
    (tell: Log['warn']): Notice =>
    (event, key, fields) => {
      const keys = told.get(event) ?? new Set()
      const short = key.slice(0, MAX_KEY)
      if (keys.has(short) || keys.size >= MAX_NOTICES) return
      told.set(event, keys.add(short))
      tell(event, shorten(fields()))
    }
  return { warn: once(log.warn), error: once(log.error) }
}

function shorten(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, MAX_KEY) : value,
  ])
  return Object.fromEntries(entries)
}
