import type { IconPrefixes } from '../model/icon.js'
import { DEFAULT_LIMITS, type Limits } from '../model/limits.js'
import { type Locale, type Locales, labelChain, toLocale } from '../model/locale.js'
import { OPTIONAL_RULES, type ProblemCode } from '../model/problem-codes.js'
import type { Route, Routes } from '../model/route.js'
import type { Options, RuleSeverity } from './options.js'
import { parseRoute } from './routes.js'

/** What the service makes of its options, once, so that no request does. */
export interface Settings {
  readonly locales: Locales
  /** Where labels are looked for, by effective locale. */
  readonly chains: ReadonlyMap<Locale, readonly Locale[]>
  readonly prefixes: IconPrefixes
  readonly iconLibraries: ReadonlySet<string> | null
  /** The permissions that are declared; null when none are. */
  readonly permissions: ReadonlySet<string> | null
  /** The rules for menu files that are not asked for. */
  readonly off: ReadonlySet<ProblemCode>
  /** Null when none are configured. */
  readonly routes: Routes | null
  /** What the endpoint is like; its `node_members` are those of every tree unless a door asks for others. */
  readonly api: Options['api']
  /** Host and port of `server.public_url`; null when it is not set. */
  readonly publicHost: string | null
  readonly limits: Limits
  /** Seconds. */
  readonly ttl: number
  /** Whether anything is kept per viewer or per query. */
  readonly keeps: boolean
}

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
    publicHost: options.server.public_url === null ? null : new URL(options.server.public_url).host,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    ttl: options.cache.ttl,
    keeps: options.cache.pool !== null && options.cache.ttl > 0,
  }
}

/** What is off: by the configuration, or because a rule that is optional was not asked for. */
function toOff(rules: Options['lint']['rules']): ReadonlySet<ProblemCode> {
  const off = new Set(OPTIONAL_RULES)
  for (const [code, severity] of Object.entries(rules) as [ProblemCode, RuleSeverity][]) {
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
