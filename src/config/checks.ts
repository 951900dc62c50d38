import { BlockList, isIP } from 'node:net'
import { quote } from '../document/issue.js'
import { toNearest } from '../document/nearest.js'
import { isLanguage, toLanguage } from '../model/language.js'
import { toLocale } from '../model/locale.js'
import { isDots } from '../model/route.js'
import { parseRoute } from '../service/routes.js'
import type { Options } from './options.js'

/** What is wrong with an option although its form is right. */
export interface OptionFault {
  readonly name: string
  readonly what: string
  readonly todo?: string
  readonly suggestion?: string | null
}

/** What only the values together, or more than their form, can tell. */
export function checkOptions(options: Options): OptionFault[] {
  return [
    ...checkStorage(options),
    ...checkLocales(options),
    ...checkPrefixes(options),
    ...checkOrigins(options),
    ...checkRoutes(options),
    ...checkProxies(options),
    ...checkPublicUrl(options),
  ]
}

function checkStorage({ storage }: Options): OptionFault[] {
  const names = Object.keys(storage.connections)
  if (names.includes(storage.connection)) return []
  const others = names.length === 0 ? 'it is empty' : `it has ${names.join(', ')}`
  const what = `storage.connections has no entry ${quote(storage.connection)}; ${others}.`
  // Either may be the one that was set.
  return ['storage.connection', 'storage.connections'].map((name) => ({
    name,
    what,
    suggestion: toNearest(storage.connection, names),
  }))
}

function checkLocales(options: Options): OptionFault[] {
  const faults: OptionFault[] = []
  const locales = options.locales.map((tag) => toLocale(tag))
  for (const [place, tag] of options.locales.entries()) {
    const locale = locales[place] ?? null
    if (locale === null) {
      faults.push({
        name: 'locales',
        what: `${quote(tag)} is not a BCP 47 language tag, such as en or pt-BR.`,
      })
    } else if (!isLanguage(locale)) {
      faults.push({
        name: 'locales',
        what: `${quote(tag)} is not a language: ISO 639 has no such code.`,
        suggestion: toLanguage(locale),
      })
    } else if (locales.indexOf(locale) < place) {
      faults.push({ name: 'locales', what: `${quote(tag)} is listed twice.` })
    }
  }
  const fallback = options.default_locale
  if (fallback === null || faults.length > 0) return faults
  if (locales.includes(toLocale(fallback))) return faults
  const what = `${quote(fallback)} is not among the locales ${options.locales.join(', ')}.`
  return [...faults, { name: 'default_locale', what, suggestion: toNearest(fallback, options.locales) }]
}

function checkPrefixes({ api, dashboard }: Options): OptionFault[] {
  const ours = ['api.path_prefix', 'dashboard.path_prefix']
  const [first, second] = [api.path_prefix, dashboard.path_prefix]
  const odd = [first, second].flatMap((prefix, place) => checkPrefix(ours[place] ?? '', prefix))
  const nested = (a: string, b: string) => a === b || a.startsWith(`${b}/`)
  if (odd.length > 0 || (!nested(first, second) && !nested(second, first))) return odd
  const what = `The API (${first}) and the dashboard (${second}) lie one inside the other.`
  return ours.map((name) => ({ name, what, todo: 'Give them different paths.' }))
}

function checkPrefix(name: string, prefix: string): OptionFault[] {
  const parts = prefix.split('/')
  if (parts.some(isDots)) {
    const what = `${quote(prefix)} has a part that is . or .., and clients take such parts off a path.`
    return [{ name, what }]
  }
  if (prefix !== '/-') return []
  return [{ name, what: `${quote(prefix)} would take the place of /-/reload.` }]
}

/** Origins as browsers send them: one that is written otherwise would never be met. */
function checkOrigins({ api }: Options): OptionFault[] {
  const name = 'api.cors_origins'
  if (api.cors_origins === '*') return []
  return api.cors_origins.flatMap((each): OptionFault[] => {
    if (each.includes('*')) {
      const what = `${quote(each)} is no origin: there are no wildcards in a list.`
      return [{ name, what, todo: 'List the origins one by one, or give * alone for all.' }]
    }
    if (!URL.canParse(each)) return [{ name, what: `${quote(each)} is no origin.` }]
    const { origin } = new URL(each)
    if (origin === each.toLowerCase()) return []
    return [{ name, what: `${quote(each)} is not what browsers send: that is ${quote(origin)}.` }]
  })
}

function checkRoutes({ routes }: Options): OptionFault[] {
  const faults: OptionFault[] = []
  for (const [name, pattern] of Object.entries(routes ?? {})) {
    if (parseRoute(pattern) !== null) continue
    const what = `The pattern ${quote(pattern)} of the route ${quote(name)} is not one that can be filled.`
    const todo =
      'Begin with /; use :name, :name?, :name.ext, a last *, and literals, each alone between slashes.'
    faults.push({ name: 'routes', what, todo })
  }
  return faults
}

function checkProxies({ server }: Options): OptionFault[] {
  return server.trusted_proxies
    .filter((network) => !addNetwork(new BlockList(), network))
    .map((network) => ({
      name: 'server.trusted_proxies',
      what: `${quote(network)} is neither an IP address nor a network such as 10.0.0.0/8.`,
    }))
}

function checkPublicUrl({ server }: Options): OptionFault[] {
  const { public_url: url } = server
  if (url === null) return []
  const name = 'server.public_url'
  if (!URL.canParse(url)) return [{ name, what: `${quote(url)} is not an address.` }]
  const { username, password } = new URL(url)
  if (username === '' && password === '') return []
  return [{ name, what: 'The address names a user, which /openapi.json would tell everybody.' }]
}

/** Adds an address or a CIDR network to a list; false when it is neither. */
export function addNetwork(list: BlockList, network: string): boolean {
  const [address = '', bits, more] = network.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) {
    list.addAddress(address, family)
    return true
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false
  list.addSubnet(address, Number(bits), family)
  return true
}
