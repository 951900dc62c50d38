import type { RawMap } from '../../model/json.js'
import { isEmptyWindow, parseTime } from '../../model/window.js'
import { type Issue, quote } from '../issue.js'

const KEYS = ['visibleFrom', 'visibleUntil'] as const
const DATE = /^\d{4}-\d\d-\d\d$/
const LOCAL = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d)?$/
/** What the text of a time begins with, whatever the day and the hour. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** What is wrong with the window of a menu or an item: its times, their order, and at `now` that it is over. */
export function windowIssues(map: RawMap, now: number | null): Issue[] {
  const wrong = KEYS.flatMap((key): Issue[] => {
    const text = map[key]
    return typeof text !== 'string' || parseTime(text) !== null ? [] : [timeIssue(key, text)]
  })
  if (wrong.length > 0) return wrong
  const pointer = ['visibleUntil']
  if (isEmptyWindow(map)) {
    const what = `The end is not after the start, ${String(map['visibleFrom'])}.`
    return [{ code: 'window-empty', pointer, what }]
  }
  const { visibleUntil: until } = map
  if (now === null || typeof until !== 'string' || Date.parse(until) > now) return []
  return [{ code: 'window-past', pointer, what: `The window ended at ${until}.` }]
}

function timeIssue(key: string, text: string): Issue {
  const issue = { code: 'bad-value', pointer: [key] } as const
  if (DATE.test(text)) {
    const todo = `Write the time and the offset, too, such as ${text}T00:00:00Z or ${text}T00:00:00+01:00.`
    return { ...issue, what: `${quote(text)} is a day, not a time.`, todo }
  }
  if (LOCAL.test(text)) {
    const whole = `${text.slice(0, 10)}T${text.slice(11)}${text.length === 16 ? ':00' : ''}`
    const todo = `Write the offset of your time zone behind it, such as ${whole}Z or ${whole}+01:00.`
    return { ...issue, what: `${quote(text)} has no offset from UTC.`, todo }
  }
  if (WITH_OFFSET.test(text)) {
    const todo = 'Write a day that the month has, and a time from 00:00:00 to 23:59:59.'
    return { ...issue, what: `${quote(text)} is not a time of any day.`, todo }
  }
  const todo = 'Write it like 2026-12-01T00:00:00+01:00 or 2026-11-30T23:00:00Z.'
  return { ...issue, what: `${quote(text)} is not a date and time with an offset.`, todo }
}
