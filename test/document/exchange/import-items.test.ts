import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LinkItem } from '../../../src/model/menu.js'
import { imported, importedItems, itemsOf, servedItems, toLines } from './importing.js'

const LINK = { label: 'Home', routeName: 'home' }

/** Fields of the label of an item, the label that they make, and the notes. */
const LABELS: readonly (readonly [fields: object, label: unknown, lines: readonly string[]])[] = [
  [{ label: 'Home' }, 'Home', []],
  [{ label: 'Home', translations: null }, 'Home', []],
  [{ label: 'Home', translations: [] }, 'Home', []],
  [{ label: 'Home', translations: { es: ' ', en: null } }, 'Home', []],
  [{ label: 'Home', translations: { es: 'Inicio' } }, { en: 'Home', es: 'Inicio' }, []],
  [{ label: 'Home', translations: { es: 'Inicio', en: 'Home' } }, { es: 'Inicio', en: 'Home' }, []],
  [{ label: 'home.title', translations: { en: 'Home' } }, { en: 'Home' }, ['dropped /items/0/label']],
  [{ label: '', translations: { es: 'Inicio' } }, { es: 'Inicio' }, []],
  [{ label: ' ', translations: { en: 'Home' } }, { en: 'Home' }, []],
  [
    { translations: { pt_BR: 'Casa', en: 'Home' } },
    { 'pt-BR': 'Casa', en: 'Home' },
    ['changed /items/0/translations'],
  ],
]

for (const [fields, label, lines] of LABELS) {
  test(`${JSON.stringify(fields)} is the label ${JSON.stringify(label)}`, () => {
    const found = importedItems({ ...fields, routeName: 'home' })
    assert.equal(itemsOf(found)[0]?.['label'], label)
    assert.equal(toLines(found.notes), lines)
  })
}

/** Fields of the destination of an item, what they become, and the notes. */
const DESTINATIONS: readonly (readonly [fields: object, item: object, lines: readonly string[]])[] = [
  [{ routeName: 'a' }, { routeName: 'a' }, []],
  [{ linkType: 'route', routeName: 'a', routeParams: {} }, { routeName: 'a' }, []],
  [{ linkType: 'external', externalUrl: '/x' }, { url: '/x' }, []],
  [{ externalUrl: '/x' }, { url: '/x' }, ['changed /externalUrl']],
  [{ linkType: 'external', routeName: 'a' }, { routeName: 'a' }, ['changed /routeName']],
  [{ linkType: 'external', externalUrl: '/x', routeName: 'a' }, { url: '/x' }, ['dropped /routeName']],
  [{ routeName: 'a', externalUrl: '/x' }, { routeName: 'a' }, ['dropped /externalUrl']],
  [
    { linkType: 'external', externalUrl: '/x', routeParams: { a: 1 } },
    { url: '/x' },
    ['dropped /routeParams'],
  ],
  [{ itemType: 'section', routeName: 'a' }, { type: 'section', routeName: 'a' }, []],
  [
    { itemType: 'section', linkType: 'external', externalUrl: '/x' },
    { type: 'section' },
    ['dropped /externalUrl'],
  ],
  [
    { itemType: 'service', linkResolver: 'app.link' },
    { type: 'section', 'x-itemType': 'service', 'x-linkResolver': 'app.link' },
    ['changed /itemType', 'renamed /linkResolver'],
  ],
]

for (const [fields, item, lines] of DESTINATIONS) {
  test(`${JSON.stringify(fields)} becomes ${JSON.stringify(item)}`, () => {
    const found = importedItems({ ...fields, label: 'A' })
    assert.equal(itemsOf(found), [{ ...item, label: 'A' }])
    assert.equal(
      toLines(found.notes),
      lines.map((line) => line.replace('/', '/items/0/')),
    )
  })
}

test('A link without a destination becomes a section when it has children', () => {
  const found = importedItems({ label: 'Shop', linkType: null, children: [LINK] })
  assert.equal(itemsOf(found), [{ type: 'section', label: 'Shop', children: [LINK] }])
  assert.equal(toLines(found.notes), ['changed /items/0/itemType'])
})

test('A link without a destination is refused when it has no children', () => {
  for (const children of [null, [], undefined]) {
    const found = importedItems({ ...LINK }, { label: 'Shop', children })
    assert.equal([found.menus, found.refusals], [[], 1])
    assert.equal(toLines(found.notes), ['refused /items/1'])
    assert.match(found.notes[0]?.what ?? '', 'leads nowhere')
  }
})

