import { describeContext, toContextKey } from './context.js'
import { derived } from './derived.js'
import type { Context, Menu, Scalar } from './menu.js'
import { isOneTypo, toComposed, toFolded } from './typo.js'

/** A menu with the path of its file. */
export interface PlacedMenu {
  readonly path: string
  readonly menu: Menu
}

/** A variant whose context was surely meant to be one with another. */
export interface NearContext {
  /** The one that came first. */
  readonly other: PlacedMenu
  readonly what: string
}

/** Finds similar contexts: one look-up, for any number of menus. */
export interface NearContexts {
  /** The first variant whose context was surely meant; null where there is none, for an equal one, and for no context. */
  readonly find: (code: string, context: Context) => NearContext | null
  readonly add: (placed: PlacedMenu) => void
}

/** At most this many contexts with the same values are compared key by key. */
const MAX_COMPARED = 16

/**
 * Two contexts are near when they differ only in the type of a value (`1` and `"1"`), in case or spaces, or in one typing error in
 * a key. Of what is added later, and is near only to what is near itself, nothing is found.
 */
export function createNearContexts(): NearContexts {
  const alike = new Map<string, PlacedMenu>()
  const sameValues = new Map<string, PlacedMenu[]>()
  return {
    find(code, context) {
      const normal = normalOf(context)
      if (normal === null) return null
      const same = alike.get(code + normal.text)
      const isMistyped = ({ menu }: PlacedMenu): boolean => haveOneTypo(menu.context, context)
      const other = same ?? sameValues.get(code + normal.values)?.find(isMistyped)
      if (other === undefined || toContextKey(other.menu.context) === toContextKey(context)) return null
      const [one, another] = [describeContext(context), describeContext(other.menu.context)]
      const how = same === undefined ? 'in the spelling of a key' : HOW
      return { other, what: `The context ${one} differs from ${another} in ${other.path} only ${how}.` }
    },
    add(placed) {
      const { code, context } = placed.menu
      const normal = normalOf(context)
      if (normal === null || alike.has(code + normal.text)) return
      alike.set(code + normal.text, placed)
      const group = sameValues.get(code + normal.values) ?? []
      if (group.length < MAX_COMPARED) sameValues.set(code + normal.values, [...group, placed])
    },
  }
}

const HOW = 'in types, case, spaces, the form of keys or how letters are composed'

/** A context without what people vary: types, case, blanks, the way keys are written; and its values alone. Null for no context. */
const normalOf = derived((context: Context): { readonly text: string; readonly values: string } | null => {
  const pairs = Object.entries(context).map(([key, value]) => [toFolded(key), toNormalText(value)])
  if (pairs.length === 0) return null
  const texts = pairs.map((pair) => JSON.stringify(pair)).sort()
  const values = pairs.map(([, value]) => value).sort()
  return { text: JSON.stringify(texts), values: JSON.stringify(values) }
})

function toNormalText(value: Scalar | undefined): string {
  if (typeof value !== 'string') return String(value)
  const text = toComposed(value).trim().toLowerCase().replace(/\s+/g, ' ')
  // `"3.0"` is the text of the number 3; only YAML reads `"007"` as a number.
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? String(Number(text)) : text
}

/** Whether two contexts differ in one key, by one typing error, and have the same value under it. */
function haveOneTypo(one: Context, other: Context): boolean {
  const [a, ...missing] = Object.keys(one).filter((key) => !Object.hasOwn(other, key))
  const [b, ...surplus] = Object.keys(other).filter((key) => !Object.hasOwn(one, key))
  if (a === undefined || b === undefined || missing.length + surplus.length > 0) return false
  const isSame = (key: string): boolean => toNormalText(one[key]) === toNormalText(other[key === a ? b : key])
  return isOneTypo(a, b) && Object.keys(one).every(isSame)
}
