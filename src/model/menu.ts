import type { Window } from './window.js'

/** A menu as the service holds it: parsed once at the door, frozen, never checked again. */

/** A scalar that a context may have. Numbers are finite and within ±(2^53−1). */
export type Scalar = string | number | boolean | null

/** A flat map of scalars; `{}` is *no context*, the global fallback. */
export type Context = Readonly<Record<string, Scalar>>

/** One text for every locale, or texts by canonical BCP 47 tag (at least one, none blank). */
export type Label = string | Readonly<Record<string, string>>

/** The value of a route parameter; a list becomes a repeated key in the query string. */
export type RouteParam = Scalar | readonly Scalar[]
export type RouteParams = Readonly<Record<string, RouteParam>>

export type PermissionMode = 'all' | 'any'
export type ItemType = 'link' | 'section' | 'divider'

interface ItemBase extends Window {
  /** A stable handle for people, CSS, merges and tests; null when the file gives none. */
  readonly id: string | null
  /** The 1-based line of the item in its file, for explanations. */
  readonly line: number
  readonly hidden: boolean
  readonly permissions: readonly string[]
  readonly permissionMode: PermissionMode
  /** Allow-listed HTML attributes. */
  readonly attributes: Readonly<Record<string, string | boolean>> | null
}

interface Labelled extends ItemBase {
  readonly label: Label
  readonly icon: string | null
  readonly children: readonly MenuItem[]
}

/** An item that leads somewhere: by a route of the application or by a URL, exactly one of them. */
export interface LinkItem extends Labelled {
  readonly type: 'link'
  readonly routeName: string | null
  readonly routeParams: RouteParams
  readonly url: string | null
}

/** A heading over its children; it may name a route of its own. */
export interface SectionItem extends Labelled {
  readonly type: 'section'
  readonly routeName: string | null
  readonly routeParams: RouteParams
}

export interface DividerItem extends ItemBase {
  readonly type: 'divider'
}

/** An item of a menu; `type` is its kind. */
export type MenuItem = LinkItem | SectionItem | DividerItem

/** One menu file, read: its content, and the lines of its items. */
export interface Menu extends Window {
  /** The 1-based line of its `code`. */
  readonly line: number
  readonly code: string
  readonly name: string
  readonly context: Context
  /** The file's rendering options; the doors add the defaults. */
  readonly display: Readonly<Record<string, unknown>>
  readonly items: readonly MenuItem[]
  /** When windows of the menu or its items open or close, in milliseconds since 1970, in order. */
  readonly boundaries: readonly number[]
  /** The time at which windows are judged; null, as it is read, if none is. */
  readonly asOf: number | null
}

/** The items below an item; a divider has none. */
export function childrenOf(item: MenuItem): readonly MenuItem[] {
  return item.type === 'divider' ? [] : item.children
}

/** Every item of a tree, parents before children, in the order of the file. */
export function* everyItem(items: readonly MenuItem[]): Generator<MenuItem> {
  for (const item of items) {
    yield item
    yield* everyItem(childrenOf(item))
  }
}
