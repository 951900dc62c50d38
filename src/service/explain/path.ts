import { toNearest } from '../../document/nearest.js'
import { isRequired, LOCALE_PARAM, paramsOf, type Route, type Routes } from '../../model/route.js'
import { NOWHERE, type RoutedItem } from '../../model/tree.js'
import type { PathRequest } from '../paths.js'
import { type FilledParam, toFilled } from '../routes.js'

/** Why an item has the address that it has. `hasHook`: whether `generatePath` makes the paths. */
export function explainHref(
  item: RoutedItem,
  href: string,
  routes: Routes | null,
  hasHook: boolean,
  asked: PathRequest,
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
  const params = { item: item.routeParams, host: asked.host, locale: asked.locale }
  const filled = paramsOf(route).map((name) => toFilled(name, isRequired(route, name), params))
  return href === NOWHERE ? whyUnresolved(route, filled) : whyResolved(route, item, filled)
}

function whyResolved(route: Route, { routeParams }: RoutedItem, filled: readonly FilledParam[]): string {
  const namesFrom = (from: FilledParam['from']): string =>
    filled
      .filter((param) => param.from === from && param.text !== null)
      .map(({ name }) => name)
      .join(', ')
  const left = Object.entries(routeParams).filter(
    ([name, value]) =>
      !filled.some((param) => param.name === name) && [value].flat().some((each) => each !== null),
  )
  const parts = [
    ['', `the route ${route.pattern}`],
    [namesFrom('item'), ' of the item'],
    [namesFrom('page'), ' of the page'],
    [namesFrom('locale'), ` ${filled.find(({ name }) => name === LOCALE_PARAM)?.text}`],
    [left.map(([name]) => name).join(', '), ' in the query string'],
  ]
  return parts
    .filter(([names], place) => place === 0 || names !== '')
    .map((part) => part.join(''))
    .join('; ')
}

function whyUnresolved(route: Route, filled: readonly FilledParam[]): string {
  const missing = filled.filter(({ name, text }) => text === null && isRequired(route, name))
  const names = missing.map(({ name }) => name).join(', ')
  if (names !== '') return `the route ${route.pattern} needs ${names}, which the item does not give`
  return `a parameter of the item does not fit into the route ${route.pattern}`
}
