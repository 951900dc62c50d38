import { type Locales, labelChain, toLocale } from '../model/locale.js'
import { OPTIONAL_RULES, type ProblemCode } from '../model/problem-codes.js'
import type { Route, Routes } from '../model/route.js'
import type { Rules } from '../service/project-rules.js'
import { parseRoute } from '../service/routes.js'
import type { Settings } from '../service/settings.js'
import type { Options } from './options.js'

/** What the service makes of its options, once, so that no request does. */
export function toSettings(options: Options): Settings {
  const tags = options.locales.map((tag) => toLocale(tag)).filter((locale) => locale !== null)
  const [first = 'en'] = tags
  const locales: Locales = { locales: tags, defaultLocale: toLocale(options.default_locale ?? '') ?? first }
  const prefixMap = options.icon_library_prefix_map
  return {
    locales,
    chains: new Map([...tags, locales.defaultLocale].map((locale) => [locale, labelChain(locale, locales)])),
    prefixes: new Map(Object.entries(prefixMap ?? {})),
    iconLibraries: prefixMap === null ? null : new Set(Object.keys(prefixMap)),
    permissions: options.permissions === null ? null : new Set(options.permissions),
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

function toRoutes(patterns: Readonly<Record<string, string>>): Routes {
  const routes = new Map<string, Route>()
  for (const [name, pattern] of Object.entries(patterns)) {
    const route = parseRoute(pattern)
    if (route !== null) routes.set(name, route)
  }
  return routes
}
