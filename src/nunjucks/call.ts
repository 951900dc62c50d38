import { toNearest } from '../document/nearest.js'
import type { MenuRequest } from '../service/hooks.js'
import { type HostRequest, toMenuRequest } from '../service/menu-request.js'
import { areKeywords } from './keywords.js'

/** The `this` of a nunjucks global: the render context, where it is known. */
export type TemplateThis = { readonly ctx?: Readonly<Record<string, unknown>> } | undefined

/** What templates may give, by position or by name. */
export type Keyword = 'code' | 'locale' | 'contextSets' | 'request' | 'label'

export const KEYWORDS: readonly Keyword[] = ['code', 'locale', 'contextSets', 'request', 'label']

/** What a template gives, as it gives it. */
export interface Arguments {
  readonly values: ReadonlyMap<string, unknown>
  /** Why they cannot be what was meant; null where they can. */
  readonly fault: string | null
}

/** What a template asks for. */
export interface Call {
  readonly code: string
  /** Null: the request's own. */
  readonly locale: string | null
  readonly contextSets: unknown
  /** The accessible name of the navigation; null: its default. */
  readonly label: string | null
  /** The host's own request; null where there is none, as in macros that see no context. */
  readonly request: MenuRequest | null
}

/** The arguments of a global by name; nunjucks hands keywords over as a last object. */
export function toArguments(positions: readonly Keyword[], given: readonly unknown[]): Arguments {
  const last = given.at(-1)
  const named = areKeywords(last) ? Object.entries(last).filter(([name]) => name !== '__keywords') : []
  const placed = areKeywords(last) ? given.slice(0, -1) : given
  const values = new Map<string, unknown>(positions.map((name, place) => [name, placed[place]]))
  const twice = named.find(([name]) => (values.get(name) ?? null) !== null)
  const fault =
    placed.length > positions.length
      ? `by position it takes ${positions.join(', ')}, and it was given ${placed.length} arguments`
      : twice === undefined
        ? null
        : `${twice[0]} is given by position and by name`
  for (const [name, value] of named) values.set(name, value)
  return { values, fault }
}

/** The code among arguments; `''` when there is none. */
export function toCode({ values }: Arguments): string {
  const code = plain(values.get('code'))
  return typeof code === 'string' ? code : ''
}

/** Reads arguments. Throws TypeError for what could only show another menu than was meant. */
export function toCall({ values: given, fault }: Arguments, self: TemplateThis): Call {
  if (fault !== null) throw new TypeError(fault)
  for (const name of given.keys()) {
    if ((KEYWORDS as readonly string[]).includes(name)) continue
    const meant = toNearest(name, KEYWORDS)
    throw new TypeError(`${name} is not a keyword${meant === null ? '' : `; did you mean ${meant}?`}`)
  }
  const text = (name: Keyword): string | null => {
    const value = plain(given.get(name)) ?? ''
    if (typeof value !== 'string') throw new TypeError(`${name} must be a text, and is ${describe(value)}`)
    return value === '' ? null : value
  }
  const code = text('code')
  if (code === null) throw new TypeError('the code is empty or not defined')
  const request = given.get('request') ?? self?.ctx?.['request']
  return {
    code,
    locale: text('locale'),
    contextSets: toPlainSets(given.get('contextSets')),
    label: text('label'),
    request: typeof request === 'object' && request !== null ? toMenuRequest(request as HostRequest) : null,
  }
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
