import { toNearest } from '../document/nearest.js'
import { NOWHERE, type RoutedItem } from '../model/tree.js'
import type { PathRequest } from './paths.js'
import { paramsOf, type Route, type Routes } from './routes.js'

/** Why an item has the address that it has. `hasHook` tells whether `generatePath` makes the paths. */
export function explainHref(
  item: RoutedItem,
  href: string,
  routes: Routes | null,
  hasHook: boolean,
  asked: Pick<PathRequest, 'host' | 'locale'>,
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

function whyResolved(
  route: Route,
  item: RoutedItem,
  { host, locale }: Pick<PathRequest, 'host' | 'locale'>,
): string {
  const names = paramsOf(route)
  const own = names.filter((name) => isGiven(item.routeParams, name))
  const borrowed = names.filter((name) => !own.includes(name) && isGiven(host, name))
  const left = Object.keys(item.routeParams).filter(
    (name) => !names.includes(name) && isGiven(item.routeParams, name),
  )
  const parts = [
    `the route ${route.pattern}`,
    own.length > 0 ? `${own.join(', ')} of the item` : '',
    borrowed.length > 0 ? `${borrowed.join(', ')} of the page` : '',
    route.segments.some((segment) => segment.kind === 'param' && segment.name === '_locale')
      ? `_locale ${locale}`
      : '',
    left.length > 0 ? `${left.join(', ')} in the query string` : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

function whyUnresolved(route: Route, item: RoutedItem, { host }: Pick<PathRequest, 'host'>): string {
  const missing = route.segments.flatMap((segment) =>
    segment.kind === 'param' &&
    !segment.optional &&
    segment.name !== '_locale' &&
    !isUsable(item.routeParams, segment.name) &&
    !isUsable(host, segment.name)
      ? [segment.name]
      : [],
  )
  if (missing.length > 0)
    return `the route ${route.pattern} needs ${missing.join(', ')}, which the item does not give`
  return `a parameter of the item cannot stand in the route ${route.pattern}`
}

function isGiven(params: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(params, name) && params[name] !== null
}

/** Whether a parameter fills a place in a path: a scalar, and not the empty text. */
function isUsable(params: Readonly<Record<string, unknown>>, name: string): boolean {
  return isGiven(params, name) && params[name] !== '' && typeof params[name] !== 'object'
}
