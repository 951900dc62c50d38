import { isIP } from 'node:net'
import { toNearest } from '../document/did-you-mean.js'
import { quote } from '../document/issue.js'
import { isLanguage, toLanguage } from '../model/language.js'
import { toLocale } from '../model/locale.js'
import { isDots, paramsOf } from '../model/route.js'
import { parseRoute } from '../service/routes.js'
import type { Options } from './options.js'
import { isBranch, isPrivate, isTreePath, judgeRemote, toUsersPath } from './remote-address.js'
import { judgeHost } from './remote-host.js'

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
  const { api, dashboard, server, storage } = options
  yield* checkConnection(storage)
  if (!isBranch(storage.git.branch))
    yield { names: ['storage.git.branch'], what: `${quote(storage.git.branch)} is not the name of a branch.` }
  const remoteFault = judgeRemote(storage.git)
  if (remoteFault !== null)
    yield { names: ['storage.git.remote'], what: `The repository in storage.git.remote ${remoteFault}.` }
  else yield* judgeHost(options)
  if (storage.git.path !== '' && !isTreePath(storage.git.path)) {
    const what = `${quote(storage.git.path)} is not a path in a repository, such as site/menus.`
    yield { names: ['storage.git.path'], what }
  }
  const usersPath = toUsersPath(dashboard.users_file)
  if (usersPath !== null && !isTreePath(usersPath)) {
    const what = `${quote(dashboard.users_file)} names no file of a repository, as git:ops/users does.`
    yield { names: ['dashboard.users_file'], what }
  } else if (usersPath !== null && storage.git.remote === null) {
    const what = 'dashboard.users_file names a file of a repository, and storage.git.remote no repository.'
    yield { names: ['dashboard.users_file'], what, todo: 'Set storage.git.remote, or name a file.' }
  }
  yield* checkLocales(options)
  yield* checkPrefixes(options)
  for (const origin of api.cors_origins) yield* checkOrigin(origin)
  for (const [name, option] of Object.entries(options.routes ?? {})) {
    const { pattern, params = {} } = typeof option === 'string' ? { pattern: option } : option
    const route = parseRoute(pattern)
    if (route !== null) {
      const known = paramsOf(route)
      const odd = Object.keys(params).find((param) => !known.includes(param))
      if (odd === undefined) continue
      const what = `The pattern ${quote(pattern)} of the route ${quote(name)} has no parameter ${quote(odd)}.`
      yield { names: ['routes'], what, suggestion: toNearest(odd, known) }
      continue
    }
    const what = `The pattern ${quote(pattern)} of the route ${quote(name)} cannot be filled.`
    const todo =
      'Begin with /; use :name, :name?, :name.ext, a final *, and literals, each alone between slashes.'
    yield { names: ['routes'], what, todo }
  }
  for (const network of server.trusted_proxies.filter((each) => !isNetwork(each))) {
    const what = `${quote(network)} is neither an IP address nor a network such as 10.0.0.0/8.`
    yield { names: ['server.trusted_proxies'], what }
  }
  if (dashboard.proxy_user_header !== null && server.trusted_proxies.length === 0) {
    const what = 'dashboard.proxy_user_header is set, and server.trusted_proxies names no proxy.'
    yield { names: ['dashboard.proxy_user_header'], what, todo: 'List the addresses of the proxy.' }
  }
  const fault = server.public_url === null ? null : toUrlFault(server.public_url)
  if (fault !== null) yield { names: ['server.public_url'], what: fault }
  yield* checkOidc(options)
  const { preview_css: css } = dashboard
  if (css !== null && !URL.canParse(css, 'http://localhost'))
    yield { names: ['dashboard.preview_css'], what: `${quote(css)} is not an address.` }
}

function* checkConnection({ connection, connections }: Options['storage']): Generator<OptionFault> {
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
  const locales = tags.map((tag) => toLocale(tag))
  const faults = tags.flatMap((tag, place): Omit<OptionFault, 'names'>[] => {
    const locale = locales[place] ?? null
    if (locale === null) return [{ what: `${quote(tag)} is not a BCP 47 language tag, such as en or pt-BR.` }]
    if (!isLanguage(locale)) {
      const what = `${quote(tag)} is not a language: ISO 639 has no such code.`
      return [{ what, suggestion: toLanguage(locale) }]
    }
    return locales.indexOf(locale) < place ? [{ what: `${quote(tag)} is listed twice.` }] : []
  })
  for (const fault of faults) yield { names: ['locales'], ...fault }
  if (fallback === null || faults.length > 0 || locales.includes(toLocale(fallback))) return
  const what = `${quote(fallback)} is not among the locales ${tags.join(', ')}.`
  yield { names: ['default_locale'], what, suggestion: toNearest(fallback, tags) }
}

