import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromContext, readContext } from '../../src/dashboard/forms/context-fields.js'
import {
  type FormContext,
  readItemForm,
  toItemForm,
  withHiddenValues,
} from '../../src/dashboard/forms/item-form.js'
import { readMenuForm, toMenuForm } from '../../src/dashboard/forms/menu-form.js'
import type { JsonMap } from '../../src/model/json.js'
import { parseRoute } from '../../src/service/routes.js'
import type { Fields } from './visiting.js'

const ROOM = parseRoute('/shop/:room/:page?')
const TEAM = parseRoute('/:_locale/team')
if (ROOM === null || TEAM === null) throw new Error('no route')
const context: FormContext = {
  locales: { locales: ['en', 'de'], defaultLocale: 'en' },
  routes: new Map([
    ['room', ROOM],
    ['team', TEAM],
  ]),
  permissions: new Map([
    ['c', 'See c'],
    ['d', ''],
  ]),
}

/** What the form of an item sends when nothing is touched. */
function sent(item: JsonMap): Record<string, string> {
  const {
    type,
    labels,
    to,
    params,
    permissions,
    isForEveryone,
    texts,
    isAny,
    isNewTab,
    isHidden,
    isSameText,
  } = toItemForm(item, context)
  return {
    ...{ type, to, mode: isAny ? 'any' : 'all', ...texts },
    ...Object.fromEntries(labels.map(({ name, text }) => [name, text.replaceAll('\n', '')])),
    ...Object.fromEntries(params.map(({ name, text }) => [`param:${name}`, text])),
    ...Object.fromEntries(
      permissions.filter(({ isOn }) => isOn).map(({ key }) => [`permission:${key}`, 'on']),
    ),
    ...{ who: isForEveryone ? 'everyone' : 'some' },
    ...(isSameText && { sameText: 'on' }),
    ...(isNewTab && { newTab: 'on' }),
    ...(isHidden && { hidden: 'on' }),
  }
}

const typed = (item: JsonMap, fields: Fields): JsonMap =>
  readItemForm(new Map(Object.entries({ ...sent(item), ...fields })), item, context)

const ODD: readonly JsonMap[] = [
  { label: ' Home\nsweet ', url: '/', hidden: false, icon: null, 'x-y': { a: [1] } },
  {
    label: { de: 'Nur deutsch', fr: '' },
    routeName: 'room',
    routeParams: { room: '3', page: 3, tag: ['a', 'b'] },
  },
  {
    type: 'link',
    label: 'a',
    url: '/',
    attributes: { target: '_blank', rel: 'noopener', download: true, 'data-n': 1 },
  },
  { type: 'divider', label: 'kept', id: 'a', permissions: [], permissionMode: 'all' },
  {
    type: 'section',
    label: '"quoted"',
    routeName: 'none',
    permissions: ['a, b', 'c'],
    permissionMode: 'any',
  },
  { label: 'a', url: '/', permissions: ['d', 3, 'c', 'd'], permissionMode: 'all' },
  { label: 'a', routeName: 'team', routeParams: { _locale: 'de' } },
  { label: 'a', url: '/', visibleUntil: '2027-01-01T00:00:00Z', visibleFrom: ' soon' },
  { label: 'a', url: '/', attributes: { target: '_self', rel: 'nofollow', title: 'true', class: 'x' } },
]

test('A form that is sent as it was shown changes nothing, however odd the item is', () => {
  for (const item of ODD) {
    const { label, ...rest } = item
    const wanted = item['type'] === 'divider' ? rest : item
    assert.equal(typed(item, {}), wanted, JSON.stringify(label))
  }
})

