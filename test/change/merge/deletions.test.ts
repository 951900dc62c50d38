import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json } from '../../../src/model/json.js'
import { type Item, link, menu, section } from '../menus.js'

const [A, B, C, D] = [link('A'), link('B'), link('C'), link('D')]
const NEW = link('New')
const INNER = section('Inner', [C, D])
const SHOP = section('Shop', [A, B, INNER])
const LAST = link('Last')
const OTHER = section('Other', [link('X'), link('Y')])

type Change = readonly [what: string, items: readonly Item[]]

/** A menu of a section, another and a link, and what was done to the section or to something below it. */
const BASE = [SHOP, OTHER, LAST]
const shop = (...children: readonly Item[]): Item => section('Shop', children)
const EDITS: readonly Change[] = [
  ['relabelled it', [section('Store', [A, B, INNER]), OTHER, LAST]],
  ['translated it', [{ ...SHOP, label: { en: 'Shop', es: 'Tienda' } }, OTHER, LAST]],
  ['hid it', [{ ...SHOP, hidden: true }, OTHER, LAST]],
  ['narrowed it', [{ ...SHOP, permissions: ['staff'] }, OTHER, LAST]],
  ['gave it an icon', [{ ...SHOP, icon: 'a:b' }, OTHER, LAST]],
  ['gave it a note of its own', [{ ...SHOP, 'x-note': 1 }, OTHER, LAST]],
  ['moved it to the end', [OTHER, LAST, SHOP]],
  ['moved it into another section', [section('Other', [link('X'), SHOP, link('Y')]), LAST]],
  ['wrapped it', [section('All', [SHOP]), OTHER, LAST]],
  ['wrapped what is in it', [shop(section('All', [A, B, INNER])), OTHER, LAST]],
  ['turned two items in it', [shop(B, A, INNER), OTHER, LAST]],
  ['moved an item in it to its end', [shop(B, INNER, A), OTHER, LAST]],
  ['put all of it in another order', [shop(INNER, B, A), OTHER, LAST]],
  ['turned two items of a section in it', [shop(A, B, section('Inner', [D, C])), OTHER, LAST]],
  ['moved an item deeper in it', [shop(A, section('Inner', [C, B, D])), OTHER, LAST]],
  [
    'moved an item out of a section in it, and kept it in it',
    [shop(A, B, C, section('Inner', [D])), OTHER, LAST],
  ],
  ['added an item to it', [shop(A, NEW, B, INNER), OTHER, LAST]],
  ['added an item to a section in it', [shop(A, B, section('Inner', [C, D, NEW])), OTHER, LAST]],
  ['edited an item in it', [shop(A, { ...B, icon: 'a:b' }, INNER), OTHER, LAST]],
  [
    'retargeted an item of a section in it',
    [shop(A, B, section('Inner', [{ ...C, url: '/else' }, D])), OTHER, LAST],
  ],
  [
    'moved an item of another section into it',
    [shop(A, B, INNER, link('X')), section('Other', [link('Y')]), LAST],
  ],
  ['moved the last item of the menu into it', [shop(A, B, INNER, LAST), OTHER]],
]

/** The choices of a merge, and what it asks: a word a conflict, with the item in the base. */
function choices(mine: readonly Item[], theirs: readonly Item[]) {
  const values = [menu(...BASE), menu(...mine), menu(...theirs)] as const
  const { conflicts, value } = mergeMenus(...values)
  return {
    conflicts: conflicts.map(({ kind, base }) => `${kind} ${base}`),
    mine: value,
    theirs: mergeMenus(...values, () => 'theirs').value,
  }
}

const DELETED = [OTHER, LAST]

for (const [what, items] of EDITS) {
  test(`A section that one side deleted is a conflict when the other ${what}`, () => {
    assert.equal(choices(DELETED, items).conflicts, ['delete /items/0'])
    const { conflicts, mine, theirs } = choices(items, DELETED)
    assert.equal(conflicts, ['delete /items/0'])
    assert.equal(mine, menu(...items))
    // A section that was put around it is an addition of its own.
    assert.equal(
      theirs,
      menu(...(what === 'wrapped it' ? [{ type: 'section', label: 'All' }] : []), ...DELETED),
    )
  })
}

test('A section that one side dissolved and the other edited is there whole or not at all', () => {
  const edited = section('Store', [A, B, INNER])
  const { conflicts, mine, theirs } = choices([A, B, INNER, ...DELETED], [edited, OTHER, LAST])
  assert.equal(conflicts, ['delete /items/0'])
  assert.equal(mine, menu(A, B, INNER, ...DELETED))
  assert.equal(theirs, menu(edited, OTHER, LAST))
})

test('A section that one side dissolved gives its items in the order that the other side gave them', () => {
  for (const [mine, theirs] of [
    [
      [A, B, INNER, ...DELETED],
      [shop(B, A, INNER), OTHER, LAST],
    ],
    [
      [shop(B, A, INNER), OTHER, LAST],
      [A, B, INNER, ...DELETED],
    ],
  ] as const) {
    const found = choices(mine, theirs)
    assert.equal(found.conflicts, [])
    assert.equal(found.mine, menu(B, A, INNER, ...DELETED))
  }
})

const FREE: readonly (readonly [what: string, items: readonly Item[], merged: readonly Item[]])[] = [
  ['moved an item out of it', [shop(A, INNER), OTHER, B, LAST], [OTHER, B, LAST]],
  ['moved a section out of it', [shop(A, B), OTHER, LAST, INNER], [OTHER, LAST, INNER]],
  ['deleted an item in it', [shop(A, INNER), OTHER, LAST], DELETED],
  [
    'edited what is beside it',
    [SHOP, section('Others', [link('X'), link('Y')]), LAST],
    [section('Others', [link('X'), link('Y')]), LAST],
  ],
  ['turned what is beside it', [SHOP, LAST, OTHER], [LAST, OTHER]],
  ['added what is beside it', [SHOP, NEW, OTHER, LAST], [NEW, OTHER, LAST]],
  ['deleted it, too', DELETED, DELETED],
]

for (const [what, items, merged] of FREE) {
  test(`A section that one side deleted goes when the other ${what}`, () => {
    for (const found of [choices(DELETED, items), choices(items, DELETED)]) {
      assert.equal(found.conflicts, [])
      assert.equal(found.mine, menu(...merged))
    }
  })
}

test('An item whose places are all deleted goes to the nearest section that is left above it', () => {
  const base = menu(section('Top', [section('Old', [A])]), section('One', []), section('Other', []))
  const of = (name: string): Json => menu(section('Top', []), section(name, [A]))
  const { value } = mergeMenus(base, of('One'), of('Other'), (conflict) =>
    conflict.mine === null ? 'mine' : 'theirs',
  )
  assert.equal(value, menu(section('Top', [A])))
})

test.run()
