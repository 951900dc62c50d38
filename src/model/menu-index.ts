import type { ContextKey } from './context.js'
import type { Menu } from './menu.js'

/** A menu as it is served, with the file that it comes from. */
export interface ServedMenu {
  readonly menu: Menu
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** The content hash of the text that is served. */
  readonly version: string
  /** Whether this is the last good version of a file that has errors now. */
  readonly stale: boolean
}

/** Code → context → menu: one lookup per candidate, whatever the number of menus. */
export type MenuIndex = ReadonlyMap<string, ReadonlyMap<ContextKey, ServedMenu>>
