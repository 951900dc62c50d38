import { toNearest } from '../../document/did-you-mean.js'
import type { MenuItem } from '../../model/menu.js'
import { isRequired, LOCALE_PARAM, paramsOf, type Route } from '../../model/route.js'
import { NOWHERE, type RoutedItem, toHref } from '../../model/tree.js'
import type { HookCalls } from '../hook-calls.js'
import type { Viewer } from '../hooks.js'
import type { PathGenerator, PathRequest } from '../routes.js'
import { type FilledParam, toFilled } from '../routes.js'
import type { Settings } from '../settings.js'
import type { ExplainedItem } from './explanation.js'

/** For whom items are explained, and by whose rules. */
export interface ItemsRequest extends PathRequest {
  readonly viewer: Viewer
  /** The permissions of the viewer. */
  readonly held: ReadonlySet<string>
  readonly settings: Settings
  readonly hooks: HookCalls
  readonly pathOf: PathGenerator
}

/** Where an item leads, and why there. */
export function explainHref(item: MenuItem, request: ItemsRequest): ExplainedItem['href'] {
  if (item.type === 'divider') return { value: NOWHERE, routeName: null, why: 'a divider leads nowhere' }
  const value = toHref(item, (routed) => request.pathOf(routed, request))
  return { value, routeName: item.routeName, why: whyHref(item, value, request) }
}

function whyHref(item: RoutedItem, href: string, request: ItemsRequest): string {
  const { routeName, routeParams } = item
  const { routes } = request.settings
  if (routeName === null) {
    return item.type === 'section' ? 'a section without a route leads nowhere' : 'its url, as written'
  }
  if (request.hooks.policies.generatePath !== undefined) {
    if (href !== NOWHERE) return `generatePath made it for the route ${routeName}`
    return `generatePath gave no safe path for the route ${routeName}`
  }
  if (routes === null) return `it names the route ${routeName}, and no routes are configured`
  const route = routes.get(routeName)
  if (route === undefined) {
    const nearest = toNearest(routeName, routes.keys())
    return `there is no route ${routeName}${nearest === null ? '' : `; did you mean ${nearest}?`}`
  }
  const params = { item: routeParams, host: request.host, locale: request.locale }
  const filled = paramsOf(route).map((name) => toFilled(name, isRequired(route, name), params))
  return href === NOWHERE ? whyUnresolved(route, filled) : whyResolved(route, item, filled)
}

function whyResolved(route: Route, { routeParams }: RoutedItem, filled: readonly FilledParam[]): string {
  const namesFrom = (source: FilledParam['from']): string =>
    toNames(filled.filter(({ from, text }) => from === source && text !== null))
  const isFilled = (param: string): boolean => filled.some(({ name }) => name === param)
  const isGiven = (value: unknown): boolean => [value].flat().some((each) => each !== null)
  const left = Object.entries(routeParams).filter(([name, value]) => !isFilled(name) && isGiven(value))
  const sources = [
    [namesFrom('item'), ' of the item'],
    [namesFrom('page'), ' of the page'],
    [namesFrom('locale'), ` ${filled.find(({ name }) => name === LOCALE_PARAM)?.text}`],
    [left.map(([name]) => name).join(', '), ' in the query string'],
  ]
  const named = sources.filter(([names]) => names !== '').map((source) => source.join(''))
  return [`the route ${route.pattern}`, ...named].join('; ')
}

function whyUnresolved(route: Route, filled: readonly FilledParam[]): string {
  const missing = toNames(filled.filter(({ name, text }) => text === null && isRequired(route, name)))
  if (missing !== '') return `the route ${route.pattern} needs ${missing}, which the item does not give`
  return `a parameter of the item does not fit into the route ${route.pattern}`
}

function toNames(params: readonly FilledParam[]): string {
  return params.map(({ name }) => name).join(', ')
}
