import { derived } from '../../model/derived.js'
import type { RawMap } from '../../model/json.js'
import { type Locale, toLocale } from '../../model/locale.js'
import { LOCALE_PARAM, paramsOf, type Routes, type Segment } from '../../model/route.js'
import { judgeUrl, SAFE_SCHEMES } from '../../model/url.js'
import { toNearest } from '../did-you-mean.js'
import { type Issue, quote } from '../issue.js'
import type { Vocabulary } from './vocabulary.js'

/** What is wrong with the url of an item. */
export function urlIssues(item: RawMap, vocabulary: Vocabulary): Issue[] {
  const issue = urlIssue(item, vocabulary)
  return issue === null ? [] : [{ ...issue, pointer: ['url'] }]
}

function urlIssue({ url, type }: RawMap, vocabulary: Vocabulary): Omit<Issue, 'pointer'> | null {
  if (typeof url !== 'string' || type === 'section') return null
  const fault = judgeUrl(url)
  if (fault === null && isAddress(url)) return pathIssue(url, vocabulary)
  if (fault === null) {
    const what = `${quote(url)} is not an address that a browser can open.`
    return { code: 'bad-value', what, todo: 'Correct the host and the port.' }
  }
  if (url === '') return { code: 'link-without-destination', what: 'The url is empty.' }
  const meant = toMeant(url)
  const suggestion = judgeUrl(meant) === null && isAddress(meant) ? meant : null
  if (fault === 'no-scheme')
    return { code: 'url-without-scheme', what: `${quote(url)} has no scheme.`, suggestion }
  const isSpaced = suggestion !== null && NUMBER.test(url)
  const todo = isSpaced ? { todo: 'Write the number without spaces.' } : {}
  return { code: 'unsafe-url', what: `${quote(url)} is not a safe URL.`, suggestion, ...todo }
}

const NUMBER = /^(?:tel|sms):[^/?#]+$/i

/** Whether a URL of the web is valid: a browser does not follow what it cannot parse. */
function isAddress(url: string): boolean {
  return !/^https?:/i.test(url) || URL.canParse(url)
}

/** What was probably meant by a refused URL; it may be refused as well. */
function toMeant(written: string): string {
  const url = written.trim().replace(/^["'<]|["'>]$/g, '')
  if (NUMBER.test(url)) return url.replaceAll(' ', '')
  if (/^\+\d[\d ().-]*$/.test(url)) return `tel:${url.replace(/[ ()]/g, '')}`
  const [addresses = '', ...query] = url.replace(/^mailto:/i, '').split('?')
  if (addresses.split(',').every((each) => /^[^@/#:]+@[^@/#:.]+\.[^@/#:]+$/.test(each.trim()))) {
    return `mailto:${[addresses.replaceAll(' ', ''), ...query].join('?').replaceAll(' ', '%20')}`
  }
  const spaced = url.replaceAll(' ', '%20')
  // `https//x`, `http:/x`, `http;//x` and `://x` lack a part of their scheme.
  const [, scheme, rest] = /^(https?)[:;]?\/\/?([^/].*)$/i.exec(spaced) ?? []
  if (scheme !== undefined) return `${scheme}://${rest}`
  const respelt = withSafeScheme(spaced)
  if (respelt !== null) return respelt
  if (/^:?\/\/[^/]/.test(spaced)) return `https:${spaced.replace(/^:/, '')}`
  if (judgeUrl(spaced) !== 'no-scheme') return spaced
  if (spaced === '.' || spaced === '..') return `${spaced}/`
  if (/^localhost(?:[:/?#]|$)/i.test(spaced)) return `http://${spaced}`
  if (/^[^/?#]+\.(?:html?|php|aspx?|jsp|pdf|xml|txt)(?:[?#]|$)/i.test(spaced)) return `/${spaced}`
  // `example.org/help` begins with a host, `products/trees` is a path of the site.
  return /^[^/?#]*\./.test(spaced) ? `https://${spaced}` : `/${spaced}`
}

/** Written as a scheme, but not one. */
const SCHEME_WORDS: ReadonlyMap<string, string> = new Map([
  ...['mail', 'email', 'e-mail'].map((word) => [word, 'mailto'] as const),
  ...['phone', 'telephone'].map((word) => [word, 'tel'] as const),
])

/** A URL whose scheme is misspelt, with the one that was probably meant: `htps://x` is `https://x`; else null. */
function withSafeScheme(url: string): string | null {
  const [, written = '', rest = ''] = /^([a-z][a-z0-9+-]*):(.+)$/i.exec(url) ?? []
  const scheme = written.toLowerCase()
  if (scheme === '' || SAFE_SCHEMES.includes(scheme)) return null
  const meant = SCHEME_WORDS.get(scheme) ?? toNearest(scheme, SAFE_SCHEMES, 1)
  if (meant === null) return null
  return meant.startsWith('http')
    ? `${meant}://${rest.replace(/^\/+/, '')}`
    : `${meant}:${rest.replace(/^\/\//, '')}`
}

/** Whether a `url` is a path of the site that no route makes. */
function pathIssue(url: string, { routes, locales, off }: Vocabulary): Omit<Issue, 'pointer'> | null {
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
