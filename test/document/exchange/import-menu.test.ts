import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { imported, importedMenu, onlyMenu, toLines } from './importing.js'

const ONE = { menu: { code: 'one', name: 'One' }, items: [] }
const TWO = { menu: { code: 'two', name: 'Two' }, items: [] }

test('One block, a list of blocks, and a list under menus are read alike', () => {
  for (const [payload, pointers] of [
    [ONE, ['']],
    [
      [ONE, TWO],
      ['/0', '/1'],
    ],
    [{ menus: [ONE, TWO] }, ['/menus/0', '/menus/1']],
  ] as const) {
    const { menus, notes } = imported(payload)
    assert.equal(notes, [])
    assert.equal(
      menus.map(({ pointer }) => pointer),
      pointers,
    )
  }
})

test('Every field of a menu has its place, and the text reads as a person would write it', () => {
  const found = imported({
    menu: {
      base: false,
      classBranchExpanded: 'open',
      classChildren: 'sub',
      classCurrent: 'active',
      classDivider: 'line',
      classItem: 'item',
      classLink: 'link',
      classMenu: 'nav flex-column',
      classSection: 'head',
      code: 'sidebar',
      collapsible: true,
      collapsibleExpanded: false,
      context: { partnerId: 3, role: 'operator' },
      depthLimit: 2,
      icon: 'bootstrap-icons:list',
      name: 'Partner sidebar',
      nestedCollapsible: true,
      permissionChecker: null,
      ulId: 'side',
    },
    items: [
      {
        children: null,
        externalUrl: null,
        icon: 'bootstrap-icons:house',
        isUnanimous: false,
        itemType: 'link',
        label: 'Dashboard',
        linkType: 'route',
        permissionKeys: ['a.view', 'b.view'],
        position: 0,
        routeName: 'report',
        routeParams: { id: 'sales', tag: ['new', 'sale'] },
        targetBlank: true,
        translations: { es: 'Panel' },
      },
      { itemType: 'divider', label: null, linkType: 'route', position: 1 },
    ],
  })
  assert.equal(found.notes, [])
  assert.is(
    onlyMenu(found).text,
    `version: 1
code: sidebar
name: Partner sidebar
context: { partnerId: 3, role: operator }
display:
  classes: { menu: nav flex-column, item: item, link: link, children: sub, section: head, divider: line, current: active, branch: open }
  htmlId: side
  icon: bootstrap-icons:list
  depthLimit: 2
  collapsible: true
  collapsibleExpanded: false
  nestedCollapsible: true
items:
  - label: { en: Dashboard, es: Panel }
    routeName: report
    routeParams:
      id: sales
      tag: [ new, sale ]
    icon: bootstrap-icons:house
    permissionMode: any
    permissions: [ a.view, b.view ]
    attributes: { target: _blank }
  - type: divider
`,
  )
})

test('A field without a home is kept under x-, and the notes say so', () => {
  const found = importedMenu({
    classHasChildren: 'has-sub',
    nestedCollapsibleSections: false,
    permissionChecker: 'app.checker',
    base: true,
    owner: { team: ['web'] },
    'x-note': 'kept',
  })
  const { value } = onlyMenu(found)
  assert.equal(value['display'], { 'x-nestedCollapsibleSections': false, 'x-classHasChildren': 'has-sub' })
  const { 'x-permissionChecker': checker, 'x-base': base, 'x-owner': owner, 'x-note': note } = value
  assert.equal([checker, base, owner, note], ['app.checker', true, { team: ['web'] }, 'kept'])
  assert.equal(toLines(found.notes), [
    'renamed /menu/nestedCollapsibleSections',
    'renamed /menu/classHasChildren',
    'renamed /menu/permissionChecker',
    'renamed /menu/base',
    'renamed /menu/owner',
  ])
})

test('A field gives way to a key of its own name with x-', () => {
  const found = importedMenu({ owner: 'web', 'x-owner': 'shop' })
  assert.is(onlyMenu(found).value['x-owner'], 'shop')
  assert.equal(toLines(found.notes), ['dropped /menu/owner'])
})

test('Fields that are null, empty, or an empty list or map are absent', () => {
  const found = importedMenu({
    context: [],
    icon: '',
    classMenu: null,
    depthLimit: '',
    owner: {},
    'x-a': null,
  })
  assert.equal(onlyMenu(found).value, { version: 1, code: 'main', name: 'Main', items: [] })
  assert.equal(found.notes, [])
})

