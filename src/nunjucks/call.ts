import { toNearest } from '../document/did-you-mean.js'
import { type MenuStyle, STYLES } from '../render/display.js'
import type { MenuRequest } from '../service/hooks.js'
import { type HostRequest, toMenuRequest } from '../service/menu-request.js'
import { areKeywords } from './genuine-keywords.js'

/** The `this` of a nunjucks global: the render context, where it is known. */
export type TemplateThis = { readonly ctx?: Readonly<Record<string, unknown>> } | undefined

/** What templates may give, by position or by name. */
export const KEYWORDS = [
  'code',
  'locale',
  'contextSets',
  'request',
  'label',
  'style',
  'icons',
  'jsonLd',
] as const
const ICONS = ['span', 'svg'] as const

export type Keyword = (typeof KEYWORDS)[number]

/** What a template asks for. */
export interface Call {
  readonly code: string
  /** Null: the request's own. */
  readonly locale: string | null
  readonly contextSets: unknown
  /** The accessible name of the navigation; null: its default. */
  readonly label: string | null
  /** The shape of the HTML; null: that of the menu. */
  readonly style: MenuStyle | null
  /** How icons are written. */
  readonly icons: (typeof ICONS)[number]
  /** Whether breadcrumbs are also written for search engines. */
  readonly jsonLd: boolean
  /** The host's own request; null where there is none, as in macros that see no context. */
  readonly request: MenuRequest | null
}

/** The code among the arguments of a global; `''` when there is none. */
export function toCode(given: readonly unknown[]): string {
  const { placed, named } = toArguments(given)
  const code = plain(named.has('code') ? named.get('code') : placed[0])
  return typeof code === 'string' ? code : ''
}

/** Reads the arguments of a global. Throws TypeError for what could only show another menu than was meant. */
export function toCall(positions: readonly Keyword[], given: readonly unknown[], self: TemplateThis): Call {
  const { placed, named } = toArguments(given)
  if (placed.length > positions.length) {
    const expected = positions.join(', ')
    throw new TypeError(`it takes only ${expected} by position, and got ${placed.length} arguments`)
  }
  const values = new Map<string, unknown>(positions.map((name, place) => [name, placed[place]]))
  for (const [name, value] of named) {
    if ((values.get(name) ?? null) !== null) throw new TypeError(`${name} is given by position and by name`)
    if (!KEYWORDS.some((each) => each === name)) {
      const meant = toNearest(name, KEYWORDS)
      throw new TypeError(`${name} is not a keyword${meant === null ? '' : `; did you mean ${meant}?`}`)
    }
    values.set(name, value)
  }
  const text = (name: Keyword): string | null => {
    const value = plain(values.get(name)) ?? ''
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string, and is ${describe(value)}`)
    return value === '' ? null : value
  }
  const oneOf = <Choice extends string>(name: Keyword, choices: readonly Choice[]): Choice | null => {
    const value = text(name)
    const choice = choices.find((each) => each === value) ?? null
    if (value === null || choice !== null) return choice
    throw new TypeError(`${name} is ${JSON.stringify(value)}, and can be ${choices.join(', ')}`)
  }
  const jsonLd = values.get('jsonLd') ?? false
  if (typeof jsonLd !== 'boolean')
    throw new TypeError(`jsonLd must be true or false, and is ${describe(jsonLd)}`)
  const code = text('code')
  if (code === null) throw new TypeError('the code is empty or not defined')
  const request = values.get('request') ?? self?.ctx?.['request']
  return {
    code,
    locale: text('locale'),
    contextSets: toPlainSets(values.get('contextSets')),
    label: text('label'),
    style: oneOf('style', STYLES),
    icons: oneOf('icons', ICONS) ?? 'span',
    jsonLd,
    request: typeof request === 'object' && request !== null ? toMenuRequest(request as HostRequest) : null,
  }
}

/** Arguments by position and by name: nunjucks hands keywords over as a last object. */
function toArguments(given: readonly unknown[]) {
  const last = given.at(-1)
  if (!areKeywords(last)) return { placed: given, named: new Map<string, unknown>() }
  const named = new Map(Object.entries(last))
  named.delete('__keywords')
  return { placed: given.slice(0, -1), named }
}

/** A text that a macro or a filter made is a SafeString of nunjucks, an object. */
function plain(value: unknown): unknown {
  return value instanceof String ? value.toString() : value
}

function toPlainSets(sets: unknown): unknown {
  if (!Array.isArray(sets)) return plain(sets)
  return sets.map((set: unknown) => {
    if (typeof set !== 'object' || set === null || Array.isArray(set) || set instanceof String) return set
    return Object.fromEntries(Object.entries(set).map(([key, value]) => [key, plain(value)]))
  })
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `of the type ${typeof value}`
  if (Array.isArray(value)) return 'a list'
  return Object.hasOwn(value, '__keywords') ? 'a map that no template wrote as keywords' : 'a map'
}