test('One text for all stays one until a translation is typed, and a map stays a map', () => {
  const label = (item: JsonMap, fields: Fields) => typed(item, fields)['label']
  assert.is(label({ label: 'Home', url: '/' }, { 'label:en': 'Front' }), 'Front')
  assert.equal(label({ label: 'Home', url: '/' }, { 'label:de': 'Start' }), { en: 'Home', de: 'Start' })
  assert.equal(label({ label: { en: 'Home' }, url: '/' }, { 'label:en': 'Front' }), { en: 'Front' })
  assert.is(label({ label: 'Home', url: '/' }, { 'label:en': ' ' }), undefined)
  assert.is(label({ label: 'Home', url: '/' }, { 'label:en': ' ', 'label:de': 'Start' }), 'Start')
})

test('A text in one language is of that language, unless “The same in every language” is ticked', () => {
  const label = (item: JsonMap, fields: Record<string, string>) => {
    const { sameText: shown = '', ...rest } = sent(item)
    const { sameText: ticked = shown, ...others } = fields
    const form = { ...rest, ...others, ...(ticked !== '' && { sameText: ticked }) }
    return readItemForm(new Map(Object.entries(form)), item, context)['label']
  }
  const unticked = { sameText: '' }
  const ticked = { sameText: 'on' }
  assert.equal(label({}, { 'label:en': 'Shop' }), { en: 'Shop' })
  assert.equal(label({}, { 'label:de': 'Laden' }), { de: 'Laden' })
  assert.is(label({}, { 'label:en': 'Acme', ...ticked }), 'Acme')
  assert.is(label({}, { 'label:de': 'Acme', ...ticked }), 'Acme')
  assert.is(label({ label: { en: 'Acme', de: 'Acme!' } }, ticked), 'Acme')
  assert.equal(label({ label: 'Home' }, unticked), { en: 'Home' })
  assert.equal(label({ label: { en: 'Home' } }, {}), { en: 'Home' })
  const alone = { ...context, locales: { locales: ['en'], defaultLocale: 'en' } }
  assert.is(toItemForm({}, alone).isSameText, null)
  assert.is(readItemForm(new Map([['label:en', 'Shop']]), {}, alone)['label'], 'Shop')
})

test('Another type writes only what fits it, and what it cannot hold comes back with the first type', () => {
  const link = { label: 'Shop', url: '/shop', icon: 'x:y' }
  const section = typed(link, { type: 'section', to: 'nowhere' })
  assert.equal(section, { type: 'section', label: 'Shop', icon: 'x:y' })
  const divider = typed(link, { type: 'divider' })
  assert.equal(divider, { type: 'divider' })
  for (const now of [section, divider])
    assert.equal(typed(withHiddenValues(now, link), { type: 'link' }), link)
})

test('A known route has a field for each parameter; texts that look like numbers are quoted', () => {
  const item = { label: 'a', routeName: 'room', routeParams: { room: '3', page: 3, tag: ['a'] } }
  const { params, texts } = toItemForm(item, context)
  assert.equal(params, [
    { name: 'room', text: '"3"', isRequired: true },
    { name: 'page', text: '3', isRequired: false },
  ])
  assert.is(texts.more, 'tag = ["a"]')
  const more = { 'param:page': '', more: 'q = x = y\r\n\r\nflag' }
  assert.equal(typed(item, more)['routeParams'], { room: '3', q: 'x = y', flag: true })
})

test('The language of a path is filled, so it has a field only where the item has its own', () => {
  const paramsOf = (item: JsonMap) => toItemForm(item, context).params.map(({ name }) => name)
  assert.equal(paramsOf({ label: 'a', routeName: 'team' }), [])
  assert.equal(paramsOf({ label: 'a', routeName: 'team', routeParams: { _locale: 'de' } }), ['_locale'])
})