test('Numbers and flags are read as PHP reads them', () => {
  const found = importedMenu({ depthLimit: '2', collapsible: 1, collapsibleExpanded: '0' })
  assert.equal(onlyMenu(found).value['display'], {
    depthLimit: 2,
    collapsible: true,
    collapsibleExpanded: false,
  })
})

test('Blanks around a code go, classes are separated by single spaces, and a missing name is made of the code', () => {
  const found = importedMenu({ code: ' partner-sidebar ', name: ' ', classMenu: ' a  b\n' })
  const { value } = onlyMenu(found)
  assert.equal([value['code'], value['name']], ['partner-sidebar', 'Partner sidebar'])
  assert.equal(value['display'], { classes: { menu: 'a b' } })
  assert.equal(toLines(found.notes), ['changed /menu/name', 'changed /menu/classMenu'])
})

test('Of menus with one code and equal contexts the first counts', () => {
  const variant = (code: string, context: unknown, name: string): object => ({
    menu: { code, context, name },
    items: [],
  })
  const found = imported([
    variant('a', null, 'first'),
    variant(' a ', {}, 'again'),
    variant('a', { x: 1, y: 2 }, 'variant'),
    variant('a', { y: 2, x: 1.0 }, 'variant again'),
    variant('a', { x: '1', y: 2 }, 'another'),
    variant('A', [], 'other case'),
  ])
  assert.equal(
    found.menus.map(({ menu }) => menu.name),
    ['first', 'variant', 'another', 'other case'],
  )
  assert.equal(toLines(found.notes), ['dropped /1', 'dropped /3'])
  assert.match(found.notes[1]?.what ?? '', 'that at /2 ')
})

test('Other members of a payload are left out, and the notes say so', () => {
  const found = imported({ exported: 'today', menus: [{ ...ONE, version: 2 }] })
  assert.is(found.menus.length, 1)
  assert.equal(toLines(found.notes), ['dropped /exported', 'dropped /menus/0/version'])
})

test('A refused menu is reported, and the caller still gets the others', () => {
  const found = imported({ menus: [ONE, { menu: { code: 'no good' }, items: [] }, { menu: TWO.menu }, TWO] })
  assert.equal(
    found.menus.map(({ menu }) => menu.code),
    ['one', 'two'],
  )
  assert.is(found.refusals, 2)
  assert.equal(toLines(found.notes), [
    'changed /menus/1/menu/name',
    'refused /menus/1/menu/code',
    'refused /menus/2',
  ])
})

/** Values of a menu that are refused, where, and in which words. */
const REFUSED: readonly (readonly [menu: object, pointer: string, what: RegExp])[] = [
  [{ code: 5 }, '/menu/code', /must be a string/],
  [{ code: '' }, '/menu', /needs "code"/],
  [{ code: '../x' }, '/menu/code', /letters, digits/],
  [{ name: {}, code: 'a', icon: '<b>' }, '/menu/icon', /is not letters/],
  [{ name: [1] }, '/menu/name', /must be a string/],
  [{ context: 'x' }, '/menu/context', /must be a map/],
  [{ context: [1] }, '/menu/context', /must be a map/],
  [{ context: { a: { b: 1 } } }, '/menu/context', /must be/],
  [{ context: { a: 2 ** 60 } }, '/menu/context', /not exact/],
  [{ depthLimit: 0 }, '/menu/depthLimit', /less than 1/],
  [{ depthLimit: 1.5 }, '/menu/depthLimit', /whole number/],
  [{ depthLimit: 'two' }, '/menu/depthLimit', /whole number/],
  [{ collapsible: 'yes' }, '/menu/collapsible', /true or false/],
  [{ nestedCollapsible: [0] }, '/menu/nestedCollapsible', /true or false/],
  [{ ulId: 'a b' }, '/menu/ulId', /is not a letter/],
  [{ classMenu: 5 }, '/menu/classMenu', /must be a string/],
  [{ classMenu: 'a"b' }, '/menu/classMenu', /is not class names/],
  [{ 'x\u0001': 1 }, '/menu/x\u0001', /control character/],
]

for (const [menu, pointer, what] of REFUSED) {
  test(`${JSON.stringify(menu)} is refused`, () => {
    const { menus, notes, refusals } = importedMenu(menu)
    assert.equal(menus, [])
    const refused = notes.filter(({ kind }) => kind === 'refused')
    assert.equal(toLines(refused), [`refused ${pointer}`])
    assert.match(refused[0]?.what ?? '', what)
    assert.is(refusals, 1)
  })
}

test.run()
