import { type Branching, everyItem, type Keyed, placesIn } from './keyed-menus.js'

type Side = 'mine' | 'theirs'
const SIDES: readonly Side[] = ['mine', 'theirs']

/** An item of one version: its fields by path, the key of the item above it, and its place among its siblings. */
interface Seen {
  readonly fields: ReadonlyMap<string, string>
  readonly parent: string
  readonly at: number
}

/** A version by the keys of its items. */
type Version = ReadonlyMap<string, Seen>

/** What a merge has to be, found out by the keys alone. */
export interface Verdict {
  /** Why a person has to decide. */
  readonly must: readonly string[]
  /** Why a person may be asked. */
  readonly may: readonly string[]
  /** What is wrong with the items of a result in which that side was kept of every conflict; of a merge without one, either. */
  readonly faults: (result: Version, side: Side) => readonly string[]
  /** Whether an item is in such a result for certain. */
  readonly survives: (key: string, side: Side) => boolean
}

/** The version that a text says, as `yaml` parses it; keys that occur twice have a number behind them. */
export function toVersion(value: unknown): Version {
  const found = new Map<string, Seen>()
  const walk = (list: unknown, parent: string): void => {
    if (!Array.isArray(list)) return
    for (const [at, each] of list.entries()) {
      const { children, ...own } = each as Record<string, unknown>
      let key = String(own['x-key'])
      while (found.has(key)) key += ' again'
      found.set(key, { fields: toFields(own), parent, at })
      walk(children, key)
    }
  }
  walk((value as Record<string, unknown>)['items'], '')
  return found
}

function versionOf(menu: Keyed): Version {
  return new Map(
    placesIn(menu).map(({ item, parent, at }) => [
      item.key,
      { fields: toFields(item.own), parent: parent.key, at },
    ]),
  )
}

/**
 * Sections that both sides put around the same items, at least half of either's, under one parent: the keys that they
 * have in `mine`, by those in `theirs`.
 */
function wrappedAlike({ base, mine, theirs }: Branching): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const nameOf = (key: string): string => names.get(key) ?? key
  const others = (menu: Keyed, menus: readonly Keyed[]): ReturnType<typeof placesIn> => {
    const known = new Set(menus.flatMap(everyItem).map(({ key }) => key))
    return placesIn(menu).filter(({ item }) => !known.has(item.key) && item.children.length > 0)
  }
  const [here, there] = [others(mine, [base, theirs]), others(theirs, [base, mine])]
  for (let count = -1; count < names.size; ) {
    count = names.size
    for (const one of here) {
      const keys = new Set(one.item.children.map(({ key }) => key))
      const same = there.find(({ item, parent }) => {
        const shared = item.children.filter(({ key }) => keys.has(nameOf(key))).length
        const isFree = !names.has(item.key) && ![...names.values()].includes(one.item.key)
        const isHalf = shared > 0 && shared * 2 >= Math.max(keys.size, item.children.length)
        return isFree && isHalf && nameOf(parent.key) === one.parent.key
      })
      if (same !== undefined) names.set(same.item.key, one.item.key)
    }
  }
  return names
}

function renamed(version: Version, names: ReadonlyMap<string, string>): Version {
  const nameOf = (key: string): string => {
    const name = names.get(key)
    // What a result has twice has two names.
    return name === undefined || version.has(name) ? key : name
  }
  return new Map(
    [...version].map(([key, { parent, ...seen }]) => [nameOf(key), { ...seen, parent: nameOf(parent) }]),
  )
}

/** Each single value by its path; a list is one. */
function toFields(own: Readonly<Record<string, unknown>>, path = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(own)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [below, each] of toFields(value as Record<string, unknown>, `${path}${key}/`))
        found.set(below, each)
    } else found.set(path + key, JSON.stringify(value))
  }
  return found
}

