import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as assert from 'uvu/assert'
import type { SiteOptions } from '../http/sites.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { codeOf, MENU, openForScript } from './managing.js'

/** A site with these files beside its menus. */
function beside(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>>,
): SiteOptions {
  const prepare = (dir: string): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
  }
  return { config, prepare }
}

const ICONIFY = JSON.stringify({ prefix: 'bi', icons: { house: { body: '' }, 'house-fill': { body: '' } } })

test('Icons are offered from lists, Iconify sets, packages and folders, by the library that menus name', async () => {
  const options = beside(
    {
      'node_modules/@iconify-json/bi/icons.json': ICONIFY,
      'node_modules/lucide/icons/settings.svg': '<svg/>',
      'own.txt': 'own:logo\n\nown:<script>\n',
      'names.json': '["own:mark"]',
    },
    {
      icons: ['@iconify-json/bi', 'lucide', 'own.txt', 'names.json', 'missing.json'],
      icon_library_prefix_map: { 'bootstrap-icons': 'bi', lucide: 'lu', own: 'own' },
    },
  )
  const [script, { events }] = await openForScript(options)
  const { icons, total } = (await script('GET', '/icons')).json() as { icons: string[]; total: number }
  assert.equal(icons, [
    ...['bootstrap-icons:house', 'bootstrap-icons:house-fill'],
    ...['lucide:settings', 'own:logo', 'own:mark'],
  ])
  assert.is(total, 5)
  assert.equal(
    events.filter(({ event }) => event === 'icons_unreadable').map(({ fields }) => fields['source']),
    ['missing.json'],
  )
})

const LAMP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h16"/></svg>'
const EVIL = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
const SET = {
  prefix: 'bi',
  width: 20,
  icons: {
    house: { body: '<path d="M1 1"/>', left: 2, height: 24 },
    odd: { body: 7 },
    none: null,
    __proto__: 1,
  },
}

test('E9: an icon is served as an inert SVG, and again only when it has changed', async () => {
  const files = {
    'set.json': JSON.stringify(SET),
    'own/lamp.svg': LAMP,
    'own/evil.svg': EVIL,
    'own/a b.c.svg': LAMP,
    'names.json': '["bootstrap-icons:house", "own:unknown"]',
  }
  const icons = ['names.json', 'set.json', 'own']
  const options = beside(files, { icons, icon_library_prefix_map: { 'bootstrap-icons': 'bi' } })
  const [script] = await openForScript(options)
  const ask = (name: string, headers = {}) =>
    script('GET', `/icon?${new URLSearchParams({ name })}`, { headers })
  assert.equal(((await script('GET', '/icons')).json() as { drawn: string[] }).drawn, [
    ...['bootstrap-icons:house', 'own:a b.c', 'own:evil', 'own:lamp'],
  ])
  const house = await ask('bootstrap-icons:house')
  assert.match(house.text, /^<svg [^>]*viewBox="2 0 20 24"><path d="M1 1"\/><\/svg>$/)
  assert.equal([(await ask('own:lamp')).text, (await ask('own:a b.c')).text], [LAMP, LAMP])
  const evil = await ask('own:evil')
  assert.is(evil.text, EVIL)
  const names = ['content-type', 'content-security-policy', 'x-content-type-options', 'cache-control']
  assert.equal(
    names.map((name) => evil.headers[name]),
    [
      'image/svg+xml',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'nosniff',
      'private, max-age=3600',
    ],
  )
  const again = await ask('own:evil', { 'if-none-match': evil.headers['etag'] ?? '' })
  assert.equal([again.status, again.text, again.headers['content-length']], [304, '', undefined])
  assert.is((await ask('own:evil', { 'if-none-match': house.headers['etag'] ?? '' })).status, 200)
  assert.is((await script('HEAD', '/icon?name=own:lamp')).status, 200)
})

