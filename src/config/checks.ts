import { BlockList, isIP } from 'node:net'
import { quote } from '../document/issue.js'
import { toNearest } from '../document/nearest.js'
import { toLocale } from '../model/locale.js'
import type { Options } from '../service/options.js'
import { parseRoute } from '../service/routes.js'

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
  return [{ name: 'storage.connection', what, suggestion: toNearest(storage.connection, names) }]
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
  const nested = (a: string, b: string) => a === b || a.startsWith(`${b}/`)
  if (!nested(api.path_prefix, dashboard.path_prefix) && !nested(dashboard.path_prefix, api.path_prefix))
    return []
  const what = `The API (${api.path_prefix}) and the dashboard (${dashboard.path_prefix}) lie one inside the other.`
  return ['api.path_prefix', 'dashboard.path_prefix'].map((name) => ({
    name,
    what,
    todo: 'Give them different paths.',
  }))
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
  if (url === null || URL.canParse(url)) return []
  return [{ name: 'server.public_url', what: `${quote(url)} is not an address.` }]
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
