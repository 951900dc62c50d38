import { derived } from '../../model/derived.js'
import { groupBy } from '../../model/group-by.js'
import { isMap, type RawMap } from '../../model/json.js'
import { lookUpLocale } from '../../model/locale.js'
import {
  borrowedParamsOf,
  isRequired,
  LOCALE_PARAM,
  paramsOf,
  REST_PARAM,
  type Route,
  type Routes,
} from '../../model/route.js'
import { isOneTypo } from '../../model/typo.js'
import { toNearest } from '../did-you-mean.js'
import { type Issue, quote } from '../issue.js'
import { numbersIn, type RawItem } from './raw-items.js'
import type { Vocabulary } from './vocabulary.js'

/** The first item that names a route where nothing can make its path. */
export function* withoutPaths(items: readonly RawItem[], { pathsAreMade }: Vocabulary): Generator<Issue> {
  const isRouted = ({ item }: RawItem): boolean =>
    typeof item['routeName'] === 'string' && item['type'] !== 'divider'
  const routed = pathsAreMade ? undefined : items.find(isRouted)
  const what = 'Items name routes, and no routes are configured.'
  if (routed !== undefined) yield { code: 'no-routes', pointer: [...routed.pointer, 'routeName'], what }
}

/** What is wrong with the route of an item, and with its parameters. */
export function routeIssues(item: RawMap, { routes, locales }: Vocabulary): Issue[] {
  const { routeName: name, routeParams: params } = item
  const numbers = numbersIn(item, 'routeParams')
  if (name === undefined || name === null) return [...numbers, ...unusedParams(item)]
  if (typeof name !== 'string' || routes === null) return numbers
  return [...numbers, ...namedIssues(name, params, routes, locales)]
}

/** What is wrong with the name of a route and the parameters beside it. */
function* namedIssues(
  name: string,
  written: unknown,
  routes: Routes,
  locales: Vocabulary['locales'],
): Generator<Issue> {
  const route = routes.get(name)
  if (route === undefined) {
    const suggest = (): string | null => toNearest(name, routes.keys())
    const what = `No route has the name ${quote(name)}.`
    return yield { code: 'unknown-route', pointer: ['routeName'], what, suggest }
  }
  if (written !== undefined && !isMap(written)) return
  const given = new Map(Object.entries(written ?? {}).filter(([, value]) => value !== null))
  yield* paramIssues(name, route, given, routes)
  const tag = given.get(LOCALE_PARAM) ?? ''
  // The locale to which an item switches, where its route takes one but no visitor is ever served in it.
  if (tag === '' || typeof tag === 'object' || !paramsOf(route).includes(LOCALE_PARAM)) return
  if (lookUpLocale(String(tag), locales) !== null) return
  const what = `${quote(tag)} is not among the locales ${locales.join(', ')}.`
  const suggest = (): string | null => toNearest(String(tag), locales)
  yield { code: 'unknown-locale', pointer: ['routeParams', LOCALE_PARAM], what, suggest }
}

/** Parameters of an item that does not lead to a route; an item that leads nowhere has a problem of its own. */
function unusedParams({ routeParams, type, url }: RawMap): Issue[] {
  if (!isMap(routeParams) || Object.keys(routeParams).length === 0) return []
  if (type !== 'section' && url === undefined) return []
  const what = 'These parameters are ignored: the item names no route.'
  return [{ code: 'unused-params', pointer: ['routeParams'], part: 'key', what }]
}

function* paramIssues(
  name: string,
  route: Route,
  given: ReadonlyMap<string, unknown>,
  routes: Routes,
): Generator<Issue> {
  const params = paramsOf(route)
  const open = params.filter((param) => !given.has(param))
  const required = borrowedParamsOf(route)
  const needed = open.filter((param) => required.includes(param) && !isLent(param, routes))
  const meant = new Set<string>()
  for (const key of given.keys()) {
    if (key === LOCALE_PARAM || params.includes(key)) continue
    const suggestion = toMeant(key, open, needed)
    if (suggestion === null) continue
    meant.add(suggestion)
    const what = `The route ${quote(name)} has no parameter ${quote(key)}.`
    yield { code: 'unknown-parameter', pointer: ['routeParams', key], part: 'key', what, suggestion }
  }
  for (const param of params) {
    const what = given.has(param) ? toFault(param, given.get(param), isRequired(route, param)) : null
    if (what !== null) yield { code: 'missing-parameter', pointer: ['routeParams', param], what }
  }
  for (const [param, values] of route.values ?? []) {
    const value = given.get(param) ?? ''
    if (value === '' || typeof value === 'object' || values.includes(String(value))) continue
    const what = `${quote(value)} is not among the values of ${quote(param)} that the route ${quote(name)} lists.`
    const suggest = (): string | null => toNearest(String(value), values)
    yield { code: 'unknown-param-value', pointer: ['routeParams', param], what, suggest }
  }
  const missing = needed.filter((param) => !meant.has(param))
  const what = `The route ${quote(name)} needs ${missing.map(quote).join(' and ')}.`
  if (missing.length > 0) yield { code: 'missing-parameter', pointer: ['routeName'], what }
}

/**
 * The parameter that a key was surely meant to be. Other keys become the query string, which is fine: where no parameter is
 * needed, only one typing error is close enough.
 */
function toMeant(key: string, open: readonly string[], needed: readonly string[]): string | null {
  return toNearest(key, needed) ?? open.find((param) => isOneTypo(key, param)) ?? null
}

/** Why a given value cannot fill a place of a path; null when it can. */
function toFault(param: string, value: unknown, required: boolean): string | null {
  const rest = param === REST_PARAM
  if (Array.isArray(value)) return `${quote(param)} is a list, and a path takes one value.`
  if (value === '' && required) return `${quote(param)} is empty.`
  if (typeof value !== 'string') return null
  const climbs = (rest ? value.split('/') : [value]).some((part) => part === '.' || part === '..')
  return climbs ? `${quote(param)} is ${quote(value)}, which would leave the path.` : null
}

/** The routes that take each parameter. */
const takersOf = derived((routes: Routes) =>
  groupBy(
    [...routes.values()].flatMap((route) => [...new Set(paramsOf(route))]),
    (param) => param,
  ),
)

/**
 * Whether the rendered page may lend a parameter to a template: a page of another route that has it, too. A page of the
 * route itself would lend it as well, but a link that only works there is not meant.
 */
function isLent(param: string, routes: Routes): boolean {
  return (takersOf(routes).get(param)?.length ?? 0) > 1
}
