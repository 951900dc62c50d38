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
      if (!isEqual) found.set(placed.path, near(first, context, HOW))
      continue
    }
    alike.set(text, placed)
    const group = sameValues.get(values)
    if (group === undefined) {
      sameValues.set(values, [placed])
      continue
    }
    const slipped = group.find(({ menu }) => haveOneSlip(menu.context, context))
    if (slipped !== undefined) found.set(placed.path, near(slipped, context, 'in the spelling of a key'))
    if (group.length < MAX_COMPARED) group.push(placed)
  }
  return found
}

/**
 * The variant whose context was surely meant by one that no variant has: it differs in the same ways as two files may. Null
 * where none does.
 */
export function toNearContext(
  code: string,
  context: Context,
  variants: Iterable<PlacedMenu>,
): NearContext | null {
  const asked = looseFrom(code, context)
  if (asked === null) return null
  let slipped: PlacedMenu | null = null
  for (const placed of variants) {
    const loose = toLoose(placed.menu)
    if (loose?.text === asked.text) return near(placed, context, HOW)
    if (loose?.values === asked.values && haveOneSlip(placed.menu.context, context)) slipped ??= placed
  }
  return slipped === null ? null : near(slipped, context, 'in the spelling of a key')
}

function near(other: PlacedMenu, context: Context, how: string): NearContext {
  const [one, another] = [describeContext(context), describeContext(other.menu.context)]
  return { other, what: `The context ${one} differs from ${another} in ${other.path} only ${how}.` }
}

/** Looks at each menu once. */
function toLoose(menu: Menu): Loose {
  const known = looseOf.get(menu)
  if (known !== undefined) return known
  const loose = looseFrom(menu.code, menu.context)
  looseOf.set(menu, loose)
  return loose
}

function looseFrom(code: string, context: Context): Loose {
  const pairs = Object.entries(context).map(([key, value]) => [toFolded(key), toLooseText(value)])
  if (pairs.length === 0) return null
  return {
    text: JSON.stringify([code, ...pairs.map((pair) => JSON.stringify(pair)).sort()]),
    values: JSON.stringify([code, ...pairs.map(([, value]) => value).sort()]),
  }
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
