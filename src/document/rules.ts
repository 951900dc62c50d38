import { isExactNumber, isScalar, toContextKey } from '../model/context.js'
import { iconLibrary } from '../model/icon.js'
import type { Limits } from '../model/limits.js'
import { type Locale, parentsOf, toLocale } from '../model/locale.js'
import type { Context } from '../model/menu.js'
import { judgeUrl } from '../model/url.js'
import { type Issue, quote } from './issue.js'
import { toNearest } from './nearest.js'
import type { Pointer } from './value.js'

/** What a deployment knows, against which the words of a menu are held. Null: not known, so not judged. */
export interface Vocabulary {
  readonly locales: readonly Locale[]
  readonly routes: ReadonlySet<string> | null
  /** Whether anything can make a path of a route name at all. */
  readonly pathsAreMade: boolean
  readonly iconLibraries: ReadonlySet<string> | null
}

type RawMap = Readonly<Record<string, unknown>>

/** An entry of a list of items, whatever its form. */
export interface RawItem {
  readonly entry: unknown
  /** The entry, or an empty map where it is none. */
  readonly item: RawMap
  readonly pointer: Pointer
  readonly level: number
}

/**
 * What the schema cannot say, judged on the plain value of a file whatever its form: nothing here expects that the
 * schema was met, so that all problems are told at once.
 */
export function ruleIssues(value: unknown, vocabulary: Vocabulary, limits: Limits): Issue[] {
  if (!isMap(value)) return []
  const items = [...rawItems(value['items'], ['items'], 1)]
  const tooMuch = sizeIssues(items, limits)
  if (tooMuch.length > 0) return tooMuch
  return [
    ...contextIssues(value['context'], limits),
    ...duplicateIds(items),
    ...withoutPaths(items, vocabulary),
    ...items.flatMap((raw) => itemIssues(raw, vocabulary)),
  ]
}

/** Every entry of a list of items and of the lists below it, in the order of the file. */
export function* rawItems(list: unknown, pointer: Pointer, level: number): Generator<RawItem> {
  if (!Array.isArray(list)) return
  for (const [place, entry] of list.entries()) {
    // What is no map counts as an item, too: the limit bounds all that is looked at.
    const item = isMap(entry) ? entry : {}
    yield { entry, item, pointer: [...pointer, place], level }
    yield* rawItems(item['children'], [...pointer, place, 'children'], level + 1)
  }
}

/** Whether a menu is over its limits; if it is, nothing else of it is looked at. */
function sizeIssues(items: readonly RawItem[], limits: Limits): Issue[] {
  const issues: Issue[] = []
  const surplus = items[limits.items]
  const what = `The menu has ${items.length} items, and ${limits.items} are allowed.`
  if (surplus !== undefined) issues.push({ code: 'too-many-items', pointer: surplus.pointer, what })
  const deep = items.find(({ level }) => level > limits.levels)
  if (deep !== undefined) {
    const levels = `The menu has more than ${limits.levels} levels here.`
    issues.push({ code: 'too-many-levels', pointer: deep.pointer, what: levels })
  }
  return issues
}

function contextIssues(context: unknown, limits: Limits): Issue[] {
  if (context === undefined) return []
  const pointer = ['context']
  if (!isMap(context)) {
    const what = 'The context is empty.'
    return context === null ? [{ code: 'unused-context', pointer, part: 'key', what }] : []
  }
  const keys = Object.keys(context)
  if (keys.length === 0) {
    return [{ code: 'unused-context', pointer, part: 'key', what: 'The context is empty.' }]
  }
  const issues = numbersIn(context, pointer)
  if (keys.length > limits.context_keys) {
    const what = `The context has ${keys.length} keys, and ${limits.context_keys} are allowed.`
    issues.push({ code: 'context-limit', pointer, what })
  } else if (
    keys.every((key) => isScalar(context[key])) &&
    queryLength(context as Context) > limits.query_bytes
  ) {
    const what = `The context fills a query of more than ${limits.query_bytes} bytes.`
    issues.push({ code: 'context-limit', pointer, what })
  }
  return issues
}

function queryLength(context: Context): number {
  return '_context_sets='.length + encodeURIComponent(`[{${toContextKey(context)}}]`).length
}

function numberIssues(value: unknown, pointer: Pointer): Issue[] {
  if (Array.isArray(value)) return value.flatMap((each, place) => numberIssues(each, [...pointer, place]))
  if (typeof value !== 'number' || isExactNumber(value)) return []
  return [{ code: 'unsafe-number', pointer, what: 'This number is not exact, or not finite.' }]
}

function numbersIn(map: unknown, pointer: Pointer): Issue[] {
  if (!isMap(map)) return []
  return Object.entries(map).flatMap(([key, value]) => numberIssues(value, [...pointer, key]))
}

function duplicateIds(items: readonly RawItem[]): Issue[] {
  const seen = new Set<string>()
  const issues: Issue[] = []
  for (const { item, pointer } of items) {
    const id = item['id']
    if (typeof id !== 'string') continue
    const what = `Another item has the id ${quote(id)} already.`
    if (seen.has(id)) issues.push({ code: 'duplicate-id', pointer: [...pointer, 'id'], what })
    seen.add(id)
  }
  return issues
}

