import type { Log, LogFields } from '../service/log.js'
import { createOnce, type Once } from '../service/once.js'

/** Logs an event unless it was logged with this key before; only then are its fields computed, which may take a search. */
export type Notice = (event: string, key: string, fields: () => LogFields) => void

/** Logs once what would come again with every page. */
export interface Notices {
  readonly warn: Notice
  readonly error: Notice
}

const MAX_LENGTH = 300

/** Notices that are logged once per event and key; beyond the first thousand keys of an event, no more of it are. */
export function createNotices(log: Log): Notices {
  const known = new Map<string, Once>()
  const noticeBy =
    (level: keyof Notices): Notice =>
    (event, key, fields) => {
      const isFirst = known.get(event) ?? createOnce()
      known.set(event, isFirst)
      if (isFirst(key)) log[level](event, shorten(fields()))
    }
  return { warn: noticeBy('warn'), error: noticeBy('error') }
}

function shorten(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value,
  ])
  return Object.fromEntries(entries)
}
