import { derived } from '../model/derived.js'
import type { Locale } from '../model/locale.js'
import type { Menu, RouteParams } from '../model/menu.js'
import { isDots, LOCALE_PARAM, paramsOf, REST_PARAM, type Route, type Segment } from '../model/route.js'
import type { ServedMenu } from '../model/select.js'
import type { RoutedItem } from '../model/tree.js'
import { judgeUrl } from '../model/url.js'
import type { HookCalls } from './hook-calls.js'
import type { MenuRequest } from './hooks.js'
import type { Log } from './log.js'
import type { Settings } from './settings.js'

const LITERAL = /^(?:[\w.~!$&'()+,;=@-]|%[0-9A-Fa-f]{2})*$/
const PARAM = /^:([A-Za-z_]\w*)(\?)?(\.[\w.-]+)?$/

/** A route from its pattern; null when it is not `/` with literals, `:name`, `:name?`, `:name.ext` and a last `*` between slashes. */
export function parseRoute(pattern: string): Route | null {
  if (!pattern.startsWith('/') || pattern.startsWith('//')) return null
  const texts = pattern.slice(1).split('/')
  const segments = texts.map((text, place) => toSegment(text, place === texts.length - 1))
  if (segments.some((segment) => segment === null)) return null
  return { pattern, segments: segments.filter((segment) => segment !== null) }
}

function toSegment(text: string, last: boolean): Segment | null {
  if (text === '*') return last ? { kind: 'rest' } : null
  const [, name, optional, suffix] = PARAM.exec(text) ?? []
  if (name === undefined) return LITERAL.test(text) && !isDots(text) ? { kind: 'literal', text } : null
  if (optional !== undefined && suffix !== undefined) return null
  return { kind: 'param', name, optional: optional !== undefined, suffix: suffix ?? '' }
}

/** Where parameters come from, nearest first. */
export interface PathParams {
  readonly item: RouteParams
  /** Of the page that a template renders; the endpoint has none. */
  readonly host: Readonly<Record<string, unknown>>
  readonly locale: Locale
}

/** For whom paths are generated. */
export interface PathRequest extends Pick<PathParams, 'host' | 'locale'> {
  readonly request: MenuRequest
  readonly served: ServedMenu
}

/** The path of an item that names a route; null when it cannot be generated. */
export type PathGenerator = (item: RoutedItem, asked: PathRequest) => string | null

/** Generates paths from the routes, or by the hook; one that cannot be generated is logged, once per line and route. */
export function createPathGenerator({ routes }: Settings, hooks: HookCalls, log: Log): PathGenerator {
  const loggedOf = derived((_: Menu) => new Set<string>())
  const generate: PathGenerator = (item, { request, locale, host }) => {
    if (hooks.policies.generatePath !== undefined) return hooks.path(item, request)
    const route = routes?.get(item.routeName ?? '')
    return route === undefined ? null : toPath(route, { item: item.routeParams, host, locale })
  }
  return (item, asked) => {
    const made = generate(item, asked)
    if (made !== null && judgeUrl(made) === null) return made
    const { menu, path } = asked.served
    const { line, routeName } = item
    const [logged, key] = [loggedOf(menu), `${line} ${routeName}`]
    if (!logged.has(key)) log.warn('route_unresolved', { path, line, routeName })
    logged.add(key)
    return null
  }
}

/**
 * The path of a route, percent-encoded (RFC 3986): parameters of the item, then the locale, required ones then of the host; what is left over of the
 * item's becomes the query string, lists repeat their key, null is left out. Null when a parameter is missing, or
 * would climb out of its place (`.`, `..`).
 */
export function toPath(route: Route, params: PathParams): string | null {
  try {
    let path = ''
    for (const segment of route.segments) {
      const text = toSegmentText(segment, params)
      if (text === null) return null
      path += text
    }
    // `//x` would be another host, and a route whose only segment was left out is the root.
    return (path.replace(/^\/{2,}/, '/') || '/') + toQuery(params.item, paramsOf(route))
  } catch {
    return null // encodeURIComponent: a lone surrogate has no UTF-8
  }
}

/** A segment of a path with its slash; empty where it is left out, null where the path cannot be made. */
function toSegmentText(segment: Segment, params: PathParams): string | null {
  if (segment.kind === 'literal') return `/${segment.text}`
  if (segment.kind === 'rest') {
    const parts = (toFilled(REST_PARAM, false, params).text ?? '').replace(/^\//, '').split('/')
    return parts.some(isDots) ? null : `/${parts.map(encodeURIComponent).join('/')}`
  }
  const { text } = toFilled(segment.name, !segment.optional, params)
  if (text === null) return segment.optional ? '' : null
  return isDots(text) ? null : `/${encodeURIComponent(text)}${segment.suffix}`
}

/** What fills a place of a route, and where it comes from; a null text fills none. */
export interface FilledParam {
  readonly name: string
  readonly text: string | null
  readonly from: 'item' | 'locale' | 'page'
}

/** What fills a parameter of a route. The page supplies only required parameters. */
export function toFilled(name: string, isRequired: boolean, { item, host, locale }: PathParams): FilledParam {
  const own = Object.hasOwn(item, name) ? (item[name] ?? null) : null
  if (own !== null) return { name, text: toParamText(own), from: 'item' }
  if (name === LOCALE_PARAM) return { name, text: locale, from: 'locale' }
  const page = isRequired && Object.hasOwn(host, name) ? host[name] : null
  return { name, text: toParamText(page), from: 'page' }
}

/** The text of a parameter in a path; null for none, for the empty text and for what is not a scalar. */
function toParamText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function toQuery(params: RouteParams, used: readonly string[]): string {
  const pairs = Object.entries(params).flatMap(([key, value]) => {
    const values = used.includes(key) ? [] : [value].flat().filter((each) => each !== null)
    return values.map((each) => `${encodeURIComponent(key)}=${encodeURIComponent(String(each))}`)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
