import fc from 'fast-check'
import type { Json, JsonMap } from '../../src/model/json.js'
import { changed, type Draft, menuOf, type Wish, withIds } from './menu-changes.js'
import { KEYS } from './menus.js'

/** Judges who sees what, by ids and for each viewer alone, so that nothing of the merge judges itself. */

/** All viewers that there can be: sets of permission keys. */
const VIEWERS: readonly ReadonlySet<string>[] = Array.from(
  { length: 2 ** KEYS.length },
  (_, bits) => new Set(KEYS.filter((_, place) => (bits >> place) % 2 === 1)),
)

/** The viewers of each item by its id, as numbers; dividers show nothing to anybody. */
function viewersById(menu: Json): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>()
  const enter = (items: readonly JsonMap[], viewer: ReadonlySet<string>, number: number): void => {
    for (const item of items) {
      if (!maySee(item, viewer)) continue
      const seers = found.get(String(item['id'])) ?? new Set()
      found.set(String(item['id']), seers)
      seers.add(number)
      enter((item['children'] ?? []) as readonly JsonMap[], viewer, number)
    }
  }
  for (const [number, viewer] of VIEWERS.entries())
    enter((menu as { items: readonly JsonMap[] }).items, viewer, number)
  return found
}

function maySee(
  { type, hidden, permissions, permissionMode }: JsonMap,
  viewer: ReadonlySet<string>,
): boolean {
  if (type === 'divider' || hidden === true) return false
  const keys = (permissions ?? []) as readonly string[]
  if (keys.length === 0) return true
  return permissionMode === 'any' ? keys.some((key) => viewer.has(key)) : keys.every((key) => viewer.has(key))
}

/** The items of a menu that some viewer sees who sees them in neither of two others. */
export function widenedIds(merged: Json, mine: Json, theirs: Json): readonly string[] {
  const [here, there] = [viewersById(mine), viewersById(theirs)]
  return [...viewersById(merged)].flatMap(([id, viewers]) =>
    [...viewers].some((viewer) => here.get(id)?.has(viewer) !== true && there.get(id)?.has(viewer) !== true)
      ? [id]
      : [],
  )
}

const guards = fc.oneof(
  { weight: 2, arbitrary: fc.constant<JsonMap>({}) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        permissions: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }),
        permissionMode: fc.constantFrom('all', 'any'),
      },
      { requiredKeys: ['permissions'] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<JsonMap>({ hidden: true }, { hidden: false }) },
)

const guarded: fc.Arbitrary<Draft[]> = fc.letrec<{ list: Draft[] }>((tie) => ({
  list: fc.array(
    fc.tuple(guards, fc.boolean(), fc.oneof({ maxDepth: 2 }, fc.constant([]), tie('list'))).map(
      ([guard, isLink, children]): Draft => ({
        label: 'x',
        ...(isLink ? { url: '/x' } : { type: 'section' }),
        ...(guard as Draft),
        ...(children.length > 0 && { children: children as Draft[] }),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
})).list

interface Guarding {
  readonly at: number
  readonly guard: JsonMap
  readonly type: 'keep' | 'section' | 'link' | 'divider'
}

const guardings = fc.array(
  fc.record<Guarding>({
    at: fc.nat(),
    guard: guards,
    type: fc.constantFrom('keep', 'keep', 'keep', 'keep', 'section', 'link', 'divider'),
  }),
  { maxLength: 4 },
)

const moves = fc.array(
  fc.record<Wish>({
    kind: fc.constantFrom('add', 'remove', 'move', 'move', 'wrap', 'relabel'),
    at: fc.nat(),
    to: fc.nat(),
    word: fc.constantFrom('one', 'two'),
  }),
  { maxLength: 3 },
)

function guardedAnew(items: readonly Draft[], changes: readonly Guarding[]): Draft[] {
  const copy = JSON.parse(JSON.stringify(items)) as Draft[]
  for (const { at, guard, type } of changes) {
    const all = flat(copy)
    const item = all[at % Math.max(1, all.length)]
    if (item === undefined) continue
    if (type === 'divider' ? (item.children ?? []).length > 0 : false) continue
    for (const key of ['permissions', 'permissionMode', 'hidden']) delete item[key]
    Object.assign(item, guard)
    if (type === 'keep') continue
    for (const key of ['type', 'url']) delete item[key]
    Object.assign(item, type === 'link' ? { url: '/y' } : { type })
  }
  return copy
}

function flat(items: readonly Draft[]): Draft[] {
  return items.flatMap((item) => [item, ...flat(item.children ?? [])])
}

/** A menu of guarded items, each with an id, and two changes of it: guards, types, moves, additions and deletions. */
export const guardedThrees: fc.Arbitrary<readonly [base: JsonMap, mine: JsonMap, theirs: JsonMap]> = fc
  .tuple(guarded, guardings, moves, guardings, moves)
  .map(([items, guards, steps, otherGuards, otherSteps]) => {
    const base = withIds(items)
    const mine = guardedAnew(changed(base, steps, 'm', true), guards)
    const theirs = guardedAnew(changed(base, otherSteps, 't', true), otherGuards)
    return [menuOf(base), menuOf(mine), menuOf(theirs)] as const
  })
