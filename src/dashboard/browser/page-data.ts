import type { ActionTexts } from '../../change/actions/outcome.js'
import type { MenuLimits } from '../../change/actions/places.js'
import type { ItemMark } from '../../change/compare/differences.js'
import type { Plurals } from '../../change/fill.js'
import type { PageNames } from '../../change/find-items.js'
import type { Json } from '../../model/json.js'
import type { Locale } from '../../model/locale.js'

/** What the page of a menu hands to its script, as JSON. */
export interface EditorData {
  /** Identifies the service among all that a browser may find at the same address. */
  readonly service: string
  readonly file: string
  /** The id of the operator. */
  readonly user: string
  /** The token of the session; null where none is needed. */
  readonly csrf: string | null
  /** The state of the menu that the page shows, as its forms send it. */
  readonly state: string
  /** The version of the file on the disk; null where it is gone. */
  readonly disk: string | null
  /** The menu as it is in the draft. */
  readonly value: Json
  /** Steps of the draft that can be undone, and redone. */
  readonly steps: number
  readonly redoable: number
  /** What the draft changes, as its review counts it. */
  readonly changes: number
  readonly limits: MenuLimits
  /** The locales in which labels are looked for. */
  readonly chain: readonly Locale[]
  /** What people call the pages of routes. */
  readonly pages: PageNames
  readonly texts: EditorTexts
}

/** What the script of the editor says. In a sentence, names in braces are replaced by what it is about. */
export interface EditorTexts extends BrowserTexts {
  readonly actions: ActionTexts
  /** The buttons whose words depend on another item: alone, and with `{name}`. */
  readonly nest: string
  readonly nestUnder: string
  readonly unnest: string
  readonly unnestFrom: string
  readonly menuOf: string
  readonly close: string
  readonly hidden: string
  readonly unchanged: string
  readonly changes: Plurals
  readonly below: Plurals
  readonly preview: string
  readonly undone: string
  readonly redone: string
  readonly tree: TreeTexts
}

/** What the script says of the tree and of the panel beside it. */
export interface TreeTexts {
  readonly leaveAsk: string
  /** How many items are selected. */
  readonly count: Plurals
  /** How many items a search finds. */
  readonly found: Plurals
  readonly marks: { readonly [mark in ItemMark]: string }
}

/** The sentences that only the script says. */
export interface BrowserTexts {
  readonly nothingToUndo: string
  readonly nothingToRedo: string
  /** Somebody changed the menu, and this page shows it now. */
  readonly adopted: string
  readonly waiting: string
  readonly failing: string
  readonly signedOut: string
  readonly signIn: string
  readonly otherUser: string
  readonly refused: string
  readonly resumed: string
  readonly dropTop: string
  readonly dropUnder: string
  readonly dropped: string
}

/** What is said of a form that is not sent, because what was typed would be lost; by what keeps it. */
export type FormTroubles = {
  readonly [trouble in 'tooLarge' | 'unreachable' | 'signedOut' | 'otherUser' | 'role' | 'storage']: string
}
