import fc from 'fast-check'
import type { Context, MenuItem, Scalar } from '../../src/model/menu.js'
import { anyText } from '../support/any-text.js'
import { divider, link, section } from '../support/items.js'

/** How often each law is tried. */
export const RUNS: { readonly numRuns: number } = { numRuns: 500 }

/** Scalars among which many are nearly equal. */
export const scalars: fc.Arbitrary<Scalar> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<Scalar>(0, -0, 1, 1.5, '1', '0', '', true, 'true', false, null, 'null'),
  },
  fc.integer(),
  fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  anyText(),
)

/** Keys that JavaScript treats in its own ways, keys that look like canonical text, and any others. */
const keys: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'A', '1', '10', '2', '__proto__', 'constructor', '') },
  { weight: 1, arbitrary: fc.constantFrom('a":1,"b', '"', ',', ':', '\\', 'toString') },
  anyText(),
)

/** Contexts as `JSON.parse` makes them: `__proto__` is a key like any other. */
export const contexts: fc.Arbitrary<Context> = fc
  .uniqueArray(fc.tuple(keys, scalars), { maxLength: 5, selector: ([key]) => key })
  .map((pairs) => Object.fromEntries(pairs))

/** The same keys and values in another order. */
export function reorderings(context: Context): fc.Arbitrary<Context> {
  const pairs = Object.entries(context)
  return fc
    .shuffledSubarray(pairs, { minLength: pairs.length })
    .map((shuffled) => Object.fromEntries(shuffled))
}

/** An item with marks that a test may judge visibility by: `hidden`, and the permission `no`. */
const marks = fc.record({
  hidden: fc.constantFrom(false, false, false, false, true),
  permissions: fc.constantFrom<readonly string[]>([], [], [], ['no']),
})

/** Trees of all types, up to five levels deep, with many dividers and many items that go. */
export const itemLists: fc.Arbitrary<readonly MenuItem[]> = fc.letrec<{ list: MenuItem[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 2, arbitrary: marks.map((marked) => divider(marked)) },
      { weight: 2, arbitrary: marks.map((marked) => link('leaf', marked)) },
      {
        weight: 3,
        arbitrary: fc.tuple(tie('list'), marks).map(([list, marked]) => section('section', list, marked)),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('list'), marks)
          .map(([children, marked]) => link('node', { ...marked, children })),
      },
    ),
    { maxLength: 6 },
  ),
})).list
