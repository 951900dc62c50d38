import type { Log, LogFields } from '../service/log.js'

/** Tells the log once of what would come again with every page. */
export interface Notices {
  readonly warn: Notice
  readonly error: Notice
}

/** Tells an event unless it was told with this key before. */
export type Notice = (event: string, key: string, fields: LogFields) => void

/** Codes may come from visitors: so many notices are told apart, of keys of this length. */
const MAX_NOTICES = 1_000
const MAX_KEY = 200

/** Notices that are told once per event and key; beyond the first thousand, nothing is told any more. */
export function createNotices(log: Log): Notices {
  const told = new Set<string>()
  const once =
    (tell: Log['warn']): Notice =>
    (event, key, fields) => {
      const name = `${event} ${key}`.slice(0, MAX_KEY)
      if (told.has(name) || told.size >= MAX_NOTICES) return
      told.add(name)
      tell(event, shorten(fields))
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
