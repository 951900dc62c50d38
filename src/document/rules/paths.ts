import { derived } from '../../model/derived.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { LOCALE_PARAM, paramsOf, type Routes, type Segment } from '../../model/route.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Vocabulary } from './vocabulary.js'

/** Whether a `url` is a path of the site that no route makes. */
export function pathIssue(url: string, { routes, locales, off }: Vocabulary): Omit<Issue, 'pointer'> | null {
  const path = /^\/[^?#]*/.exec(url)?.[0]
  if (routes === null || off.has('unknown-path') || path === undefined || path.startsWith('//')) return null
  const { patterns, fixed } = knownOf(routes)
  const texts = path.slice(1).replace(/\/$/, '').split('/').map(toPlain)
  if (patterns.some((segments) => matches(segments, texts, locales))) return null
  const what = `No route has the path ${quote(path)}.`
  return { code: 'unknown-path', what, suggest: () => toNearest(path, fixed) }
}

/** The patterns of all routes, their texts not encoded, and the paths of routes that have no parameters. */
const knownOf = derived((routes: Routes) => ({
  patterns: [...routes.values()].map(({ segments }) =>
    segments.map((each) => (each.kind === 'literal' ? { ...each, text: toPlain(each.text) } : each)),
  ),
  fixed: [...routes.values()].flatMap((route) => (paramsOf(route).length === 0 ? [route.pattern] : [])),
}))

/** Whether a pattern makes a path, from a segment and a text of it on. */
function matches(
  segments: readonly Segment[],
  texts: readonly string[],
  locales: readonly Locale[],
  place = 0,
  at = 0,
): boolean {
  const segment = segments[place]
  const text = texts[at]
  // `/` is one segment without a text.
  if (segment === undefined) return text === undefined || (text === '' && at === texts.length - 1)
  if (segment.kind === 'rest') return true
  const isSkipped = segment.kind === 'param' && segment.optional
  if (isSkipped && matches(segments, texts, locales, place + 1, at)) return true
  const isFilled = segment.kind === 'literal' ? text === segment.text : fills(segment, text ?? '', locales)
  return isFilled && matches(segments, texts, locales, place + 1, at + 1)
}

function fills(
  { name, suffix }: Segment & { readonly kind: 'param' },
  text: string,
  locales: readonly Locale[],
): boolean {
  if (!text.endsWith(suffix) || text.length === suffix.length) return false
  if (name !== LOCALE_PARAM) return true
  const locale = toLocale(text.slice(0, text.length - suffix.length))
  return locale !== null && locales.includes(locale)
}

/** A segment as it is meant, whichever of its characters are percent-encoded. */
function toPlain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
