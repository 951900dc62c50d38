import type { Json, JsonMap } from '../../model/json.js'
import { showBriefly, showTime } from '../../model/short-time.js'
import { isOpen, parseTime } from '../../model/window.js'
import type { Texts } from '../texts/language.js'

const TIMES = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))/

/** The parts of a sentence: texts, and times in UTC, brief or whole, which a script shows in the zone of the browser. */
export function timesIn(
  sentence: string,
  lang: string,
  isBrief: boolean,
): readonly { readonly text: string; readonly full?: string; readonly time: string | null }[] {
  return sentence.split(TIMES).map((part, place) => {
    const time = place % 2 === 0 ? null : parseTime(part)
    if (time === null) return { text: part, time }
    const full = showTime(time, lang, 'UTC')
    return { text: isBrief ? `${showBriefly(time, lang, 'UTC')} UTC` : full, full, time: part }
  })
}

/** When an item is visible, as its row says it: `from 2026-12-01T00:00:00Z`; empty where it has no time window. */
export function describeTimes({ visibleFrom, visibleUntil }: JsonMap, { editor, fill }: Texts): string {
  const parts = [
    typeof visibleFrom === 'string' ? fill(editor.from, { time: visibleFrom }) : '',
    typeof visibleUntil === 'string' ? fill(editor.until, { time: visibleUntil }) : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** Whether visitors can see an item or a menu now, as far as its own hiding and window go. */
export function isVisibleNow({ hidden, visibleFrom, visibleUntil }: JsonMap): boolean {
  const toTime = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
  const window = { visibleFrom: toTime(visibleFrom), visibleUntil: toTime(visibleUntil) }
  return hidden !== true && isOpen(window, Date.now())
}
