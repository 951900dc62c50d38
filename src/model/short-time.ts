import { parseTime } from './window.js'

/**
 * A time in RFC 3339 as people read it, with the name of its zone: `1 Dec 2026, 00:00 CET`; as it is where it is no time.
 *
 * @param timeZone of the IANA database. Default: that of the machine
 */
export function toShortTime(text: string, lang: string, timeZone?: string): string {
  const time = parseTime(text)
  return time === null ? text : showTime(time, lang, timeZone)
}

/** The same for a time in milliseconds since 1970. */
export function showTime(time: number, lang: string, timeZone?: string): string {
  return show(time, lang, { ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone })
}

/** The day of a time alone: `1 Dec 2026`. */
export function showDay(time: number, lang: string, timeZone?: string): string {
  return show(time, lang, { ...DAY, timeZone })
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const

function show(
  time: number,
  lang: string,
  { timeZone, ...parts }: { readonly timeZone: string | undefined } & Intl.DateTimeFormatOptions,
): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  return new Date(time).toLocaleString(lang === 'en' ? 'en-GB' : lang, { ...parts, ...zone })
}