test('An alias in a set of icons is its parent, turned and flipped about its middle; one that leads nowhere has no drawing', async () => {
  const aliases = {
    right: { parent: 'left', hFlip: true },
    down: { parent: 'left', rotate: 3 },
    again: { parent: 'right', hFlip: true },
    up: { parent: 'down', vFlip: true, rotate: 2, width: 10 },
    ...{ circle: { parent: 'circle' }, lost: { parent: 'nobody' }, none: null },
  }
  const icons = {
    left: { body: '<path d="M1 1"/>', left: 2, width: 20 },
    turned: { body: '<g/>', rotate: 2 },
  }
  const set = JSON.stringify({ prefix: 'to', height: 24, icons, aliases })
  const path = '<path d="M1 1"/>'
  const turned = (how: string, x: number, y: number, body = path): string =>
    `<g transform="translate(${x} ${y}) ${how} translate(-${x} -${y})">${body}</g>`
  const [script] = await openForScript(beside({ 'set.json': set }, { icons: ['set.json'] }))
  const drawingOf = async (name: string): Promise<readonly string[]> => {
    const { text } = await script('GET', `/icon?name=to:${name}`)
    return /viewBox="([^"]*)">(.*)<\/svg>$/.exec(text)?.slice(1) ?? []
  }
  assert.equal(await drawingOf('right'), ['2 0 20 24', turned('rotate(0) scale(-1 1)', 12, 12)])
  assert.equal(await drawingOf('down'), ['0 2 24 20', turned('rotate(270) scale(1 1)', 12, 12)])
  assert.equal(await drawingOf('again'), ['2 0 20 24', path])
  assert.equal(await drawingOf('up'), ['-5 7 24 10', turned('rotate(90) scale(1 -1)', 7, 12)])
  assert.equal(await drawingOf('turned'), ['0 0 16 24', turned('rotate(180) scale(1 1)', 8, 12, '<g/>')])
  for (const name of ['circle', 'lost', 'none'])
    assert.is(codeOf(await script('GET', `/icon?name=to:${name}`)), '404 no-icon')
})

test('There is no icon of a name that is not offered, of none, or of a file that is too large, elsewhere or gone', async () => {
  const files = {
    'secret.svg': LAMP,
    'own/lamp.svg': LAMP,
    'own/large.svg': LAMP.padEnd(65_537),
    'own/empty.svg': '',
    'own/folder.svg/lamp.svg': LAMP,
    'set.json': JSON.stringify(SET),
  }
  const site = beside(files, { icons: ['own', 'set.json'] })
  const prepare = (dir: string): void => {
    site.prepare?.(dir)
    symlinkSync('../secret.svg', join(dir, 'own/linked.svg'))
    symlinkSync('nowhere', join(dir, 'own/dangling.svg'))
  }
  const [script, { folder }] = await openForScript({ ...site, prepare })
  const ask = (name: string) => script('GET', `/icon?${new URLSearchParams({ name })}`)
  const lost = ['large', 'empty', 'folder', 'linked', 'dangling', '../secret', 'none'].map(
    (each) => `own:${each}`,
  )
  const odd = [
    '',
    'lamp',
    'own:lamp.svg',
    'own:LAMP',
    '__proto__',
    'bi:odd',
    'bi:none',
    'x'.repeat(5_000),
    '\0',
  ]
  for (const name of [...lost, ...odd]) assert.is(codeOf(await ask(name)), '404 no-icon', name)
  assert.is(codeOf(await script('GET', '/icon')), '400 missing-parameter')
  assert.is(codeOf(await script('GET', '/icon?name=%ff')), '400 malformed-percent')
  assert.is((await ask('own:lamp')).status, 200)
  folder.remove('own/lamp.svg')
  assert.is(codeOf(await ask('own:lamp')), '404 no-icon')
})

test('A search has the icons with all words, those that begin with the first word first, and at most as many as asked', async () => {
  const names = Array.from({ length: 10_000 }, (_, place) => `set:icon-${place}`)
  const options = beside(
    { 'names.json': JSON.stringify(['set:my-icon', ...names]) },
    { icons: ['names.json'] },
  )
  const [script] = await openForScript(options)
  const found = async (query: string) => {
    const { icons, total } = (await script('GET', `/icons?${query}`)).json() as {
      icons: string[]
      total: number
    }
    return { first: icons.slice(0, 2), listed: icons.length, total }
  }
  assert.equal(await found(''), { first: ['set:icon-0', 'set:icon-1'], listed: 80, total: 10_001 })
  assert.equal(await found('q=ICON+99'), {
    first: ['set:icon-1099', 'set:icon-1199'],
    listed: 80,
    total: 280,
  })
  assert.equal(await found('q=icon&limit=1000'), {
    first: ['set:icon-0', 'set:icon-1'],
    listed: 1_000,
    total: 10_001,
  })
  assert.equal(await found('q=my&limit=1'), { first: ['set:my-icon'], listed: 1, total: 1 })
  assert.equal(await found('q=none'), { first: [], listed: 0, total: 0 })
  for (const limit of ['0', '-1', '1001', '1.5', 'x', '', '1e2', '99999999'])
    for (const path of ['icons', 'routes', 'problems'])
      assert.is(codeOf(await script('GET', `/${path}?limit=${limit}`)), '400 bad-parameter', path)
})

