import { toNearest } from '../../document/nearest.js'
import { borrowedParamsOf, LOCALE_PARAM, paramsOf, type Route, type Routes } from '../../model/route.js'
import { NOWHERE, type RoutedItem } from '../../model/tree.js'
import type { PathRequest } from '../paths.js'
import { toParamText } from '../routes.js'

/** What a path is made of besides the item. */
type PageParams = Pick<PathRequest, 'host' | 'locale'>

/** Why an item has the address that it has. `hasHook` tells whether `generatePath` makes the paths. */
export function explainHref(
  item: RoutedItem,
  href: string,
  routes: Routes | null,
  hasHook: boolean,
  asked: PageParams,
): string {
  const { routeName } = item
  if (routeName === null) {
    if (item.type === 'section') return 'a section without a route leads nowhere'
    return 'its url, as it is written'
  }
  if (hasHook) {
    if (href !== NOWHERE) return `generatePath made it for the route ${routeName}`
    return `generatePath gave no safe path for the route ${routeName}`
  }
  if (routes === null) return `it names the route ${routeName}, and no routes are configured`
  const route = routes.get(routeName)
  if (route === undefined) {
    const nearest = toNearest(routeName, routes.keys())
    const meant = nearest === null ? '' : `; did you mean ${nearest}?`
    return `there is no route ${routeName}${meant}`
  }
  return href === NOWHERE ? whyUnresolved(route, item, asked) : whyResolved(route, item, asked)
}

function whyResolved(route: Route, item: RoutedItem, { host, locale }: PageParams): string {
  const names = paramsOf(route)
  const own = names.filter((name) => fills(item.routeParams, name))
  const borrowed = borrowedParamsOf(route).filter((name) => !isWritten(item, name) && fills(host, name))
  const isLocalised = names.includes(LOCALE_PARAM) && !isWritten(item, LOCALE_PARAM)
  const left = Object.keys(item.routeParams).filter((name) => !names.includes(name) && isInQuery(item, name))
  const parts = [
    `the route ${route.pattern}`,
    own.length > 0 ? `${own.join(', ')} of the item` : '',
    borrowed.length > 0 ? `${borrowed.join(', ')} of the page` : '',
    isLocalised ? `${LOCALE_PARAM} ${locale}` : '',
    left.length > 0 ? `${left.join(', ')} in the query string` : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

function whyUnresolved(route: Route, item: RoutedItem, { host }: PageParams): string {
  const missing = placesOf(route).filter(
    ({ name, optional }) =>
      !optional &&
      !fills(item.routeParams, name) &&
      (isWritten(item, name) || (name !== LOCALE_PARAM && !fills(host, name))),
  )
  const names = missing.map(({ name }) => name).join(', ')
  if (names !== '') return `the route ${route.pattern} needs ${names}, which the item does not give`
  return `a parameter of the item cannot stand in the route ${route.pattern}`
}

function placesOf({ segments }: Route): readonly { readonly name: string; readonly optional: boolean }[] {
  return segments.filter((segment) => segment.kind === 'param')
}

/** Whether the item says something of a parameter, so that the page is not asked for it. */
function isWritten({ routeParams }: RoutedItem, name: string): boolean {
  return Object.hasOwn(routeParams, name) && routeParams[name] !== null
}

/** Whether a parameter fills a place in a path. */
function fills(params: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(params, name) && toParamText(params[name]) !== null
}

function isInQuery({ routeParams }: RoutedItem, name: string): boolean {
  return [routeParams[name] ?? null].flat().some((value) => value !== null)
}
