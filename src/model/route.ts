import { type LabelText, toLabelText } from './label.js'
import type { Locale } from './locale.js'
import type { Label } from './menu.js'

/** A segment of a pattern: a text, the place of a parameter, or all that is left of a path. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly optional: boolean; readonly suffix: string }
  | { readonly kind: 'rest' }

/** A pattern that can be filled, such as `/users/:id`, `/blog/:page?`, `/files/*`. */
export interface Route {
  readonly pattern: string
  readonly segments: readonly Segment[]
  /** What people call the page. Default: nothing, so it goes by the name of its route. */
  readonly title?: Label
  /** Known values of parameters, by name. */
  readonly values?: ReadonlyMap<string, readonly string[]>
}

/** A route in a configuration: its pattern, alone or with what people know of it. */
export type RouteOption =
  | string
  | {
      readonly pattern: string
      readonly name?: Label
      readonly params?: Readonly<Record<string, { readonly values?: readonly (string | number)[] }>>
    }

export type Routes = ReadonlyMap<string, Route>

/** What people call the page of a route, in the first locale of a chain that has a name for it; null where it has none. */
export function pageOf(routes: Routes | null, route: unknown, chain: readonly Locale[]): LabelText | null {
  const title = typeof route === 'string' ? routes?.get(route)?.title : undefined
  return title === undefined ? null : toLabelText(title, chain)
}

/** The parameter that the effective locale fills where the item has none of its own, as the entries of a language switch have. */
export const LOCALE_PARAM = '_locale'
/** The name under which parameters fill a `*`. */
export const REST_PARAM = '*'

/** The parameters that a route takes from an item. */
export function paramsOf({ segments }: Route): string[] {
  return segments.flatMap((segment) =>
    segment.kind === 'literal' ? [] : segment.kind === 'rest' ? [REST_PARAM] : [segment.name],
  )
}

/** Whether a route has no path without a parameter. */
export function isRequired({ segments }: Route, param: string): boolean {
  return segments.some((segment) => segment.kind === 'param' && segment.name === param && !segment.optional)
}

/**
 * The parameters that a route takes from the page that is rendered where an item does not give them: those without
 * which there is no path. A list of orders must not become the list of shipped ones because that is where one is.
 */
export function borrowedParamsOf(route: Route): string[] {
  return paramsOf(route).filter((param) => param !== LOCALE_PARAM && isRequired(route, param))
}

/** Browsers resolve these however they are encoded (WHATWG URL, section 4.1). */
export function isDots(text: string): boolean {
  return text === '.' || text === '..'
}
