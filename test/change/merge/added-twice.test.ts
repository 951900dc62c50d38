import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json } from '../../../src/model/json.js'
import { type Item, link, menu } from '../menus.js'

const [A, B] = [link('A'), link('B')]
const NEW = link('New')
const section = (label: Json, ...children: readonly Item[]): Item => ({ type: 'section', label, children })

/** The fields in conflict, with the merged items of both choices. */
function merged(mine: readonly Item[], theirs: readonly Item[]) {
  const [base, ours, other] = [menu(A, B), menu(...mine), menu(...theirs)]
  const { value, conflicts } = mergeMenus(base, ours, other)
  assert.equal(
    conflicts.filter(({ base: before }) => before !== null),
    [],
  )
  return {
    conflicts: conflicts.map(({ kind, field }) => `${kind} ${field ?? ''}`.trim()),
    mine: value,
    theirs: mergeMenus(base, ours, other, () => 'theirs').value,
  }
}

const EDITS: readonly (readonly [what: string, edited: Item, fields: readonly string[]])[] = [
  ['a text', { ...NEW, label: 'Newer' }, ['/label']],
  ['a translation', { ...NEW, label: { en: 'New', es: 'Nuevo' } }, ['/label']],
  ['an icon', { ...NEW, icon: 'lucide:star' }, ['/icon']],
  ['a URL', { ...NEW, url: '/newer' }, ['/url']],
  ['a permission', { ...NEW, permissions: ['staff'] }, ['/permissions']],
  ['that it is hidden', { ...NEW, hidden: true }, ['/hidden']],
  ['an attribute and an icon', { ...NEW, icon: 'a:b', attributes: { rel: 'me' } }, ['/icon', '/attributes']],
  ['its type', { type: 'section', label: 'New' }, ['/type']],
  ['an id', { ...NEW, id: 'new' }, ['/id']],
]

for (const [what, edited, fields] of EDITS) {
  test(`An item that both sides added is one item, and a conflict where one of them changed ${what}`, () => {
    for (const [mine, theirs] of [
      [NEW, edited],
      [edited, NEW],
    ] as const) {
      const found = merged([A, B, mine], [A, B, theirs])
      assert.equal(
        found.conflicts,
        fields.map((field) => `edit ${field}`),
      )
      assert.equal(found.mine, menu(A, B, mine))
      assert.equal(found.theirs, menu(A, B, theirs))
    }
  })
}

test('For labels by locale and maps of attributes that both sides added, only differences are in conflict', () => {
  const of = (es: string, rel: string): Item => ({
    ...NEW,
    label: { en: 'New', es },
    attributes: { target: '_self', rel },
  })
  assert.equal(merged([A, B, of('Nuevo', 'me')], [A, B, of('Nueva', 'help')]).conflicts, [
    'edit /label/es',
    'edit /attributes/rel',
  ])
})

test('A section that both sides added under other names is one when half of what is in it is the same', () => {
  const found = merged(
    [A, B, section('One', link('x'), link('y'))],
    [A, B, section('Other', link('y'), link('z'))],
  )
  assert.equal(found.conflicts, ['edit /label'])
  assert.equal(found.mine, menu(A, B, section('One', link('x'), link('y'), link('z'))))
  assert.equal(found.theirs, menu(A, B, section('Other', link('x'), link('y'), link('z'))))
  assert.equal(
    merged([A, B, section('One', link('x'))], [A, B, section('Other', link('y'), link('z'), link('x'))])
      .conflicts,
    ['insert'],
    'the sections are two, and the item in both is one',
  )
})

test('What both sides put into different new sections of the same items is one section', () => {
  const found = merged([section('One', A, B)], [section('Other', A, B)])
  assert.equal(found.conflicts, ['edit /label'])
  assert.equal(found.mine, menu(section('One', A, B)))
})

test('Items that both sides put into a new section are the same ones there, even if both edited them', () => {
  const relabelled = [A, B].map((item): Item => ({ ...item, label: `${String(item['label'])} anew` }))
  const moved = [A, B].map((item): Item => ({ ...item, url: `${String(item['url'])}/moved` }))
  const both = [A, B].map((_, place): Item => ({ ...relabelled[place], url: moved[place]?.['url'] ?? '' }))
  const found = merged([section('One', ...relabelled)], [section('Other', ...moved)])
  assert.equal(found.conflicts, ['edit /label'])
  assert.equal(found.mine, menu(section('One', ...both)))
})

