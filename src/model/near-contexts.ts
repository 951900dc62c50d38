import { describeContext, toContextKey } from './context.js'
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

/** So many keys of contexts that have the same values are compared. */
const MAX_COMPARED = 16

/** What two menus have alike when they were surely meant to be one. Null for no context. */
type Loose = LooseTexts | null

interface LooseTexts {
  /** Code, and context without what people vary: types, case, blanks, the way keys are written. */
  readonly text: string
  /** Code and values alone. */
  readonly values: string
}

const looseOf = new WeakMap<Menu, Loose>()

/**
 * Finds the menus whose context differs from that of another variant only in the type of a value (`1` and `"1"`), in
 * case or blanks, or in one slip in a key. `menus` come in the order of their paths; the later one of two is told. One
 * look-up a menu, whatever their number.
 */
export function nearContexts(menus: Iterable<PlacedMenu>): ReadonlyMap<string, NearContext> {
  const alike = new Map<string, PlacedMenu>()
  const sameValues = new Map<string, PlacedMenu[]>()
  const found = new Map<string, NearContext>()
  for (const placed of menus) {
    const { context } = placed.menu
    const loose = toLoose(placed.menu)
    if (loose === null) continue
    const { text, values } = loose
    const first = alike.get(text)
    if (first !== undefined) {
      const isEqual = toContextKey(first.menu.context) === toContextKey(context)
      if (!isEqual) found.set(placed.path, near(first, placed, HOW))
      continue
    }
    alike.set(text, placed)
    const group = sameValues.get(values)
    if (group === undefined) {
      sameValues.set(values, [placed])
      continue
    }
    const slipped = group.find(({ menu }) => haveOneSlip(menu.context, context))
    if (slipped !== undefined) found.set(placed.path, near(slipped, placed, 'in the spelling of a key'))
    if (group.length < MAX_COMPARED) group.push(placed)
  }
  return found
}

function near(other: PlacedMenu, { menu }: PlacedMenu, how: string): NearContext {
  const [one, another] = [describeContext(menu.context), describeContext(other.menu.context)]
  return { other, what: `The context ${one} differs from ${another} in ${other.path} only ${how}.` }
}

/** Looks at each menu once. */
function toLoose(menu: Menu): Loose {
  const known = looseOf.get(menu)
  if (known !== undefined) return known
  const pairs = Object.entries(menu.context).map(([key, value]) => [toFolded(key), toLooseText(value)])
  const loose =
    pairs.length === 0
      ? null
      : {
          text: JSON.stringify([menu.code, ...pairs.map((pair) => JSON.stringify(pair)).sort()]),
          values: JSON.stringify([menu.code, ...pairs.map(([, value]) => value).sort()]),
        }
  looseOf.set(menu, loose)
  return loose
}

function toLooseText(value: Scalar): string {
  if (typeof value !== 'string') return String(value)
  const text = toComposed(value).trim().toLowerCase().replace(/\s+/g, ' ')
  // `"3.0"` is the text of the number 3; `"007"` is a number to nobody but YAML.
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
