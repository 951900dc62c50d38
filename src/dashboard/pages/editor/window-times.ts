import type { JsonMap } from '../../../model/json.js'
import { parseTime } from '../../../model/window.js'
import type { Texts } from '../../texts/language.js'

/** When an item is visible, as its row says it: `from 1 Dec 2026`; empty where it has no time window. */
export function describeTimes({ visibleFrom, visibleUntil }: JsonMap, { lang, editor, fill }: Texts): string {
  const parts = [
    typeof visibleFrom === 'string' ? fill(editor.from, { time: toShortTime(visibleFrom, lang) }) : '',
    typeof visibleUntil === 'string' ? fill(editor.until, { time: toShortTime(visibleUntil, lang) }) : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** The date of a time, and its hour unless it is midnight, where its offset is in use; as written where it is none. */
export function toShortTime(text: string, lang: string): string {
  if (parseTime(text) === null) return text
  const local = new Date(`${text.slice(0, 19)}Z`)
  const isMidnight = text.slice(11, 19) === '00:00:00'
  const hour = isMidnight ? {} : ({ hour: '2-digit', minute: '2-digit' } as const)
  const locale = lang === 'en' ? 'en-GB' : lang
  return local.toLocaleString(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...hour,
    timeZone: 'UTC',
  })
}