test('Below an item that both sides added the same holds for its children, and for theirs', () => {
  const of = (last: Item, ...more: readonly Item[]): Item => section('S', section('T', last), ...more)
  const found = merged([A, B, of(NEW)], [A, B, of({ ...NEW, permissions: ['staff'] }, link('z'))])
  assert.equal(found.conflicts, ['edit /permissions'])
  assert.equal(found.mine, menu(A, B, of(NEW, link('z'))))
  assert.equal(found.theirs, menu(A, B, of({ ...NEW, permissions: ['staff'] }, link('z'))))
})

test('Among several candidates the nearest match, and each is one item', () => {
  const of = (text: string): Item => ({ ...NEW, label: text })
  const found = merged([of('first'), A, B, of('last')], [A, B, of('end')])
  assert.equal(found.conflicts, ['edit /label'])
  assert.equal(found.mine, menu(of('first'), A, B, of('last')))
})

test('An item that both sides added at different places of a list is one item, and where it goes is a conflict', () => {
  const found = merged([NEW, A, B], [A, { ...NEW, icon: 'a:b' }, B])
  assert.equal(found.conflicts.toSorted(), ['edit /icon', 'insert'])
  assert.equal(found.mine, menu(NEW, A, B))
  assert.equal(found.theirs, menu(A, { ...NEW, icon: 'a:b' }, B))
})

test('Two items that both sides added in another order are a conflict', () => {
  const other = link('Other')
  const found = merged([A, B, NEW, other], [A, B, other, NEW])
  assert.ok(found.conflicts.length > 0 && found.conflicts.every((kind) => kind === 'insert'))
  assert.equal(found.mine, menu(A, B, NEW, other))
  assert.equal(found.theirs, menu(A, B, other, NEW))
})

test('Items that both sides added with nothing in common stay both', () => {
  const other = link('Other')
  assert.equal(merged([A, B, other], [A, B, NEW]), {
    conflicts: [],
    mine: menu(A, B, NEW, other),
    theirs: menu(A, B, NEW, other),
  })
})

test('An item that both sides added under different parents is one item, and its place is a conflict', () => {
  const edited = { ...NEW, icon: 'a:b' }
  const [mine, theirs] = [
    { ...A, children: [NEW] },
    { ...B, children: [edited] },
  ]
  const found = merged([mine, B], [A, theirs])
  assert.equal(found.conflicts.toSorted(), ['edit /icon', 'insert'])
  assert.equal([found.mine, found.theirs], [menu(mine, B), menu(A, theirs)])
})

test('What was cherry-picked and then nested in a new section, on either side, is not there twice', () => {
  const branch = section('Shop', link('x'), link('y'))
  for (const [mine, theirs] of [
    [
      [A, B, branch],
      [A, section('More', branch), B],
    ],
    [
      [A, { ...B, children: [section('More', branch)] }],
      [A, B, branch],
    ],
  ] as const) {
    const found = merged(mine, theirs)
    assert.equal(found.conflicts, ['insert'])
    const countOf = (value: Json): number => JSON.stringify(value).split('"Shop"').length - 1
    assert.equal([countOf(found.mine), countOf(found.theirs)], [1, 1])
    assert.is(JSON.stringify(found.mine).split('"x"').length, 2)
  }
})

test('Items under different parents stay both where the base had a text of one, and so do dividers', () => {
  const base = [A, B, link('Overview', { url: '/o' })]
  const of = (item: Item): Item => ({ ...A, children: [item] })
  const other = (item: Item): Item => ({ ...B, children: [item] })
  for (const item of [link('Overview', { url: '/new' }), { type: 'divider' }]) {
    const [, , last = A] = base
    const { conflicts, value } = mergeMenus(
      menu(...base),
      menu(of(item), B, last),
      menu(A, other(item), last),
    )
    assert.equal([conflicts, value], [[], menu(of(item), other(item), last)])
  }
})

test('A divider that both sides added is one between the same items, and two elsewhere', () => {
  const divider = { type: 'divider' }
  assert.equal(merged([A, divider, B], [A, divider, B]).mine, menu(A, divider, B))
  assert.equal(merged([A, divider, B], [A, B, divider]).mine, menu(A, divider, B, divider))
  const noted = { ...divider, 'x-note': 1 }
  assert.equal(merged([A, noted, B], [A, B, noted]).conflicts, ['insert'], 'by what it says')
  const { conflicts, mine } = merged([A, divider, B], [A, { ...divider, hidden: true }, B])
  assert.equal(conflicts, ['edit /hidden'])
  assert.equal(mine, menu(A, divider, B))
})

test('Two items that both sides added with different ids both stay, even if they share everything else', () => {
  const [one, other] = [
    { id: 'one', ...NEW },
    { id: 'other', ...NEW },
  ]
  assert.equal(merged([A, B, one], [A, B, other]).mine, menu(A, B, other, one))
})

test.run()