function* checkPrefixes({ api, dashboard }: Options): Generator<OptionFault> {
  const names = ['api.path_prefix', 'dashboard.path_prefix']
  const prefixes = [api.path_prefix, dashboard.path_prefix] as const
  const faults = prefixes.map(toPrefixFault)
  for (const [place, fault] of faults.entries())
    if (fault !== null)
      yield { names: names.slice(place, place + 1), what: `${quote(prefixes[place])} ${fault}.` }
  const [first, second] = prefixes.map((prefix) => `${prefix}/`) as [string, string]
  if (faults.some((fault) => fault !== null) || !(first.startsWith(second) || second.startsWith(first)))
    return
  const what = `The API (${api.path_prefix}) and the dashboard (${dashboard.path_prefix}) overlap.`
  yield { names, what, todo: 'Give them different paths.' }
}

function toPrefixFault(prefix: string): string | null {
  if (prefix.split('/').some(isDots)) return 'has a segment . or .., which clients remove from a path'
  return prefix === '/-' ? 'would hide /-/reload' : null
}

/** Origins as browsers send them: one that is written otherwise would never be met. */
function* checkOrigin(each: string): Generator<OptionFault> {
  const names = ['api.cors_origins']
  if (each === '*') return
  if (each.includes('*')) {
    const what = `${quote(each)} is not an origin: a list has no wildcards.`
    yield { names, what, todo: 'List the origins one by one, or use * alone for all.' }
  } else if (!URL.canParse(each)) yield { names, what: `${quote(each)} is not an origin.` }
  else if (new URL(each).origin !== each.toLowerCase()) {
    const sent = quote(new URL(each).origin)
    yield { names, what: `${quote(each)} is not the form that browsers send: ${sent}.` }
  }
}

/** What sign-in through an OpenID Connect provider needs. */
function* checkOidc({ dashboard, server }: Options): Generator<OptionFault> {
  const { issuer, client_id, scopes, roles, default_role } = dashboard.oidc
  const toOidcFault = (name: string, what: string, todo?: string): OptionFault => ({
    names: [`dashboard.oidc.${name}`, 'dashboard.oidc.issuer'],
    what,
    ...(todo && { todo }),
  })
  if (issuer === null) {
    const what = 'dashboard.oidc.client_id is set, and dashboard.oidc.issuer is not.'
    if (client_id !== null) yield toOidcFault('client_id', what)
    return
  }
  const address = new URL(URL.canParse(issuer) ? issuer : 'none:')
  if (!isPrivate(address) || /[@?#]/.test(address.href))
    yield toOidcFault('issuer', `${quote(issuer)} is not an https address without user, query and fragment.`)
  if (client_id === null)
    yield toOidcFault('issuer', 'dashboard.oidc.issuer is set, and dashboard.oidc.client_id is not.')
  const whyUrl = 'Set server.public_url: the provider sends browsers back to an address below it.'
  if (server.public_url === null)
    yield toOidcFault('issuer', 'dashboard.oidc.issuer is set, and server.public_url is not.', whyUrl)
  if (!scopes.includes('openid'))
    yield toOidcFault('scopes', 'dashboard.oidc.scopes does not contain openid.')
  const whyRole = 'List groups in dashboard.oidc.roles, or set dashboard.oidc.default_role.'
  if (default_role === null && Object.values(roles).flat().length === 0)
    yield toOidcFault('roles.view', 'No user of dashboard.oidc.issuer would get a role.', whyRole)
}

function toUrlFault(url: string): string | null {
  if (!URL.canParse(url)) return `${quote(url)} is not an address.`
  const { username, password } = new URL(url)
  const isOpen = username === '' && password === ''
  return isOpen ? null : 'The address names a user, which /openapi.json would show to everybody.'
}

/** Whether a text is an IP address, or a CIDR network of them. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '0', more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}
