import type { Locale } from '../model/locale.js'
import type { ServedMenu } from '../model/menu-index.js'
import type { RoutedItem } from '../model/tree.js'
import { judgeUrl } from '../model/url.js'
import type { AskedHooks } from './ask-hooks.js'
import type { MenuRequest, Policies } from './hooks.js'
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

export interface PathGeneratorDeps {
  readonly settings: Settings
  readonly policies: Policies
  readonly hooks: AskedHooks
  readonly log: Log
}

/** The path of an item that names a route; null when it cannot be generated. */
export type PathGenerator = (item: RoutedItem, asked: PathRequest) => string | null

/** Generates paths from the routes, or by the hook; one that cannot be generated is told to the operator, once per item. */
export function createPathGenerator({ settings, policies, hooks, log }: PathGeneratorDeps): PathGenerator {
  const told = new WeakSet<RoutedItem>()
  const generate = (item: RoutedItem, { request, locale, host }: PathRequest): string | null => {
    const routeName = item.routeName ?? ''
    if (policies.generatePath !== undefined) return hooks.path(routeName, item, request)
    const route = settings.routes?.get(routeName)
    return route === undefined ? null : toPath(route, { item: item.routeParams, host, locale })
  }
  return (item, asked) => {
    const made = generate(item, asked)
    const path = made === null || judgeUrl(made) !== null ? null : made
    if (path === null && !told.has(item)) {
      told.add(item)
      log.warn('route_unresolved', { path: asked.served.path, line: item.line, routeName: item.routeName })
    }
    return path
  }
}
