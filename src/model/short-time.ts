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
  return show(time, lang, { ...MOMENT, year: 'numeric', timeZoneName: 'short', timeZone })
}

/** The same where there is little room, without the zone and this year: `1 Dec, 00:00`. */
export function showBriefly(time: number, lang: string, timeZone?: string): string {
  const isThisYear = new Date(time).getFullYear() === new Date().getFullYear()
  return show(time, lang, { ...MOMENT, ...(!isThisYear && { year: 'numeric' }), timeZone })
}

const MOMENT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const

function show(
  time: number,
  lang: string,
  { timeZone, ...parts }: { readonly timeZone: string | undefined } & Intl.DateTimeFormatOptions,
): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  return new Date(time).toLocaleString(lang === 'en' ? 'en-GB' : lang, { ...parts, ...zone })
}
