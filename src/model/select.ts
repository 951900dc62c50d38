import { type ContextKey, NO_CONTEXT } from './context.js'
import type { Menu } from './menu.js'
import { isOpen } from './window.js'

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
  /** Until when, in milliseconds since 1970, the same request gets the same menu of this snapshot, with the same items. */
  readonly until: number
}

const NO_SELECTION: Selection = Object.freeze({
  served: null,
  candidate: null,
  until: Number.POSITIVE_INFINITY,
})

/**
 * The first candidate for which a menu with that code and an equal context exists at a time, even if its tree is empty. Without
 * candidates, the menu without a context. There is no implicit fallback. Outside its window, a menu does not exist.
 */
export function selectMenu(
  index: MenuIndex,
  code: string,
  candidates: readonly ContextKey[],
  now: number,
): Selection {
  const variants = index.get(code)
  if (variants === undefined) return NO_SELECTION
  let { until } = NO_SELECTION
  for (const [candidate, key] of (candidates.length === 0 ? [NO_CONTEXT] : candidates).entries()) {
    const served = variants.get(key)
    if (served === undefined) continue
    if (served.menu.boundaries.length === 0) return { served, candidate, until }
    const period = periodAt(served, now)
    until = Math.min(until, period.until)
    if (isOpen(served.menu, now)) return { served: period.served, candidate, until }
  }
  return { ...NO_SELECTION, until }
}

/** A menu as it is served between two of its boundaries. */
interface Period {
  readonly from: number
  /** Infinite after the last boundary. */
  readonly until: number
  readonly served: ServedMenu
}

const latest = new WeakMap<ServedMenu, Period>()

/**
 * The period of a menu at a time. In each period the menu is another value, the same one for all times in it: what is derived
 * from a menu, such as trees and bytes, never outlives its period.
 */
function periodAt(served: ServedMenu, now: number): Period {
  const known = latest.get(served)
  if (known !== undefined && known.from <= now && now < known.until) return known
  const { boundaries } = served.menu
  const from = boundaries.findLast((time) => time <= now) ?? Number.NEGATIVE_INFINITY
  const until = boundaries.find((time) => time > now) ?? Number.POSITIVE_INFINITY
  const period = { from, until, served: { ...served, menu: Object.freeze({ ...served.menu, asOf: from }) } }
  latest.set(served, period)
  return period
}
