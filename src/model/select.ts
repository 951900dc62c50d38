import { type ContextKey, NO_CONTEXT } from './context.js'
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

/** Code → context → menu: one lookup per candidate, for any number of menus. */
export type MenuIndex = ReadonlyMap<string, ReadonlyMap<ContextKey, ServedMenu>>

/** Which menu answers a request, and which candidate (by its position, from 0) found it. */
export interface Selection {
  readonly served: ServedMenu | null
  readonly candidate: number | null
}

const NO_SELECTION: Selection = Object.freeze({ served: null, candidate: null })

/**
 * The first candidate for which a menu with that code and an equal context exists, even if its tree is empty. Without
 * candidates, the menu without a context. There is no implicit fallback.
 */
export function selectMenu(index: MenuIndex, code: string, candidates: readonly ContextKey[]): Selection {
  const variants = index.get(code)
  if (variants === undefined) return NO_SELECTION
  for (const [candidate, key] of (candidates.length === 0 ? [NO_CONTEXT] : candidates).entries()) {
    const served = variants.get(key)
    if (served !== undefined) return { served, candidate }
  }
  return NO_SELECTION
}
