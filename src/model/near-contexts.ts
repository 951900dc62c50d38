import { describeContext, toContextKey } from './context.js'
import { derived } from './derived.js'
import type { Context, Menu, Scalar } from './menu.js'
import { isOneSlip, toComposed, toFolded } from './slip.js'

/** A menu with the path of its file. */
export interface PlacedMenu {
  readonly path: string
  readonly menu: Menu
}

/** Two variants of one code whose contexts were surely meant to be one. */
export interface NearContext {
  /** The one that comes first. */
  readonly other: PlacedMenu
  readonly what: string
}

const HOW = 'in types, case, blanks, the form of keys or how letters are composed'

/** At most this many contexts with the same values are compared key by key. */
const MAX_COMPARED = 16

/** What contexts have alike that were surely meant to be one. */
interface Loose {
  /** The context without what people vary: types, case, blanks, the way keys are written. */
  readonly text: string
  /** Its values alone. */
  readonly values: string
}

/** Finds similar contexts: one look-up, for any number of menus. */
export interface NearContexts {
  /** The first variant whose context was surely meant, or is equal; null where there is none, and for no context. */
  readonly find: (code: string, context: Context) => NearContext | null
  readonly add: (placed: PlacedMenu) => void
}

/**
 * Two contexts are near when they differ only in the type of a value (`1` and `"1"`), in case or blanks, or in one slip in
 * a key. Of what is added later, and is near only to what is near itself, nothing is found.
 */
export function createNearContexts(): NearContexts {
  const alike = new Map<string, PlacedMenu>()
  const sameValues = new Map<string, PlacedMenu[]>()
  return {
    find: (code, context) => {
      const loose = looseOf(context)
      if (loose === null) return null
      const same = alike.get(code + loose.text)
      if (same !== undefined) return toNear(same, context, HOW)
      const slipped = sameValues
        .get(code + loose.values)
        ?.find(({ menu }) => haveOneSlip(menu.context, context))
      return slipped === undefined ? null : toNear(slipped, context, 'in the spelling of a key')
    },
    add: (placed) => {
      const { code, context } = placed.menu
      const loose = looseOf(context)
      if (loose === null || alike.has(code + loose.text)) return
      alike.set(code + loose.text, placed)
      const group = sameValues.get(code + loose.values) ?? []
      if (group.length < MAX_COMPARED) sameValues.set(code + loose.values, [...group, placed])
    },
  }
}

/** The menus whose context is near that of another variant, by path. They come in the order of their paths; the later one of two is reported. */
export function nearContexts(menus: Iterable<PlacedMenu>): ReadonlyMap<string, NearContext> {
  const known = createNearContexts()
  const found = new Map<string, NearContext>()
  for (const placed of menus) {
    const { code, context } = placed.menu
    const near = known.find(code, context)
    const isEqual = near !== null && toContextKey(near.other.menu.context) === toContextKey(context)
    if (near !== null && !isEqual) found.set(placed.path, near)
    known.add(placed)
  }
  return found
}

function toNear(other: PlacedMenu, context: Context, how: string): NearContext {
  const [one, another] = [describeContext(context), describeContext(other.menu.context)]
  return { other, what: `The context ${one} differs from ${another} in ${other.path} only ${how}.` }
}

/** What is loose of a context; null for no context. */
const looseOf = derived((context: Context): Loose | null => {
  const pairs = Object.entries(context).map(([key, value]) => [toFolded(key), toLooseText(value)])
  if (pairs.length === 0) return null
  const texts = pairs.map((pair) => JSON.stringify(pair)).sort()
  const values = pairs.map(([, value]) => value).sort()
  return { text: JSON.stringify(texts), values: JSON.stringify(values) }
})

function toLooseText(value: Scalar): string {
  if (typeof value !== 'string') return String(value)
  const text = toComposed(value).trim().toLowerCase().replace(/\s+/g, ' ')
  // `"3.0"` is the text of the number 3; only YAML reads `"007"` as a number.
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? String(Number(text)) : text
}

/** Whether two contexts differ in one key, by one slip, and have the same value under it. */
function haveOneSlip(one: Context, other: Context): boolean {
  const missing = Object.keys(one).filter((key) => !Object.hasOwn(other, key))
  const surplus = Object.keys(other).filter((key) => !Object.hasOwn(one, key))
  const [a, b] = [missing[0], surplus[0]]
  if (a === undefined || b === undefined || missing.length > 1 || surplus.length > 1) return false
  const isSame = (key: string, mine: Scalar | undefined): boolean =>
    mine !== undefined && toLooseText(one[key] ?? null) === toLooseText(mine)
  return (
    isOneSlip(a, b) &&
    isSame(a, other[b]) &&
    Object.keys(one).every((key) => key === a || isSame(key, other[key]))
  )
}
