import type { Texts } from '../../texts/language.js'

/** How long ago something was, in words. */
export function toAge(since: number, { lang, editor }: Texts, now: number = Date.now()): string {
  const minutes = Math.round((since - now) / 60_000)
  const words = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  if (minutes > -1) return editor.now
  if (minutes > -60) return words.format(minutes, 'minute')
  return minutes > -1_440
    ? words.format(Math.round(minutes / 60), 'hour')
    : words.format(Math.round(minutes / 1_440), 'day')
}
