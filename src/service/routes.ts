import type { Locale } from '../model/locale.js'
import type { RouteParam, RouteParams, Scalar } from '../model/menu.js'

type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly optional: boolean; readonly suffix: string }
  | { readonly kind: 'rest' }

/** A pattern that can be filled, such as `/users/:id`, `/blog/:page?`, `/files/*`. */
export interface Route {
  readonly pattern: string
  readonly segments: readonly Segment[]
}

export type Routes = ReadonlyMap<string, Route>

/** The parameter of every pattern that the effective locale alone fills. */
export const LOCALE_PARAM = '_locale'
/** The name under which parameters fill a `*`. */
const REST_PARAM = '*'

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

/** The parameters that a route takes from an item. */
export function paramsOf({ segments }: Route): string[] {
  const names = segments.map((segment) => {
    if (segment.kind === 'literal') return null
    return segment.kind === 'rest' ? REST_PARAM : segment.name
  })
  return names.filter((name) => name !== null && name !== LOCALE_PARAM).map(String)
}

/**
 * The parameters that a route takes from the page that is rendered where an item does not give them: those without
 * which there is no path. A list of orders must not become the list of shipped ones because that is where one is.
 */
export function borrowedParamsOf({ segments }: Route): string[] {
  return segments.flatMap((segment) =>
    segment.kind === 'param' && !segment.optional && segment.name !== LOCALE_PARAM ? [segment.name] : [],
  )
}

/** Where parameters come from, nearest first. */
export interface PathParams {
  readonly item: RouteParams
  /** Of the page that a template renders; the endpoint has none. */
  readonly host: Readonly<Record<string, unknown>>
  readonly locale: Locale
}

/**
 * The path of a route, percent-encoded (RFC 3986): parameters of the item, required ones then of the host; what is left over of the
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
    if (name === LOCALE_PARAM) return locale
    const own = Object.hasOwn(item, name) ? item[name] : null
    const lent = required && Object.hasOwn(host, name) ? host[name] : null
    return toParamText(own ?? lent)
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

/** Browsers resolve these however they are encoded (WHATWG URL, section 4.1). */
function isDots(text: string): boolean {
  return text === '.' || text === '..'
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