export function judge(branching: Branching): Verdict {
  const base = versionOf(branching.base)
  const names = wrappedAlike(branching)
  const sides = { mine: versionOf(branching.mine), theirs: renamed(versionOf(branching.theirs), names) }
  const { mine, theirs } = sides
  const must: string[] = []
  const may: string[] = []
  const keys = new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])
  /** What both sides added to different places is not known to be one. */
  const apart = new Set<string>()
  const isIn = (version: Version, key: string): boolean => key === '' || version.has(key)

  for (const key of keys) {
    const [was, here, there] = [base.get(key), mine.get(key), theirs.get(key)]
    if (was !== undefined || here === undefined || there === undefined) continue
    const isOne = here.parent === there.parent && !apart.has(here.parent)
    if (isOne || here.fields.has('id')) {
      if (!isOne) must.push(`both added ${key} at different places`)
      for (const field of new Set([...here.fields.keys(), ...there.fields.keys()])) {
        if (here.fields.get(field) !== there.fields.get(field))
          must.push(`both added ${key}, ${field} differs`)
      }
    } else {
      // What is below it is apart with it.
      apart.add(key)
      may.push(`${key} is there twice`)
    }
  }

  for (const key of base.keys()) {
    const [was, here, there] = [base.get(key), mine.get(key), theirs.get(key)]
    if (was === undefined || here === undefined || there === undefined) continue
    for (const field of new Set([...was.fields.keys(), ...here.fields.keys(), ...there.fields.keys()])) {
      const [a, b, c] = [was.fields.get(field), here.fields.get(field), there.fields.get(field)]
      if (a === b || a === c || b === c) continue
      // Keys of a list that each side changed may go together.
      ;(field === 'permissions' ? may : must).push(`both changed ${field} of ${key}`)
    }
    if (was.parent !== here.parent && was.parent !== there.parent && here.parent !== there.parent)
      must.push(`both moved ${key}`)
  }

  /** Of what one side deleted and the other has: the branch that it belongs to, and what the other did to that. */
  const gone = new Map<string, { readonly root: string; readonly deleting: Side; readonly isOut: boolean }>()
  const disputed = new Set<string>()
  for (const deleting of SIDES) {
    const other = deleting === 'mine' ? 'theirs' : 'mine'
    const [version, rest] = [sides[deleting], sides[other]]
    const rootOf = new Map<string, string>()
    for (const [key, { parent }] of base) {
      if (version.has(key)) continue
      rootOf.set(key, rootOf.get(parent) ?? key)
    }
    const dispute = (root: string, why: string): void => {
      must.push(`${deleting} deleted ${root}, ${other} ${why}`)
      disputed.add(root)
    }
    for (const [key, now] of rest) {
      const root = rootOf.get(key)
      const above = gone.get(now.parent)
      const home = rootOf.get(now.parent)
      if (root === undefined) {
        if (home !== undefined && above?.isOut !== true && base.get(key)?.parent !== now.parent)
          dispute(home, `put ${key} into ${now.parent}`)
        continue
      }
      const was = base.get(key)
      const isOut = key !== root && (home !== root || above?.isOut === true)
      gone.set(key, { root, deleting, isOut })
      if (isOut) {
        if (home !== undefined && home !== root && above?.isOut !== true)
          dispute(home, `put ${key} into ${now.parent}`)
        continue
      }
      if (was === undefined) continue
      for (const field of new Set([...was.fields.keys(), ...now.fields.keys()])) {
        if (was.fields.get(field) !== now.fields.get(field)) dispute(root, `changed ${field} of ${key}`)
      }
      if (was.parent !== now.parent) dispute(root, `moved ${key}`)
      else if (key === root) {
        if (turnsIn(base, rest, key).length > 0)
          may.push(`${deleting} deleted ${root}, ${other} moved it or a neighbour`)
      } else if (
        turnsIn(base, rest, key).some(
          (each) => rootOf.get(each) === root && rest.get(each)?.parent === now.parent,
        )
      )
        dispute(root, `turned what is beside ${key}`)
      else if (turnsIn(base, rest, key).length > 0)
        may.push(`${other} turned what ${deleting} partly deleted`)
    }
  }

  const isMoved = (version: Version): boolean =>
    [...version].some(([key, { parent }]) => {
      const was = base.get(key)
      return was !== undefined && (was.parent !== parent || turnsIn(base, version, key).length > 0)
    })
  const isReordered = (version: Version): boolean =>
    [...version.keys()].some((key) => base.has(key) && turnsIn(base, version, key).length > 0)
  const isGated = (version: Version): boolean =>
    [...version].some(([key, { fields }]) =>
      ['permissions', 'hidden'].some((field) => fields.get(field) !== base.get(key)?.fields.get(field)),
    )
  const isPlaced = (version: Version): boolean =>
    isMoved(version) ||
    [...version.keys()].some((key) => !base.has(key)) ||
    [...base.keys()].some((key) => !version.has(key))
  if (isMoved(mine) && isMoved(theirs)) may.push('both moved something')
  const isPicked = [...mine.keys()].some((key) => theirs.has(key) && !base.has(key))
  if (isPicked && (isMoved(mine) || isMoved(theirs) || turned(mine, theirs)))
    may.push('what both added was moved, or something around it')
  if ((isGated(mine) && isPlaced(theirs)) || (isGated(theirs) && isPlaced(mine)))
    may.push('who sees what is below something was changed, and what is there')

  const survives = (key: string, side: Side): boolean => {
    if (apart.has(key)) return false
    const [here, there] = [mine.has(key), theirs.has(key)]
    if (here && there) return true
    if (!here && !there) return false
    const left = gone.get(key)
    if (left !== undefined)
      return left.isOut ? isKeptAbove(key) : disputed.has(left.root) && side !== left.deleting
    return isKeptAbove(key)

    /** Whether what only one side has stands below nothing that goes. */
    function isKeptAbove(from: string): boolean {
      const { parent = '' } = (here ? mine : theirs).get(from) ?? {}
      return parent === '' || survives(parent, side)
    }
  }

  const faults = (written: Version, side: Side): readonly string[] => {
    const result = renamed(written, names)
    const found: string[] = []
    const other = side === 'mine' ? 'theirs' : 'mine'
    for (const key of keys) {
      if (apart.has(key) || isBelow(result, key, apart)) continue
      const [was, here, there, now] = [
        base.get(key),
        sides[side].get(key),
        sides[other].get(key),
        result.get(key),
      ]
      if (survives(key, side) !== (now !== undefined)) {
        found.push(`${key} is ${now === undefined ? 'lost' : 'back'}`)
        continue
      }
      if (now === undefined) continue
      for (const field of new Set([
        ...(was?.fields.keys() ?? []),
        ...(here?.fields.keys() ?? []),
        ...(there?.fields.keys() ?? []),
        ...now.fields.keys(),
      ])) {
        if (field === 'permissions') continue
        const [a, b, c] = [was?.fields.get(field), here?.fields.get(field), there?.fields.get(field)]
        const expected =
          here === undefined ? c : there === undefined ? b : was !== undefined && a === b ? c : b
        if (now.fields.get(field) !== expected)
          found.push(`${field} of ${key} is ${now.fields.get(field)}, not ${expected}`)
      }
      const parent =
        here === undefined
          ? there?.parent
          : there === undefined
            ? here.parent
            : was !== undefined && was.parent === here.parent
              ? there.parent
              : here.parent
      const isSure =
        parent !== undefined &&
        isIn(result, parent) &&
        !must.some((why) => why.includes('moved') || why.includes('deleted')) &&
        may.length === 0
      if (isSure && now.parent !== parent) found.push(`${key} is below ${now.parent}, not ${parent}`)
    }
    for (const key of result.keys())
      if (key.endsWith(' again') && !apart.has(key.replaceAll(' again', '')) && !isBelow(result, key, apart))
        found.push(`${key}: it is there twice`)
    for (const [version, rest] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      if (isReordered(version)) continue
      for (const [key, { parent }] of result) {
        // A list that one side dissolved has the order of the other.
        if (parent !== '' && !rest.has(parent)) continue
        for (const [beside, { parent: sameParent, at }] of result) {
          if (sameParent !== parent || at <= (result.get(key)?.at ?? 0)) continue
          const orders = [base, version, rest].map((each) => orderIn(each, key, beside))
          if (orders.includes(null)) continue
          if (orders[2] !== 'as told') found.push(`${key} comes before ${beside}`)
        }
      }
    }
    return found
  }
  return { must, may, faults, survives }
}

