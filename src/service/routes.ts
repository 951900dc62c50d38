import type { Locale } from '../model/locale.js'
import type { RouteParam, RouteParams, Scalar } from '../model/menu.js'
import { isDots, LOCALE_PARAM, REST_PARAM, type Route, type Segment } from '../model/route.js'

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

/**
 * The path of a route, percent-encoded (RFC 3986): parameters of the item, then the locale, required ones then of the host; what is left over of the
 * item's becomes the query string, lists repeat their key, null is left out. Null when a parameter is missing, or
 * would climb out of its place (`.`, `..`).
 */
export function toPath(route: Route, params: PathParams): string | null {
  try {
    return fill(route, params)
  } catch {
    return null // encodeURIComponent: a lone surrogate has no UTF-8
  }
}

function fill({ segments }: Route, { item, host, locale }: PathParams): string | null {
  const used = new Set<string>()
  const valueFor = (name: string, required: boolean): string | null => {
    used.add(name)
    const own = Object.hasOwn(item, name) ? item[name] : null
    const page = required && Object.hasOwn(host, name) ? host[name] : null
    return toParamText(own ?? (name === LOCALE_PARAM ? locale : page))
  }
  let path = ''
  for (const segment of segments) {
    if (segment.kind === 'literal') path += `/${segment.text}`
    else if (segment.kind === 'rest') {
      const rest = restOf(valueFor(REST_PARAM, false) ?? '')
      if (rest === null) return null
      path += `/${rest}`
    } else {
      const value = valueFor(segment.name, !segment.optional)
      if (value === null && segment.optional) continue
      if (value === null || isDots(value)) return null
      path += `/${encodeURIComponent(value)}${segment.suffix}`
    }
  }
  // `//x` would be another host, and a route whose only segment was left out is the root.
  return (path.replace(/^\/{2,}/, '/') || '/') + toQuery(item, used)
}

/** The text that stands for a parameter in a path; null for none, for the empty text and for what is no scalar. */
export function toParamText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function restOf(value: string): string | null {
  const parts = value.replace(/^\//, '').split('/')
  return parts.some(isDots) ? null : parts.map(encodeURIComponent).join('/')
}

function toQuery(params: RouteParams, used: ReadonlySet<string>): string {
  const pairs: string[] = []
  for (const [key, value] of Object.entries(params)) {
    if (used.has(key)) continue
    for (const each of toList(value)) {
      if (each !== null) pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(each))}`)
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function toList(value: RouteParam): readonly Scalar[] {
  return Array.isArray(value) ? value : [value as Scalar]
}
