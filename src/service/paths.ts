import type { Locale } from '../model/locale.js'
import type { ServedMenu } from '../model/select.js'
import type { RoutedItem } from '../model/tree.js'
import { judgeUrl } from '../model/url.js'
import type { AskedHooks } from './ask-hooks.js'
import type { MenuRequest } from './hooks.js'
import type { Log } from './log.js'
import { toPath } from './routes.js'
import type { Settings } from './settings.js'

/** For whom paths are generated. */
export interface PathRequest {
  readonly request: MenuRequest
  readonly served: ServedMenu
  readonly locale: Locale
  /** Route parameters of the page that is rendered; the endpoint has none. */
  readonly host: Readonly<Record<string, unknown>>
}

/** The path of an item that names a route; null when it cannot be generated. */
export type PathGenerator = (item: RoutedItem, asked: PathRequest) => string | null

/** Generates paths from the routes, or by the hook; one that cannot be generated is logged, once per item. */
export function createPathGenerator({ routes }: Settings, hooks: AskedHooks, log: Log): PathGenerator {
  const logged = new WeakSet<RoutedItem>()
  const generate: PathGenerator = (item, { request, locale, host }) => {
    if (hooks.policies.generatePath !== undefined) return hooks.path(item, request)
    const route = routes?.get(item.routeName ?? '')
    return route === undefined ? null : toPath(route, { item: item.routeParams, host, locale })
  }
  return (item, asked) => {
    const made = generate(item, asked)
    if (made !== null && judgeUrl(made) === null) return made
    if (!logged.has(item)) {
      logged.add(item)
      log.warn('route_unresolved', { path: asked.served.path, line: item.line, routeName: item.routeName })
    }
    return null
  }
}
