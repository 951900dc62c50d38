import type { Locale } from '../../model/locale.js'
import type { Context, ItemType, Menu, PermissionMode } from '../../model/menu.js'
import type { ServedMenu } from '../../model/select.js'
import type { Fate } from '../../model/visibility.js'
import type { Viewer } from '../hooks.js'

/** Why a request gets what it gets, as data: the command line and the dashboard show the same. Sentences are English. */
export interface Explanation {
  /** The time that was given, in UTC; null for the present. */
  readonly asOf: string | null
  readonly code: { readonly asked: string; readonly resolved: string; readonly why: string }
  readonly locale: { readonly asked: string | null; readonly effective: Locale; readonly why: string }
  readonly viewer: Viewer & { readonly why: string }
  /** In the order in which they are tried; without context sets, the menu without a context is the only one. */
  readonly candidates: readonly ExplainedCandidate[]
  /** The menu that answers; null when none does. The lines of a stale one are those of its last good version. */
  readonly menu: (Omit<ServedMenu, 'menu'> & Pick<Menu, 'line' | 'name' | 'context'>) | null
  /** What else there is to know, such as files that are withheld. */
  readonly notes: readonly string[]
  readonly items: readonly ExplainedItem[]
}

export interface ExplainedCandidate {
  readonly context: Context
  readonly outcome: 'won' | 'lost' | 'not-tried'
  readonly why: string
}

/** An item of the file, whether or not it is on the tree. */
export interface ExplainedItem {
  readonly line: number
  readonly id: string | null
  readonly itemType: ItemType
  /** The text with the locale that it came from, null where it is one text for every locale. */
  readonly label: { readonly text: string; readonly locale: Locale | null; readonly why: string }
  /** Null where the item is not shown. */
  readonly href: { readonly value: string; readonly routeName: string | null; readonly why: string } | null
  /** Null where the item has none. */
  readonly icon: { readonly value: string; readonly why: string } | null
  /** What the item needs, and what of it the viewer lacks; null if the item is for everyone. */
  readonly permissions: {
    readonly needs: readonly string[]
    readonly mode: PermissionMode
    readonly missing: readonly string[]
  } | null
  /** What becomes of the item, and why; `below` goes with an item above it. */
  readonly fate: Fate | 'below'
  readonly why: string
  readonly children: readonly ExplainedItem[]
}