test('Without words, the icons that menus use come first, those of most items before others', async () => {
  const menu = `version: 1
code: main
name: Main
items:
  - { label: A, url: /, icon: own:c }
  - { label: B, url: /, icon: own:b }
  - { label: C, url: /, icon: own:b }
  - { label: D, url: /, icon: own:unknown }
`
  const names = JSON.stringify(['own:a', 'own:b', 'own:c', 'own:d'])
  const options = beside({ 'names.json': names }, { icons: ['names.json'] })
  const [script] = await openForScript({ ...options, menus: { 'main.yaml': menu } })
  const iconsOf = async (query: string) =>
    ((await script('GET', `/icons?${query}`)).json() as { icons: string[] }).icons
  assert.equal(await iconsOf(''), ['own:b', 'own:c', 'own:a', 'own:d'])
  assert.equal(await iconsOf('limit=2'), ['own:b', 'own:c'])
  assert.equal((await iconsOf('q=own'))[0], 'own:a')
})

test('E18: A search counts each word once and takes at most ten, and 100,000 icons keep no one waiting', async () => {
  const names = Array.from({ length: 100_000 }, (_, place) => `set:home-icon-${place}`)
  const options = beside({ 'names.json': JSON.stringify(names) }, { icons: ['names.json'] })
  const [script, { ask }] = await openForScript(options)
  const words = 'h o m e i c n s t -'.split(' ')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const repeated = await script('GET', `/icons?limit=1&q=${'e+'.repeat(3_000)}`)
  assert.is((repeated.json() as { total: number }).total, 100_000)
  let [isFound, served] = [false, 0]
  const search = script('GET', `/icons?q=${words.join('+')}`).finally(() => {
    isFound = true
  })
  for (; !isFound; served++) assert.is((await ask('/livez')).status, 200)
  assert.is((await search).status, 200)
  delay.disable()
  assert.ok(served > 4, `${served} others were served meanwhile`)
  figure('E18 longest turn of an icon search among 100,000', `${Math.round(delay.max / 1e6)} ms`, '100 ms')
  for (const path of ['icons', 'routes'])
    assert.is(codeOf(await script('GET', `/${path}?q=${words.join('+')}+x`)), '400 bad-parameter')
  assert.is((await ask('/livez')).status, 200)
})

test('Routes are listed with their parameters; without routes there are none', async () => {
  const routes = { user: '/users/:id/:tab?', files: '/files/*', home: '/' }
  const [script] = await openForScript({ config: { routes } })
  const found = (await script('GET', '/routes?q=f')).json()
  const parameters = [{ name: '*', required: false, values: [] }]
  const files = {
    name: 'files',
    title: '',
    titles: {},
    pattern: '/files/*',
    labels: [],
    needs: [],
    parameters,
  }
  assert.equal(found, { total: 1, routes: [files] })
  const { routes: all } = (await script('GET', '/routes?q=users')).json() as { routes: object[] }
  assert.equal(all[0], {
    ...{ name: 'user', title: '', titles: {}, pattern: '/users/:id/:tab?', labels: [], needs: [] },
    parameters: [
      { name: 'id', required: true, values: [] },
      { name: 'tab', required: false, values: [] },
    ],
  })
  const [without] = await openForScript()
  assert.equal((await without('GET', '/routes')).json(), { total: 0, routes: [] })
})

test('A search finds routes by what people call them and by labels of items that lead there, with the values in use', async () => {
  const name = { en: 'Stay', de: 'Zimmer' }
  const routes = {
    room: { pattern: '/rooms/:room', name, params: { room: { values: ['kitchen', 3] } } },
    home: { pattern: '/', name: 'Front page' },
  }
  const item = { label: { en: 'Hall', de: 'Diele' }, routeName: 'room', routeParams: { room: 'hall' } }
  const menu = JSON.stringify({ version: 1, code: 'main', name: 'Main', items: [item] })
  const [script] = await openForScript({
    menus: { 'main.yaml': menu },
    config: { routes, locales: ['en', 'de', 'es'] },
  })
  const find = async (words: string, language = 'en') =>
    (
      (await script('GET', `/routes?q=${words}`, { headers: { 'accept-language': language } })).json() as {
        routes: { name: string; title: string; labels: string[]; parameters: { values: string[] }[] }[]
      }
    ).routes
  for (const words of ['stay', 'zimmer', 'hall', 'diele', 'room+hall']) {
    const [route, ...others] = await find(words)
    assert.equal([route?.name, others], ['room', []], words)
  }
  const [room] = await find('room', 'de')
  assert.equal([room?.title, room?.labels], ['Zimmer', ['Diele']])
  assert.equal(room?.parameters[0]?.values, ['kitchen', '3', 'hall'])
  assert.equal(
    (await find('', 'es')).map(({ title }) => title),
    ['Stay', 'Front page'],
  )
})

