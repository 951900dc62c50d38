import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Audience,
  describeAudience,
  EVERYBODY,
  isWider,
  narrowBy,
} from '../../../src/change/compare/audience.js'
import type { Item } from '../menus.js'

const KEYS = ['a', 'b', 'c', 'd'] as const
const item: fc.Arbitrary<Item> = fc.record(
  {
    permissions: fc.array(fc.constantFrom(...KEYS), { maxLength: 4 }),
    permissionMode: fc.constantFrom('all', 'any'),
    hidden: fc.constantFrom(true, false, false, false),
  },
  { requiredKeys: [] },
)
const chain = fc.array(item, { maxLength: 4 })

const gateOf = (items: readonly Item[]): Audience => items.reduce<Audience>(narrowBy, EVERYBODY)

/** The definition: an item is seen when it and all above it are, each by its own permissions. */
function sees(items: readonly Item[], viewer: ReadonlySet<string>): boolean {
  return items.every(({ permissions, permissionMode, hidden }) => {
    const keys = (permissions ?? []) as readonly string[]
    if (hidden === true) return false
    if (keys.length === 0) return true
    return permissionMode === 'any'
      ? keys.some((key) => viewer.has(key))
      : keys.every((key) => viewer.has(key))
  })
}

const VIEWERS: readonly ReadonlySet<string>[] = Array.from(
  { length: 2 ** KEYS.length },
  (_, bits) => new Set(KEYS.filter((_, place) => (bits >> place) & 1)),
)

test('A gate lets in exactly the viewers whom every item on the way does', () => {
  fc.assert(
    fc.property(chain, (items) => {
      const gate = gateOf(items)
      for (const viewer of VIEWERS) {
        const passes = gate?.every((clause) => clause.some((key) => viewer.has(key))) ?? false
        assert.is(passes, sees(items, viewer))
      }
    }),
  )
})

test('A gate is wider when there is a viewer whom only the later one lets in, and only then', () => {
  fc.assert(
    fc.property(chain, chain, (before, after) => {
      const isSo = VIEWERS.some((viewer) => sees(after, viewer) && !sees(before, viewer))
      assert.is(isWider([gateOf(before)], gateOf(after)), isSo)
    }),
    { numRuns: 500 },
  )
})

test('A gate is wider than several when there is a viewer whom none of them lets in, and only then', () => {
  fc.assert(
    fc.property(fc.array(chain, { maxLength: 3 }), chain, (befores, after) => {
      const isSo = VIEWERS.some(
        (viewer) => sees(after, viewer) && !befores.some((each) => sees(each, viewer)),
      )
      assert.is(isWider(befores.map(gateOf), gateOf(after)), isSo)
    }),
    { numRuns: 300 },
  )
})

test('A gate is worded without implied clauses', () => {
  const words = (...items: readonly Item[]): string => describeAudience(gateOf(items))
  assert.is(words(), 'everybody')
  assert.is(words({ hidden: true }), 'nobody')
  assert.is(
    words({ permissions: ['b', 'a'] }, { permissions: ['a', 'c'], permissionMode: 'any' }),
    'viewers with a and b',
  )
  assert.is(
    words({ permissions: ['b', 'a'], permissionMode: 'any' }, { permissions: ['c'] }),
    'viewers with c, and with a or b',
  )
})

test.run()
