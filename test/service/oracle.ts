import type { Context, MenuItem, RouteParam, RouteParams } from '../../src/model/menu.js'
import { type Left, labelText, lookUp, prune, select, type Variant } from '../model/oracle.js'

// Links, languages and whole answers once more, as plainly as they can be said. It shares
// no line with src/: where the two disagree, one of them has misread the contract.

export interface Address {
  readonly pattern: string
  readonly params: RouteParams
  /** The route parameters of the page that asks. */
  readonly host: Readonly<Record<string, unknown>>
  readonly locale: string
}

/** The address that a pattern gives; null when it cannot be made. */
export function hrefOf({ pattern, params, host, locale }: Address): string | null {
  const given = new Map(Object.entries(params))
  const around = new Map(Object.entries(host))
  const left = new Map(given)
  const valueFor = (name: string, required = false): string | null => {
    left.delete(name)
    const lent = name === '_locale' ? locale : required ? around.get(name) : null
    const value = given.get(name) ?? lent ?? null
    const usable = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return usable && value !== '' ? String(value) : null
  }
  const segments: string[] = []
  for (const segment of pattern.split('/').slice(1)) {
    const [, name, optional, ending = ''] = /^:(\w+)(\??)(\..*)?$/.exec(segment) ?? []
    if (segment === '*') {
      segments.push(...(valueFor('*') ?? '').replace(/^\//, '').split('/').map(encoded))
    } else if (name === undefined) segments.push(segment)
    else {
      const value = valueFor(name, optional === '')
      if (value === null && optional === '?') continue
      segments.push(value === null ? IMPOSSIBLE : `${encoded(value)}${ending}`)
    }
  }
  if (segments.some((segment) => segment.startsWith(IMPOSSIBLE))) return null
  while (segments.length > 1 && segments[0] === '') segments.shift()
  const query = [...left].flatMap(([key, value]) => pairsOf(key, value))
  if (query.some((pair) => pair.includes(IMPOSSIBLE))) return null
  return `/${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** Stands for what has no place in an address: `.` and `..`, which browsers resolve, and half characters. */
const IMPOSSIBLE = '\0'

function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text)
}

function encoded(text: string): string {
  if (text === '.' || text === '..') return IMPOSSIBLE
  return isWellFormed(text) ? encodeURIComponent(text) : IMPOSSIBLE
}

function pairsOf(key: string, value: RouteParam): string[] {
  const values = Array.isArray(value) ? value : [value]
  const safe = (text: string) => (isWellFormed(text) ? encodeURIComponent(text) : IMPOSSIBLE)
  return values.filter((each) => each !== null).map((each) => `${safe(key)}=${safe(String(each))}`)
}

/** What a deployment is configured to. */
export interface Site {
  readonly locales: readonly string[]
  readonly defaultLocale: string
  readonly routes: Readonly<Record<string, string>>
  readonly prefixes: Readonly<Record<string, string>>
}

export interface Written extends Variant {
  readonly items: readonly MenuItem[]
}

export interface Question {
  readonly code: string
  readonly locale: string | null
  readonly acceptLanguage: string | null
  readonly sets: readonly Context[]
  readonly permissions: readonly string[]
}

/** The effective locale: the one asked for, else by Accept-Language, always one of ours. */
export function localeOf({ locales, defaultLocale }: Site, { locale, acceptLanguage }: Question): string {
  if (locale !== null) return lookUp(locale, locales) ?? defaultLocale
  for (const range of rangesOf(acceptLanguage ?? '')) {
    const found = lookUp(range, locales)
    if (found !== null) return found
  }
  return defaultLocale
}

/** RFC 9110, section 12.5.4: by weight, then as written; weight 0 is not acceptable. */
function rangesOf(header: string): string[] {
  const ranges = header.split(',').map((part) => {
    const [tag = '', weight = 'q=1'] = part.split(';').map((each) => each.trim())
    return { tag, weight: Number(weight.replace('q=', '')) }
  })
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return wanted.map(({ tag }) => tag)
}

/** What a visitor gets: the tree of the menu that wins, null when none does. */
export function answerTo(site: Site, menus: readonly Written[], question: Question): unknown {
  const menu = select(menus, question.code, question.sets)
  if (menu === null) return null
  const canSee = ({ permissions, permissionMode }: MenuItem) => {
    const held = permissions.filter((key) => question.permissions.includes(key))
    return permissionMode === 'all'
      ? held.length === permissions.length
      : held.length > 0 || permissions.length === 0
  }
  const locale = localeOf(site, question)
  return prune(menu.items, canSee).map((left) => nodeOf(site, locale, left))
}

function nodeOf(site: Site, locale: string, { item, children }: Left): unknown {
  if (item.type === 'divider') {
    return { label: '', href: '#', routeName: null, icon: null, itemType: 'divider', children: [] }
  }
  const { label, routeName, routeParams: params } = item
  const text = typeof label === 'string' ? label : labelText(label, locale, site.defaultLocale, site.locales)
  const pattern = new Map(Object.entries(site.routes)).get(routeName ?? '')
  const path = pattern === undefined ? null : hrefOf({ pattern, params, host: {}, locale })
  const url = item.type === 'link' ? item.url : null
  return {
    label: text,
    href: (routeName === null ? url : path) ?? '#',
    routeName,
    icon: iconOf(item.icon, site.prefixes),
    itemType: item.type,
    children: children.map((child) => nodeOf(site, locale, child)),
  }
}

function iconOf(icon: string | null, prefixes: Site['prefixes']): string | null {
  const [library = '', ...rest] = (icon ?? '').split(':')
  const prefix = new Map(Object.entries(prefixes)).get(library)
  return rest.length === 0 || prefix === undefined ? icon : [prefix, ...rest].join(':')
}
