import { type Locales, labelChain, toLocale } from '../model/locale.js'
import type { Label } from '../model/menu.js'
import { OPTIONAL_RULES, type ProblemCode } from '../model/problem-codes.js'
import type { Route, RouteOption, Routes } from '../model/route.js'
import type { Rules } from '../service/project-rules.js'
import { parseRoute } from '../service/routes.js'
import type { Settings } from '../service/settings.js'
import type { Options } from './options.js'

/** What the service makes of its options, once, so that no request does. Their relative paths are from `base`. */
export function toSettings(options: Options, base = '.'): Settings {
  const tags = options.locales.map((tag) => toLocale(tag)).filter((locale) => locale !== null)
  const [first = 'en'] = tags
  const locales: Locales = { locales: tags, defaultLocale: toLocale(options.default_locale ?? '') ?? first }
  const prefixMap = options.icon_library_prefix_map
  return {
    locales,
    chains: new Map([...tags, locales.defaultLocale].map((locale) => [locale, labelChain(locale, locales)])),
    prefixes: new Map(Object.entries(prefixMap ?? {})),
    iconLibraries: prefixMap === null ? null : new Set(Object.keys(prefixMap)),
    icons: { sources: options.icons ?? [], base },
    permissions: options.permissions === null ? null : toPermissions(options.permissions),
    off: toOff(options.lint.rules),
    routes: options.routes === null ? null : toRoutes(options.routes),
    api: options.api,
    publicUrl: options.server.public_url,
    limits: options.limits,
    ttl: options.cache.ttl,
    keeps: options.cache.pool !== null && options.cache.ttl > 0,
  }
}

/** What is off: by the configuration, or because a rule that is optional was not asked for. */
function toOff(rules: Rules): ReadonlySet<ProblemCode> {
  const off = new Set(OPTIONAL_RULES)
  for (const [code, severity] of Object.entries(rules) as [ProblemCode, Rules[ProblemCode]][]) {
    if (severity === 'off') off.add(code)
    else off.delete(code)
  }
  return off
}

function toPermissions(permissions: NonNullable<Options['permissions']>): ReadonlyMap<string, Label> {
  const isList = Array.isArray(permissions)
  return new Map(isList ? permissions.map((key) => [key, '']) : Object.entries(permissions))
}

function toRoutes(options: Readonly<Record<string, RouteOption>>): Routes {
  const routes = new Map<string, Route>()
  for (const [name, option] of Object.entries(options)) {
    const { pattern, name: title, params = {} } = typeof option === 'string' ? { pattern: option } : option
    const route = parseRoute(pattern)
    const values = Object.entries(params).map(
      ([param, { values: known = [] }]) => [param, known.map(String)] as const,
    )
    if (route === null) continue
    const more = {
      ...(title !== undefined && { title }),
      ...(values.length > 0 && { values: new Map(values) }),
    }
    routes.set(name, { ...route, ...more })
  }
  return routes
}