function withoutPaths(items: readonly RawItem[], { pathsAreMade }: Vocabulary): Issue[] {
  if (pathsAreMade) return []
  const routed = items.find(({ item }) => typeof item['routeName'] === 'string' && item['type'] !== 'divider')
  if (routed === undefined) return []
  const what = 'Items name routes, and no routes are configured.'
  return [{ code: 'no-routes', pointer: [...routed.pointer, 'routeName'], what }]
}

const IGNORED_ON_DIVIDERS = ['label', 'icon', 'routeName', 'routeParams', 'url']

function itemIssues({ item, pointer }: RawItem, vocabulary: Vocabulary): Issue[] {
  if (item['type'] === 'divider') {
    return IGNORED_ON_DIVIDERS.filter((key) => Object.hasOwn(item, key)).map((key) => ({
      code: 'ignored-on-divider',
      pointer: [...pointer, key],
      part: 'key',
      what: `${quote(key)} is ignored on a divider.`,
    }))
  }
  return [
    ...labelIssues(item, [...pointer, 'label'], vocabulary),
    ...urlIssues(item['url'], [...pointer, 'url'], item['type']),
    ...routeIssues(item, pointer, vocabulary),
    ...iconIssues(item['icon'], [...pointer, 'icon'], vocabulary),
    ...numbersIn(item['attributes'], [...pointer, 'attributes']),
  ]
}

function labelIssues(item: RawMap, pointer: Pointer, { locales }: Vocabulary): Issue[] {
  if (!Object.hasOwn(item, 'label')) return []
  const label = item['label']
  if (label === null || (typeof label === 'string' && isBlank(label))) {
    return [{ code: 'empty-label', pointer, what: 'The label is empty.' }]
  }
  if (!isMap(label)) return []
  const texts = Object.entries(label).filter(([, text]) => text !== null && !isBlank(text))
  if (texts.length === 0)
    return [{ code: 'empty-label', pointer, what: 'The label has no text in any locale.' }]
  const seen = new Map<Locale, string>()
  const issues = Object.keys(label).flatMap((tag) => tagIssues(tag, seen, [...pointer, tag], locales))
  const present = new Set(texts.map(([tag]) => toLocale(tag)))
  const missing = locales.filter((locale) => !parentsOf(locale).some((each) => present.has(each)))
  if (missing.length > 0) {
    issues.push({
      code: 'missing-translation',
      pointer,
      part: 'key',
      what: `No text for ${missing.join(', ')}.`,
    })
  }
  return issues
}

/** Judges one tag of a label; `seen` holds how its other locales are written. */
function tagIssues(
  tag: string,
  seen: Map<Locale, string>,
  pointer: Pointer,
  locales: readonly Locale[],
): Issue[] {
  const locale = toLocale(tag)
  if (locale === null)
    return [{ code: 'bad-value', pointer, part: 'key', what: `${quote(tag)} is not a language tag.` }]
  const other = seen.get(locale)
  if (other !== undefined) {
    const what = `${quote(tag)} and ${quote(other)} are one locale.`
    return [{ code: 'duplicate-key', pointer, part: 'key', what }]
  }
  seen.set(locale, tag)
  // The text of `zh` is for visitors of a configured `zh-Hant`, too.
  if (!locales.some((each) => parentsOf(each).includes(locale))) {
    const suggestion = toNearest(locale, locales)
    const what = `${quote(tag)} is not among the locales ${locales.join(', ')}.`
    return [{ code: 'unknown-locale', pointer, part: 'key', what, suggestion }]
  }
  if (locale === tag) return []
  const what = `${quote(tag)} is usually written ${quote(locale)}.`
  return [{ code: 'locale-form', pointer, part: 'key', what, suggestion: locale }]
}

function urlIssues(url: unknown, pointer: Pointer, type: unknown): Issue[] {
  if (typeof url !== 'string' || type === 'section') return []
  const fault = judgeUrl(url)
  if (fault === null) return []
  if (fault === 'unsafe') return [{ code: 'unsafe-url', pointer, what: `${quote(url)} is not a safe URL.` }]
  if (url === '') return [{ code: 'link-without-destination', pointer, what: 'The url is empty.' }]
  const what = `${quote(url)} has no scheme.`
  // `example.org/help` begins with a host, `products/trees` is a path of the site.
  const suggestion = /^[^/?#]*\./.test(url) ? `https://${url}` : `/${url}`
  return [{ code: 'url-without-scheme', pointer, what, suggestion }]
}

function routeIssues(item: RawMap, pointer: Pointer, { routes }: Vocabulary): Issue[] {
  const issues = numbersIn(item['routeParams'], [...pointer, 'routeParams'])
  const name = item['routeName']
  if (typeof name !== 'string' || routes === null || routes.has(name)) return issues
  const what = `No route has the name ${quote(name)}.`
  return [
    ...issues,
    { code: 'unknown-route', pointer: [...pointer, 'routeName'], what, suggestion: toNearest(name, routes) },
  ]
}

function iconIssues(icon: unknown, pointer: Pointer, { iconLibraries }: Vocabulary): Issue[] {
  const library = typeof icon === 'string' ? iconLibrary(icon) : null
  if (library === null || iconLibraries === null || iconLibraries.has(library)) return []
  const what = `The icon library ${quote(library)} has no prefix.`
  return [{ code: 'unknown-icon-library', pointer, what, suggestion: toNearest(library, iconLibraries) }]
}

function isMap(value: unknown): value is RawMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}
