import { isIP } from 'node:net'
import { quote } from '../document/issue.js'
import { toNearest } from '../document/nearest.js'
import { isLanguage, toLanguage } from '../model/language.js'
import { toLocale } from '../model/locale.js'
import { isDots } from '../model/route.js'
import { parseRoute } from '../service/routes.js'
import type { Options } from './options.js'

/** What is wrong with options although their form is right. */
export interface OptionFault {
  /** The options that it is about: any of them may be the one that was set. */
  readonly names: readonly string[]
  readonly what: string
  readonly todo?: string
  readonly suggestion?: string | null
}

/** Checks that need several values together, or more than their form. */
export function* checkOptions(options: Options): Generator<OptionFault> {
  yield* checkStorage(options)
  yield* checkLocales(options)
  yield* checkPrefixes(options)
  for (const origin of options.api.cors_origins) yield* checkOrigin(origin)
  yield* checkRoutes(options)
  yield* checkServer(options)
}

function* checkStorage({ storage: { connection, connections } }: Options): Generator<OptionFault> {
  const entries = Object.keys(connections)
  if (entries.includes(connection)) return
  const others = entries.length === 0 ? 'it is empty' : `it has ${entries.join(', ')}`
  yield {
    names: ['storage.connection', 'storage.connections'],
    what: `storage.connections has no entry ${quote(connection)}; ${others}.`,
    suggestion: toNearest(connection, entries),
  }
}

function* checkLocales({ locales: tags, default_locale: fallback }: Options): Generator<OptionFault> {
  const names = ['locales']
  const locales = tags.map((tag) => toLocale(tag))
  let isFine = true
  for (const [place, tag] of tags.entries()) {
    const locale = locales[place] ?? null
    isFine &&= locale !== null && isLanguage(locale) && locales.indexOf(locale) === place
    if (locale === null)
      yield { names, what: `${quote(tag)} is not a BCP 47 language tag, such as en or pt-BR.` }
    else if (!isLanguage(locale)) {
      const what = `${quote(tag)} is not a language: ISO 639 has no such code.`
      yield { names, what, suggestion: toLanguage(locale) }
    } else if (locales.indexOf(locale) < place) yield { names, what: `${quote(tag)} is listed twice.` }
  }
  if (fallback === null || !isFine || locales.includes(toLocale(fallback))) return
  const what = `${quote(fallback)} is not among the locales ${tags.join(', ')}.`
  yield { names: ['default_locale'], what, suggestion: toNearest(fallback, tags) }
}

function* checkPrefixes({ api, dashboard }: Options): Generator<OptionFault> {
  const prefixes = { 'api.path_prefix': api.path_prefix, 'dashboard.path_prefix': dashboard.path_prefix }
  const odd = Object.entries(prefixes).flatMap(([name, prefix]) => prefixFaults(name, prefix))
  yield* odd
  const [first, second] = [api.path_prefix, dashboard.path_prefix].map((prefix) => `${prefix}/`)
  if (odd.length > 0 || !(first?.startsWith(second ?? '') || second?.startsWith(first ?? ''))) return
  const what = `The API (${api.path_prefix}) and the dashboard (${dashboard.path_prefix}) are one inside the other.`
  yield { names: Object.keys(prefixes), what, todo: 'Give them different paths.' }
}

function prefixFaults(name: string, prefix: string): OptionFault[] {
  const hasDots = prefix.split('/').some(isDots)
  if (!hasDots && prefix !== '/-') return []
  const fault = hasDots
    ? 'has a part that is . or .., and clients take such parts off a path'
    : 'would take the place of /-/reload'
  return [{ names: [name], what: `${quote(prefix)} ${fault}.` }]
}

/** Origins as browsers send them: one that is written otherwise would never be met. */
function* checkOrigin(each: string): Generator<OptionFault> {
  const names = ['api.cors_origins']
  if (each === '*') return
  if (each.includes('*')) {
    const what = `${quote(each)} is not an origin: a list has no wildcards.`
    yield { names, what, todo: 'List the origins one by one, or give * alone for all.' }
  } else if (!URL.canParse(each)) yield { names, what: `${quote(each)} is not an origin.` }
  else if (new URL(each).origin !== each.toLowerCase()) {
    const sent = quote(new URL(each).origin)
    yield { names, what: `${quote(each)} is not what browsers send: that is ${sent}.` }
  }
}

function* checkRoutes({ routes }: Options): Generator<OptionFault> {
  for (const [name, pattern] of Object.entries(routes ?? {})) {
    if (parseRoute(pattern) !== null) continue
    const what = `The pattern ${quote(pattern)} of the route ${quote(name)} is not one that can be filled.`
    const todo =
      'Begin with /; use :name, :name?, :name.ext, a last *, and literals, each alone between slashes.'
    yield { names: ['routes'], what, todo }
  }
}

function* checkServer({ server }: Options): Generator<OptionFault> {
  for (const network of server.trusted_proxies) {
    if (isNetwork(network)) continue
    const what = `${quote(network)} is neither an IP address nor a network such as 10.0.0.0/8.`
    yield { names: ['server.trusted_proxies'], what }
  }
  const { public_url: url } = server
  const names = ['server.public_url']
  if (url === null) return
  if (!URL.canParse(url)) yield { names, what: `${quote(url)} is not an address.` }
  else if (new URL(url).username !== '' || new URL(url).password !== '')
    yield { names, what: 'The address names a user, which /openapi.json would show to everybody.' }
}

/** Whether a text is an IP address, or a CIDR network of them. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '0', more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}
