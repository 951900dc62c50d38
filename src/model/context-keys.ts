import type { Context, Menu } from './menu.js'
import { isOneSlip, toFolded } from './typo.js'

/** At most this many keys are compared with one that no other menu has, the most used ones. */
const MAX_COMPARED = 100
/** Two keys are near if one is the beginning of the other, and lacks at most this many letters: `partner`, `partnerId`. */
const SHORTEST = 4
const MAX_ENDING = 3

/** The keys of the contexts of some menus. */
export interface ContextKeys {
  /** The key that was probably meant by one of a context: only this menu has it, and others have one near to it. */
  readonly toMeant: (key: string, own: Context) => string | null
}

export function createContextKeys(menus: Iterable<Pick<Menu, 'context'>>): ContextKeys {
  const uses = new Map<string, number>()
  for (const { context } of menus)
    for (const key of Object.keys(context)) uses.set(key, (uses.get(key) ?? 0) + 1)
  const known = [...uses]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COMPARED)
    .map(([key]) => ({ key, folded: toFolded(key) }))
  return {
    toMeant(key, own) {
      if ((uses.get(key) ?? 0) > 1) return null
      const folded = toFolded(key)
      const meant = known.find((other) => !Object.hasOwn(own, other.key) && areNear(folded, other.folded))
      return meant?.key ?? null
    },
  }
}

function areNear(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const ending = long.slice(short.length)
  const isBeginning = short.length >= SHORTEST && ending.length <= MAX_ENDING && long.startsWith(short)
  return (isBeginning && !/\d/.test(ending)) || isOneSlip(one, other)
}