function isBelow(version: Version, key: string, roots: ReadonlySet<string>): boolean {
  for (let up = version.get(key)?.parent ?? ''; up !== ''; up = version.get(up)?.parent ?? '') {
    if (roots.has(up.replaceAll(' again', ''))) return true
  }
  return false
}

/** How two items stand to each other in a list that both are in. */
function orderIn(version: Version, key: string, beside: string): 'as told' | 'turned' | null {
  const [one, other] = [version.get(key), version.get(beside)]
  if (one === undefined || other === undefined || one.parent !== other.parent) return null
  return one.at < other.at ? 'as told' : 'turned'
}

/** The items that were beside one, are so still, and stand on its other side now. */
function turnsIn(base: Version, version: Version, key: string): readonly string[] {
  return [...base.keys()].filter((beside) => {
    if (beside === key) return false
    const before = orderIn(base, key, beside)
    const now = orderIn(version, key, beside)
    return before !== null && now !== null && before !== now
  })
}

/** Whether two items that both versions have in one list stand to each other in different ways. */
function turned(one: Version, other: Version): boolean {
  return [...one.keys()].some((key) => turnsIn(one, other, key).length > 0)
}

/** The keys of the items that a comment belongs to, by the comment; `''` is the menu. */
export function ownersIn(menus: readonly Keyed[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>([['menu.top', '']])
  for (const { key, remarks } of menus.flatMap(everyItem)) {
    for (const comment of Object.values(remarks)) found.set(comment, key)
  }
  return found
}