test('Declared permissions are ticked, others typed; those that stay keep their order, and “everyone” drops all', () => {
  const item = { label: 'a', url: '/', permissions: ['x', 'c'], permissionMode: 'any' }
  assert.equal(toItemForm(item, context).permissions, [
    { key: 'c', says: 'See c', isOn: true },
    { key: 'd', says: '', isOn: false },
  ])
  for (const [fields, permissions, mode] of [
    [{ 'permission:d': 'on' }, ['x', 'c', 'd'], 'any'],
    [{ permissions: 'y\nx' }, ['x', 'c', 'y'], 'any'],
    [{ permissions: 'd' }, ['c', 'd'], 'any'],
    [{ who: 'everyone', 'permission:d': 'on' }, undefined, undefined],
  ] as const) {
    const now = typed(item, fields as Fields)
    assert.equal([now['permissions'], now['permissionMode']], [permissions, mode], JSON.stringify(fields))
  }
  const open = { label: 'a', url: '/' }
  assert.equal(
    typed(open, { 'permission:c': 'on', mode: 'any' }),
    open,
    'ticked, then for everyone after all',
  )
})

test('A route that is typed takes the place of the one before, and an empty field takes it away', () => {
  const item = { label: 'a', routeName: 'room', routeParams: { room: '3' } }
  assert.equal(typed(item, { route: 'other' })['routeName'], 'other')
  assert.is(typed(item, { route: '' })['routeName'], undefined)
})

test('Names that every object has are names like any other', () => {
  const item = { label: 'a', url: '/', attributes: { title: 'x' } }
  const { attributes } = typed(item, { attributes: '__proto__ = x\nconstructor = y' })
  assert.equal(Object.keys(attributes as object), ['title', '__proto__', 'constructor'])
  assert.is(({} as { x?: string }).x, undefined)
})

test('The form of a menu keeps what it does not show, and drops what is emptied', () => {
  const { locales } = context
  const menu = {
    code: 'main',
    name: 'Main',
    context: { partner: 3, role: '3' },
    display: { collapsible: true, classes: { menu: 'nav' }, 'x-theme': 'dark', depthLimit: null },
    items: [],
  }
  const { texts, labels, classes } = toMenuForm(menu, locales)
  const shown = new Map([
    ...Object.entries(texts),
    ...fromContext(menu.context),
    ...[...labels, ...classes].map(({ name, text }) => [name, text] as const),
    ...([
      ['collapsible', 'on'],
      ['collapsibleExpanded', 'on'],
    ] as const),
  ])
  const noPairs = fromContext(menu.context).map(([name]) => [name, ''] as const)
  const { items: _, ...own } = menu
  assert.equal(readMenuForm(shown, menu, locales, NO_BOOLEANS), own)
  const changed = new Map([...shown, ['class:menu', ''], ['depthLimit', '2'], ['label:de', 'Haupt']])
  const { display, context: now } = readMenuForm(
    new Map([...changed, ...noPairs]),
    menu,
    locales,
    NO_BOOLEANS,
  )
  assert.equal(display, { collapsible: true, 'x-theme': 'dark', depthLimit: 2, label: { de: 'Haupt' } })
  assert.is(now, undefined)
})

const NO_BOOLEANS = { keys: new Set<string>(), words: new Map<string, boolean>() }

test('The pairs of a context keep what was not changed, and say what is wrong with them', () => {
  const present = { site: ' north\n', tags: ['a'], gone: 1, '': 2 }
  const shown = new Map(fromContext(present))
  assert.equal(readContext(shown, NO_BOOLEANS, present).context, present)
  const { context: now, faults } = readContext(
    new Map([...shown, ['key3', ''], ['value3', ''], ['key5', ' id '], ['value5', '"3"']]),
    NO_BOOLEANS,
    present,
  )
  assert.equal([now, faults], [{ site: ' north\n', tags: ['a'], '': 2, id: '3' }, []])
  const wrong = new Map(Object.entries({ key1: 'a', value1: '1', key2: 'a', value2: '', value3: 'x' }))
  assert.equal(readContext(wrong, NO_BOOLEANS).faults, [
    { field: 'key2', reason: 'repeatedKey' },
    { field: 'key3', reason: 'needsKey' },
  ])
})

test.run()
