import fc from 'fast-check'
import { differences, type MenuDifference } from '../../src/change/compare/differences.js'
import { matchMenus } from '../../src/change/compare/match.js'
import type { Json } from '../../src/model/json.js'
import { changed, type Draft, wishes } from './menu-changes.js'

export type Item = Readonly<Record<string, Json>>

/** The value of a menu file with these items. */
export function menu(...items: readonly Item[]): Json {
  return { version: 1, code: 'main', name: 'Main', items }
}

/** A link that leads to `/LABEL`. */
export function link(label: string, more: Item = {}): Item {
  return { label, url: `/${label}`, ...more }
}

export function section(label: string, children: readonly Item[], more: Item = {}): Item {
  return { type: 'section', label, children, ...more }
}

export function differencesBetween(before: Json, after: Json): MenuDifference {
  return differences(matchMenus(before, after))
}

/** The permission keys of random menus. */
export const KEYS = ['a', 'b', 'c'] as const

const gates = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Item>({}) },
  {
    weight: 2,
    arbitrary: fc.record({
      permissions: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }),
      permissionMode: fc.constantFrom('all', 'any'),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Item>({ hidden: true }, { hidden: false }) },
)
const names = fc.oneof(
  fc.constantFrom<Json>('x', 'y', 'z', 'w'),
  fc.record({ en: fc.constantFrom('x', 'y'), es: fc.constantFrom('x', 'z') }, { requiredKeys: [] }),
)
const extras = fc.constantFrom<Item>(
  {},
  {},
  {},
  { icon: 'i:a' },
  { icon: 'i:b' },
  { attributes: { class: 'k' } },
  { attributes: { class: 'l', target: '_blank' } },
  { 'x-note': [1, { a: null }] },
  { visibleFrom: '2027-05-01T00:00:00Z' },
  { visibleFrom: '2027-06-01T00:00:00Z', visibleUntil: '2027-07-01T00:00:00Z' },
  { visibleUntil: '2027-05-15T00:00:00Z' },
)

const lists: fc.Arbitrary<readonly Item[]> = fc.letrec<{ list: Item[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc
        .tuple(names, fc.constantFrom('/x', '/y', '/z'), gates, extras)
        .map(([label, url, gate, extra]) => ({ label, url, ...gate, ...extra })),
      fc.constantFrom<Item>({ type: 'divider' }, { type: 'divider', permissions: ['a'] }),
      fc
        .tuple(names, tie('list'), gates, extras)
        .map(([label, children, gate, extra]) => ({ type: 'section', label, children, ...gate, ...extra })),
    ),
    { maxLength: 4 },
  ),
})).list

/** Values of menu files; some of their items have ids, each once. */
export const menus: fc.Arbitrary<Json> = fc
  .tuple(lists, fc.constantFrom<Item>({}, {}, { context: { p: 1 } }, { name: 'Other' }, { 'x-own': 1 }))
  .map(([items, more]) => ({ ...(menu(...items) as Item), ...more }))

/** Two values of one menu: the later is the earlier after some random changes. */
export const changedMenus: fc.Arbitrary<readonly [before: Json, after: Json]> = fc.oneof(
  fc.tuple(menus, menus),
  fc.tuple(lists, wishes).map(([items, all]) => {
    const own = all.map((wish) => ({ ...wish, word: KEYS[wish.to % KEYS.length] ?? '' }))
    return [menu(...items), menu(...changed(items as Draft[], own, 'new', false))] as const
  }),
)