test('A link with children keeps its destination', () => {
  const found = importedItems({ ...LINK, children: [{ ...LINK, label: 'Below' }] })
  assert.equal(itemsOf(found), [{ ...LINK, children: [{ ...LINK, label: 'Below' }] }])
  assert.equal(found.notes, [])
})

test('A divider loses what a divider does not have', () => {
  const found = importedItems(LINK, {
    itemType: 'divider',
    label: 'line',
    icon: 'a:b',
    permissionKeys: ['p'],
  })
  assert.equal(itemsOf(found)[1], { type: 'divider', permissions: ['p'] })
  assert.equal(toLines(found.notes), ['dropped /items/1/label', 'dropped /items/1/icon'])
})

/** The labels of items with these positions, in their order. */
function ordered(...positions: readonly unknown[]): string {
  const items = positions.map((position, place) => ({ ...LINK, label: 'abcdef'[place], position }))
  return itemsOf(importedItems(...items))
    .map(({ label }) => label)
    .join('')
}

test('Positions order siblings; those that are equal or missing keep their order', () => {
  assert.is(ordered(0, 1, 2), 'abc')
  assert.is(ordered(2, 1, 0), 'cba')
  assert.is(ordered(0, 0, 0), 'abc')
  assert.is(ordered(undefined, null, ''), 'abc')
  assert.is(ordered('10', '9', -1), 'cba')
  assert.is(ordered(5, undefined, 1, undefined), 'cdab')
  assert.is(ordered(1, 0, 1, 0), 'bdac')
})

test('Positions order the items below an item by themselves, and the notes name the list', () => {
  const children = [
    { ...LINK, label: 'b', position: 2 },
    { ...LINK, label: 'a', position: 1 },
  ]
  const found = importedItems({ label: 'A', position: 7, children })
  assert.equal(
    servedItems(found).flatMap((item) => (item as LinkItem).children.map(({ line }) => line)),
    [8, 10],
  )
  assert.equal(toLines(found.notes), ['changed /items/0/itemType', 'changed /items/0/children'])
})

/** Fields of the permissions of an item, the permissions and their mode, and the notes. */
const PERMISSIONS: readonly (readonly [
  fields: object,
  permissions: unknown,
  mode: unknown,
  lines: readonly string[],
])[] = [
  [{ permissionKeys: ['a', 'b'] }, ['a', 'b'], undefined, []],
  [{ permissionKey: 'a' }, ['a'], undefined, []],
  [{ permissionKeys: null, permissionKey: 'a', isUnanimous: true }, ['a'], undefined, []],
  [{ permissionKeys: [], permissionKey: 'a' }, ['a'], undefined, []],
  [{ permissionKeys: ['a', 'b'], permissionKey: 'a' }, ['a', 'b'], undefined, []],
  [{ permissionKeys: ['a'], permissionKey: 'b' }, ['a'], undefined, ['dropped /items/0/permissionKey']],
  [{ permissionKeys: [' a', ''], isUnanimous: false }, ['a'], 'any', ['changed /items/0/permissionKeys']],
  [{ permissionKeys: null, isUnanimous: 0 }, undefined, 'any', []],
]

for (const [fields, permissions, mode, lines] of PERMISSIONS) {
  test(`${JSON.stringify(fields)} means ${JSON.stringify(permissions)}, ${mode ?? 'all'} of them`, () => {
    const found = importedItems({ ...LINK, ...fields })
    const [item = {}] = itemsOf(found)
    assert.equal([item['permissions'], item['permissionMode']], [permissions, mode])
    assert.equal(toLines(found.notes), lines)
  })
}

test('A new tab is a target, and any other field is kept under x-', () => {
  const found = importedItems({ ...LINK, targetBlank: true, sectionCollapsible: false, badge: 3 })
  assert.equal(itemsOf(found), [
    { ...LINK, attributes: { target: '_blank' }, 'x-sectionCollapsible': false, 'x-badge': 3 },
  ])
  assert.equal(servedItems(found)[0]?.attributes, { target: '_blank', rel: 'noopener' })
  assert.equal(toLines(found.notes), ['renamed /items/0/sectionCollapsible', 'renamed /items/0/badge'])
})

