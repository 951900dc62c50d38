import { toNearest } from '../document/nearest.js'
import { type MenuRequest, NO_REQUEST } from '../service/hooks.js'
import type { Notices } from './notices.js'

/** The `this` of a nunjucks global: the render context, where it is known. */
export type TemplateThis = { readonly ctx?: Readonly<Record<string, unknown>> } | undefined

/** What a template asks for. */
export interface Call {
  /** `''` when the template gives none. */
  readonly code: string
  /** Null: the request's own. */
  readonly locale: string | null
  readonly contextSets: unknown
  readonly request: MenuRequest
  /** The accessible name of the navigation; null: its default. */
  readonly label: string | null
}

export type CallReader = (
  name: string,
  positions: readonly (keyof Call)[],
  self: TemplateThis,
  given: readonly unknown[],
) => Call

/** The keywords of the globals; those that a global does not know by position are known by name. */
export const KEYWORDS: readonly (keyof Call)[] = ['code', 'locale', 'contextSets', 'request', 'label']

/** Reads the arguments of a global, by position and by keyword, which nunjucks hands over as a last object. */
export function createCallReader(notices: Notices): CallReader {
  return (name, positions, self, given) => {
    const last = given.at(-1)
    const keywords = isKeywords(last) ? last : {}
    const values = isKeywords(last) ? given.slice(0, -1) : given
    const value = (key: keyof Call): unknown => {
      const position = positions.indexOf(key)
      return Object.hasOwn(keywords, key) ? keywords[key] : position === -1 ? undefined : values[position]
    }
    for (const key of Object.keys(keywords)) {
      if (key === '__keywords' || (KEYWORDS as readonly string[]).includes(key)) continue
      const suggestion = toNearest(key, KEYWORDS)
      notices.warn('template_keyword', `${name} ${key}`, { global: name, keyword: key, suggestion })
    }
    const text = (key: keyof Call): string | null => {
      const found = value(key) ?? ''
      if (typeof found === 'string') return found === '' ? null : found
      // A SafeString of nunjucks, or what another filter made of a text.
      if (found instanceof String) return found.toString()
      notices.warn('template_argument', `${name} ${key}`, {
        global: name,
        argument: key,
        is: typeof found,
      })
      return null
    }
    const code = text('code')
    if (code === null)
      notices.warn('template_argument', `${name} code`, {
        global: name,
        argument: 'code',
        is: 'empty',
      })
    return {
      code: code ?? '',
      locale: text('locale'),
      contextSets: value('contextSets'),
      request: toRequest(value('request') ?? self?.ctx?.['request'], name, notices),
      label: text('label'),
    }
  }
}

function isKeywords(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__keywords')
}

/** The host's own request; one that says nothing where there is none, as in macros that see no context. */
function toRequest(value: unknown, name: string, notices: Notices): MenuRequest {
  if (typeof value !== 'object' || value === null) {
    const todo = 'Give the render context a request, or pass request= (macros see no context).'
    notices.warn('template_without_request', '', { global: name, todo })
    return NO_REQUEST
  }
  const { headers } = value as MenuRequest
  if (typeof headers === 'object' && headers !== null) return value as MenuRequest
  // What hooks read must be there; all else stays as the host made it.
  return Object.create(value, { headers: { value: NO_REQUEST.headers } }) as MenuRequest
}