test('Pages whose names fit best come first: by the begin of a name, of a word, inside a name, in a path, in a label', async () => {
  const routes = {
    label: { pattern: '/a', name: 'Campaign' },
    path: { pattern: '/gifts', name: 'Presents' },
    inside: { pattern: '/b', name: 'Regifted' },
    word: { pattern: '/c', name: { en: 'Our gifts', de: 'Geschenke' } },
    begin: { pattern: '/d', name: { en: 'Gift cards', de: 'Gutscheine' } },
    'gift.other': '/e',
    gift: { pattern: '/f', name: 'Voucher' },
  }
  const items = [{ label: 'A gift', routeName: 'label' }]
  const menu = JSON.stringify({ version: 1, code: 'main', name: 'Main', items })
  const [script] = await openForScript({
    menus: { 'main.yaml': menu },
    config: { routes, locales: ['de', 'en'] },
  })
  const { routes: found } = (await script('GET', '/routes?q=GIFT')).json() as {
    routes: { name: string; titles: object }[]
  }
  assert.equal(
    found.map(({ name }) => name),
    ['gift', 'begin', 'gift.other', 'word', 'inside', 'path', 'label'],
  )
  assert.equal(
    found.slice(0, 3).map(({ titles }) => titles),
    [{ de: 'Voucher' }, { en: 'Gift cards', de: 'Gutscheine' }, {}],
  )
})

test('A page needs the permissions that all items need that lead there; then it is listed last if wanted', async () => {
  const routes = { both: '/both', some: '/some', any: '/any', free: '/free' }
  const to = (routeName: string, permissions: readonly string[] = [], more: object = {}) => ({
    ...{ label: routeName, routeName, permissions, ...more },
  })
  const items = [
    to('free', ['a'], { children: [to('both', ['b']), to('some', ['b'])] }),
    ...[to('both', ['a', 'c']), to('some', ['c']), to('free')],
    to('any', ['a', 'b'], { permissionMode: 'any' }),
  ]
  const menu = JSON.stringify({ version: 1, code: 'main', name: 'Main', items })
  const [script] = await openForScript({
    menus: { 'main.yaml': menu },
    config: { routes, permissions: { a: 'Sees apes', b: 'B', c: 'C' } },
  })
  const find = async (more: string) => {
    const { routes: found } = (await script('GET', `/routes?q=${more}`)).json() as {
      routes: { name: string; needs: string[] }[]
    }
    return found.map(({ name, needs }) => [name, ...needs].join(': '))
  }
  const all = ['both: Sees apes', 'some', 'any: Sees apes: B', 'free']
  assert.equal(await find(''), all)
  assert.equal(await find('&guarded_last=false'), all)
  assert.equal(await find('&guarded_last=true'), ['some', 'free', 'both: Sees apes', 'any: Sees apes: B'])
  assert.equal(await find('bo&guarded_last=true'), ['both: Sees apes'])
})

test('Problems have the severities of the project and their places; what is not listed is counted', async () => {
  const broken = { 'main.yaml': MENU, 'broken.yaml': 'version: 1\ncode: [\n' }
  const spaced = MENU.replace('label: Sales', 'label: { en: Sales, xx: Sales }').replace(
    'code: main',
    'code: other',
  )
  const [script] = await openForScript({
    menus: { ...broken, 'spaced.yaml': spaced },
    config: { lint: { rules: { 'unknown-locale': 'error' } } },
  })
  const report = (await script('GET', '/problems')).json() as {
    readonly problems: readonly {
      readonly path: string
      readonly severity: string
      readonly docs: string
    }[]
    readonly files: number
    readonly errors: number
  }
  assert.is(report.files, 3)
  assert.is(report.errors, report.problems.length)
  assert.ok(report.problems.length >= 2)
  assert.equal([...new Set(report.problems.map(({ path }) => path))], ['broken.yaml', 'spaced.yaml'])
  assert.match(report.problems[0]?.docs ?? '', /^docs\/problems\.md#/)
  const short = (await script('GET', '/problems?limit=1')).json() as {
    problems: unknown[]
    omitted: number
  }
  assert.equal([short.problems.length, short.omitted], [1, report.problems.length - 1])
})

test.run()