/** Fields of an item that are refused, where, and in which words. */
const REFUSED: readonly (readonly [fields: object, pointer: string, what: RegExp])[] = [
  [{ label: '' }, '/label', /label is empty/],
  [{ label: undefined }, '/label', /label is empty/],
  [{ label: { en: 'a' } }, '/label', /must be a string/],
  [{ label: 5 }, '/label', /must be a string/],
  [{ translations: 'x' }, '/translations', /must be a map/],
  [{ translations: { en: 5 } }, '/translations', /must be a string/],
  [{ translations: { 'not a tag': 'x', en: 'y' } }, '/translations', /not a language tag/],
  [{ translations: { pt_BR: 'x', 'pt-BR': 'y', en: 'z' } }, '/translations', /second spelling of "pt-BR"/],
  [{ routeName: 5 }, '/routeName', /must be a string/],
  [{ routeName: 'a b' }, '/routeName', /without blanks/],
  [{ routeParams: ['a'] }, '/routeParams', /must be a map/],
  [{ routeParams: { a: { b: 1 } } }, '/routeParams', /must be/],
  [{ linkType: 'mail' }, '/linkType', /not one of route, external/],
  [{ linkType: 'external', externalUrl: 'javascript:alert(1)' }, '/externalUrl', /not a safe URL/],
  [{ linkType: 'external', externalUrl: '//evil.example' }, '/externalUrl', /not a safe URL/],
  [{ linkType: 'external', externalUrl: 'example.org' }, '/externalUrl', /no scheme/],
  [{ linkType: 'external', externalUrl: ['/'] }, '/externalUrl', /must be a string/],
  [{ icon: '<script>' }, '/icon', /is not letters/],
  [{ itemType: 'menu' }, '/itemType', /not one of link, section, divider/],
  [{ itemType: ['link'] }, '/itemType', /not one of link, section, divider/],
  [{ itemType: 'divider', children: [LINK] }, '/children', /divider cannot have children/],
  [{ permissionKeys: 'a' }, '/permissionKeys', /must be a list/],
  [{ permissionKeys: { a: 1 } }, '/permissionKeys', /must be a list/],
  [{ permissionKeys: [1] }, '/permissionKeys', /must be a string/],
  [{ permissionKeys: [' '] }, '/permissionKeys', /permission key/],
  [{ permissionKey: true }, '/permissionKey', /must be a string/],
  [{ isUnanimous: 'all' }, '/isUnanimous', /true or false/],
  [{ targetBlank: 'yes' }, '/targetBlank', /true or false/],
  [{ position: { a: 1 } }, '/position', /whole number/],
  [{ position: 1e99 }, '/position', /whole number/],
  [{ children: 'x' }, '/children', /must be a list/],
  [{ children: { 0: LINK } }, '/children', /must be a list/],
  [{ children: [null] }, '/children/0', /must be a map/],
]

for (const [fields, pointer, what] of REFUSED) {
  test(`An item with ${JSON.stringify(fields)} is refused`, () => {
    // The pointer is that of the JSON, whatever the order in the menu is.
    const { menus, notes } = importedItems(
      { ...LINK, ...fields, position: 'position' in fields ? fields.position : 2 },
      { ...LINK, position: 1 },
    )
    assert.equal(menus, [])
    const refused = notes.filter(({ kind }) => kind === 'refused')
    assert.equal(toLines(refused), [`refused /items/0${pointer}`])
    assert.match(refused[0]?.what ?? '', what)
  })
}

test('Everything that is refused is listed at once, and each place once', () => {
  const bad = { ...LINK, icon: '<b>', isUnanimous: 'x' }
  const { notes, refusals, menus } = imported([
    5,
    { menu: { code: 'a', collapsible: 'x' }, items: [bad, { ...bad, children: [{ ...LINK, label: 5 }] }] },
    { menu: { code: 'b' }, items: [{ ...LINK, icon: '<b>' }, { label: 'x' }] },
  ])
  assert.equal(toLines(notes.filter(({ kind }) => kind === 'refused')).sort(), [
    'refused /0',
    ...['items/0/icon', 'items/0/isUnanimous', 'items/1/children/0/label', 'items/1/icon'].map(
      (place) => `refused /1/${place}`,
    ),
    ...['/1/items/1/isUnanimous', '/1/menu/collapsible', '/2/items/0/icon', '/2/items/1'].map(
      (place) => `refused ${place}`,
    ),
  ])
  assert.equal([refusals, menus], [9, []])
})

test('Of a menu with very many errors, all are counted', () => {
  const { notes, refusals } = importedItems(...Array.from({ length: 60 }, () => ({ ...LINK, icon: '<b>' })))
  assert.equal([refusals, notes.at(-1)?.what], [51, 'The menu has 10 more errors.'])
})

test.run()
