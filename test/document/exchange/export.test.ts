import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Export, exportMenu } from '../../../src/document/exchange/export.js'
import type { JsonMap } from '../../../src/model/json.js'
import { imported, importedItems, onlyMenu, toLines } from './importing.js'

const LOCALES = { locales: ['en', 'es'], defaultLocale: 'en' }
const LINK = { label: 'Home', routeName: 'home' }

function exported(menu: object, ...items: readonly object[]): Export {
  return exportMenu({ version: 1, code: 'main', name: 'Main', ...menu, items } as JsonMap, LOCALES)
}

test('A menu is written with the fields that the bundle reads', () => {
  const display = {
    classes: { menu: 'nav', branch: 'open', item: '' },
    htmlId: 'side',
    collapsible: false,
    'x-classHasChildren': 'sub',
  }
  const { block, notes } = exported(
    { context: { partnerId: 3 }, display, 'x-permissionChecker': 'app.checker', 'x-owner': 'web' },
    {
      label: { es: 'Panel', en: 'Dashboard' },
      routeName: 'report',
      routeParams: { id: 'sales' },
      icon: 'b:house',
      permissions: ['a', 'b'],
      permissionMode: 'any',
      attributes: { target: '_blank', rel: 'noopener' },
      children: [{ label: 'Help', url: '/help', 'x-badge': 3 }],
    },
    { type: 'divider' },
  )
  assert.equal(notes, [])
  assert.equal(block, {
    menu: {
      code: 'main',
      name: 'Main',
      context: { partnerId: 3 },
      classMenu: 'nav',
      classBranchExpanded: 'open',
      ulId: 'side',
      collapsible: false,
      classHasChildren: 'sub',
      permissionChecker: 'app.checker',
      'x-owner': 'web',
    },
    items: [
      {
        label: 'Dashboard',
        translations: { es: 'Panel', en: 'Dashboard' },
        linkType: 'route',
        routeName: 'report',
        routeParams: { id: 'sales' },
        icon: 'b:house',
        itemType: 'link',
        permissionKeys: ['a', 'b'],
        isUnanimous: false,
        targetBlank: true,
        position: 0,
        menuscript: { attributes: { rel: 'noopener' } },
        children: [
          {
            label: 'Help',
            linkType: 'external',
            externalUrl: '/help',
            itemType: 'link',
            'x-badge': 3,
            position: 0,
          },
        ],
      },
      { itemType: 'divider', position: 1 },
    ],
    menuscript: { display: { classes: { item: '' } } },
  })
})

test('An item with a time window and the window of a menu are where the bundle does not read them', () => {
  const visibleUntil = '2027-01-01T00:00:00Z'
  const { block, notes } = exported({ visibleUntil }, { ...LINK, visibleUntil, children: [LINK] }, LINK)
  assert.equal(
    block.items.map(({ position }) => position),
    [1],
  )
  assert.equal(Object.keys(block.menu), ['code', 'name'])
  const [unseen] = (block.menuscript?.['items'] ?? []) as readonly JsonMap[]
  assert.equal([unseen?.['position'], unseen?.['menuscript']], [0, { visibleUntil }])
  assert.equal(
    notes.map(({ kind, pointer }) => [kind, pointer]),
    [
      ['dropped', '/visibleUntil'],
      ['dropped', '/items/0'],
    ],
  )
})

test('A hidden item is with its children where the bundle does not read it, as it would show it', () => {
  const { block, notes } = exported({}, { ...LINK, hidden: true, children: [LINK] }, LINK)
  assert.equal(
    block.items.map(({ position }) => position),
    [1],
  )
  assert.equal(toLines(notes), ['dropped /items/0'])
})

test('Values without a place in the JSON are noted, and kept where only Menuscript reads them', () => {
  const { block, notes } = exported(
    { display: { label: 'Shop', 'x-own': 1 } },
    {
      ...LINK,
      id: 'home',
      attributes: { target: '_blank', rel: 'noopener', class: 'a' },
      children: [{ label: 'x', url: '/', routeParams: { a: 1 }, attributes: { rel: 'noopener' } }],
    },
  )
  assert.equal(toLines(notes), [
    'dropped /display/label',
    'dropped /display/x-own',
    'dropped /items/0/id',
    'dropped /items/0/attributes/class',
    'dropped /items/0/children/0/routeParams',
    'dropped /items/0/children/0/attributes/rel',
  ])
  assert.equal(block.menuscript, { display: { label: 'Shop', 'x-own': 1 } })
  assert.equal(block.items[0]?.['menuscript'], { id: 'home', attributes: { rel: 'noopener', class: 'a' } })
})

test('A row that is edited in the JSON is imported with the edit, and a hidden item beside it stays', () => {
  const items = [{ ...LINK, id: 'home' }, { ...LINK, label: 'Sale', hidden: true }, LINK]
  const { block } = exported({}, ...items)
  const edited = JSON.parse(JSON.stringify(block).replace('"Home"', '"Start"')) as object
  const [first, second] = onlyMenu(imported(edited)).value['items'] as readonly JsonMap[]
  assert.equal([first, second], [{ ...items[0], label: 'Start' }, items[1]])
})

test('What only Menuscript reads is refused at its place where it is no map or breaks a rule', () => {
  const row = { label: 'A', externalUrl: '/a', linkType: 'external' }
  const found = importedItems({ ...row, menuscript: 1 }, { ...row, menuscript: { children: 1, nosuch: 2 } })
  assert.equal(toLines(found.notes), [
    'refused /items/0/menuscript',
    'refused /items/1/menuscript/children',
    'refused /items/1',
  ])
})

test('The base label is what visitors of the default locale read', () => {
  const { block } = exported({}, { ...LINK, label: { fr: 'Accueil', es: 'Inicio', de: null } })
  assert.equal(
    [block.items[0]?.['label'], block.items[0]?.['translations']],
    ['Inicio', { fr: 'Accueil', es: 'Inicio' }],
  )
})

test('An item that a service computed is one again, with its other fields', () => {
  const service = {
    label: 'Offers',
    itemType: 'service',
    linkResolver: 'app.offers',
    sectionCollapsible: true,
  }
  const { value } = onlyMenu(importedItems(service))
  const { block } = exportMenu(value, LOCALES)
  assert.equal(block.items, [{ ...service, position: 0 }])
})

test.run()
