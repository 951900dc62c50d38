import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import { commitFolder } from '../support/repository.js'
import { test } from '../support/test.js'
import { editorOf, fieldsOf, wayOf } from './forms.js'
import { NESTED, textOf } from './managing.js'
import { HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const menus = { 'main.yaml': NESTED }

/** The labels of the page, each with its level. */
async function treeOf(visitor: Visitor): Promise<string> {
  const { text } = await editorOf(visitor).page()
  const tree = text.slice(text.indexOf('<section class="tree"'), text.indexOf('</section>'))
  let level = 0
  const rows: string[] = []
  for (const [tag, label] of tree.matchAll(/<ul>|<\/ul>|class="(?:name|line)"[^>]*>([^<]*)/g)) {
    if (tag === '<ul>') level++
    else if (tag === '</ul>') level--
    else rows.push(`${level} ${label}`)
  }
  return rows.join(', ')
}

const TREE = '1 Home, 1 Products, 2 Lamps, 2 Blog, 1 About'
const ACTIONS: readonly (readonly [kind: string, item: string, after: string, way: string])[] = [
  ['down', '/items/0', '1 Products, 2 Lamps, 2 Blog, 1 Home, 1 About', 'did=down&at=/items/1'],
  [
    'up',
    '/items/1/children/1',
    '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About',
    'did=up&at=/items/1/children/0',
  ],
  ['top', '/items/2', '1 About, 1 Home, 1 Products, 2 Lamps, 2 Blog', 'did=top&at=/items/0'],
  ['nest', '/items/1', '1 Home, 2 Products, 3 Lamps, 3 Blog, 1 About', 'did=nest&at=/items/0/children/0'],
  ['unnest', '/items/1/children/0', '1 Home, 1 Products, 2 Blog, 1 Lamps, 1 About', 'did=unnest&at=/items/2'],
  ['duplicate', '/items/0', `1 Home, ${TREE}`, 'did=duplicate&at=/items/1'],
  ['remove', '/items/1', '1 Home, 1 About', 'did=remove&was=/items/1&at=/items/1'],
]

test('A button of a row does what it says, leads back to the row, and undo takes it back', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const { press } = editorOf(visitor)
  assert.is(await treeOf(visitor), TREE)
  for (const [kind, item, after, way] of ACTIONS) {
    assert.is(wayOf(await press(kind, item)), way)
    assert.is(await treeOf(visitor), after, kind)
    assert.is(wayOf(await press('undo')), 'did=undo')
    assert.is(await treeOf(visitor), TREE)
  }
  assert.is(wayOf(await press('redo')), 'did=redo')
  assert.is(await treeOf(visitor), '1 Home, 1 About')
  assert.is(textOf(site), NESTED)
})

test('The script of a page sends the same forms, hears the state after each, and does none twice', async () => {
  const [visitor] = await openForOperator({ menus })
  const { address, page } = editorOf(visitor)
  const { csrf = '', state: first = '' } = fieldsOf(await page({ open: '/items/2' }), 'item')
  const send = async (state: string, key: string, fields: Readonly<Record<string, string>>) => {
    const path = 'parent' in fields ? address('place', { item: '/items/1' }) : address('edit')
    const form = { csrf, state, key, ...fields }
    const { status, json } = await visitor.send(path, form, { accept: 'application/json' })
    return { status, body: json() as Readonly<Record<string, string>> }
  }
  const up = { do: 'up', item: '/items/2' }
  const { body: second } = await send(first, 'a', up)
  const { body: third } = await send(second['state'] ?? '', 'b', { parent: '', position: '3' })
  assert.is(await treeOf(visitor), '1 Home, 1 Products, 2 Lamps, 2 Blog, 1 About')
  // Sent again by another tab, on top of what was done since.
  assert.equal((await send(first, 'a', up)).body, third)
  assert.equal((await send(third['state'] ?? '', 'a', up)).body, third)
  const { status, body } = await send(first, 'c', up)
  assert.equal([status, body['code']], [409, 'form-refused'])
  assert.is((await send(third['state'] ?? '', 'd', { do: 'up', item: '/items/0' })).status, 422)
})

test('What happened is said with the place of the item, and an item that cannot move says why', async () => {
  const [visitor] = await openForOperator({ menus })
  const { press, page } = editorOf(visitor)
  const { headers } = await press('up', '/items/1/children/1')
  const shown = textOfPage(await visitor.look(headers['location'] ?? ''))
  assert.match(shown, 'Blog moved to position 1 of 2 under Products.')
  assert.match(shown, '1 change, not published')
  assert.match(
    textOfPage(await page({ open: '/items/1/children/0' })),
    'Move up Blog is already first in its list.',
  )
  const gone = await press('remove', '/items/1')
  const after = textOfPage(await visitor.look(gone.headers['location'] ?? ''))
  assert.match(after, 'Products deleted, with everything below it.')
})

test('“Move to…” moves to any parent and position, never into itself', async () => {
  const [visitor] = await openForOperator({ menus })
  const { place } = editorOf(visitor)
  assert.is(wayOf(await place('/items/0', '/items/1', '2')), 'did=move&at=/items/0/children/1')
  assert.is(await treeOf(visitor), '1 Products, 2 Lamps, 2 Home, 2 Blog, 1 About')
  assert.is(wayOf(await place('/items/0', '/items/0/children/0')), '422')
  assert.is(wayOf(await place('/items/0', '/items/9')), '422')
})

test('B13: A form that is sent twice is one step, and one of an old page does nothing and says so', async () => {
  const [visitor] = await openForOperator({ menus })
  const { page, address } = editorOf(visitor)
  const old = fieldsOf(await page({ open: '/items/0' }), 'item')
  const send = (kind: string) => visitor.send(address('edit'), { ...old, do: kind })
  assert.is((await send('down')).status, 303)
  assert.is((await send('down')).status, 303)
  const after = '1 Products, 2 Lamps, 2 Blog, 1 Home, 1 About'
  assert.is(await treeOf(visitor), after)
  const stale = await send('remove')
  assert.is(stale.status, 409)
  assert.match(textOfPage(stale), 'Nothing was done.')
  assert.is(await treeOf(visitor), after)
})

test('Looking changes nothing: no draft begins, and no file is written', async () => {
  const [{ look }, site] = await openForOperator({ menus })
  const ways = ['edit', 'item', 'place', 'settings', 'review']
  const more = ['', '&item=/items/0', '&open=/items/0&did=remove', '&new=after&item=/items/0', '&ask=discard']
  for (const way of ways)
    for (const each of more) {
      const { status } = await look(`${HOME}/${way}?file=main.yaml${each}`)
      assert.ok(status === 200 || status === 422 || status === 404, `${way}${each}: ${status}`)
    }
  assert.is(textOf(site), NESTED)
  assert.not.ok(site.events.some(({ event }) => event === 'draft_started'))
})

test('A review names the item of a problem, and leads to its form', async () => {
  const [visitor] = await openForOperator({
    menus: { 'main.yaml': NESTED.replace('label: Lamps', 'label: { en: Lamps, xx: Ljus }') },
  })
  const { press, page, address } = editorOf(visitor)
  await press('up', '/items/1/children/1')
  const { text } = await visitor.look(address('review'))
  const form = address('item', { item: '/items/1/children/1' }).replaceAll('&', '&amp;')
  assert.match(text, `<a href="${form}"><bdi>Lamps</bdi></a>`)
  assert.is((await visitor.look(address('item', { item: '/items/1/children/1' }))).status, 200)
  assert.match(textOfPage(await page()), '1 change, not published')
})

test('A new item inside a branch names the branch', async () => {
  const [visitor] = await openForOperator({ menus })
  const titleOf = async (item: string, where: string): Promise<string> =>
    textOfPage(await visitor.look(editorOf(visitor).address('item', { item, new: where })))
  assert.match(await titleOf('/items/1', 'inside'), 'Add an item inside “Products”')
  assert.match(await titleOf('/items/1/children/0', 'after'), 'Add an item inside “Products”')
  assert.not.match(await titleOf('/items/1', 'after'), 'inside “')
})

test('A form that saved an item says so in the bar, beside the button that undoes it', async () => {
  const [visitor] = await openForOperator({ menus })
  const { fill, press, address } = editorOf(visitor)
  await fill('/items/0', { 'label:en': 'Start' })
  const shown = await visitor.look(address('edit', { did: 'set', at: '/items/0' }))
  assert.match(textOfPage(shown), /1 change, not published .* Start saved to your draft\. Undo/)
  await press('undo')
  assert.is(await treeOf(visitor), TREE)
})

test('Discarding asks once, and then the menu is as it is published', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const { press, page, address } = editorOf(visitor)
  await press('remove', '/items/0')
  assert.match(
    textOfPage(await page({ ask: 'discard' })),
    'Discard your change? The menu goes back to what is published. Undo brings your changes back. Keep editing Discard',
  )
  const changed = await treeOf(visitor)
  const discarded = await press('discard')
  assert.is(wayOf(discarded), 'did=discard')
  assert.is(await treeOf(visitor), TREE)
  assert.match(
    textOfPage(await visitor.look(discarded.headers['location'] ?? '')),
    /No changes .* Your draft was discarded\. Undo/,
  )
  assert.match(textOfPage(await page()), 'No changes')
  assert.not.match(textOfPage(await visitor.look(HOME)), 'Your draft')
  await press('undo')
  assert.is(await treeOf(visitor), changed)
  await press('discard')
  site.folder.write('menus/main.yaml', NESTED.replace('Home', 'Start'))
  assert.match(await treeOf(visitor), 'Start')
  await press('remove', '/items/0')
  rmSync(join(site.folder.dir, 'menus/main.yaml'))
  const review = await visitor.look(address('review'))
  assert.match(textOfPage(review), 'The menu was deleted since you began.')
  assert.match(review.text, 'ask=discard')
  assert.is((await press('discard')).headers['location'], HOME)
})

const HOSTILE = `"><img src=x onerror=alert(1)>'{{ 7*7 }}\u202e`

test('Hostile labels, addresses and icons are texts on every page', async () => {
  const text = JSON.stringify({
    version: 1,
    code: 'main',
    name: HOSTILE,
    items: [
      {
        label: HOSTILE,
        url: '/',
        icon: 'x',
        permissions: [HOSTILE],
        children: [{ label: HOSTILE, url: '/' }],
      },
    ],
  })
  const [visitor] = await openForOperator({ menus: { 'main.yaml': text } })
  const { page, address, press, fill } = editorOf(visitor)
  await fill('/items/0', { url: 'javascript:alert(1)', icon: '"><script>' })
  const { headers } = await press('duplicate', '/items/0')
  const pages = [
    headers['location'] ?? '',
    address('item', { item: '/items/0' }),
    address('place', { item: '/items/0' }),
    address('settings'),
    address('review'),
    address('edit', { open: HOSTILE, did: HOSTILE, at: HOSTILE }),
  ]
  for (const each of [await page(), ...(await Promise.all(pages.map((path) => visitor.look(path))))]) {
    assert.is(each.status, 200)
    assert.not.match(each.text, /<img src=x|<script>/)
  }
})

test('A file that is gone or broken meanwhile is said so, and the draft is published as a new file', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const { press, page, settings, review, address } = editorOf(visitor)
  await press('remove', '/items/0')
  site.folder.write('menus/main.yaml', 'version: 1\ncode: [')
  assert.match(
    textOfPage(await page()),
    'Someone has changed the menu since you began, and it now has an error.',
  )
  rmSync(join(site.folder.dir, 'menus/main.yaml'))
  assert.match(textOfPage(await page()), 'The menu was deleted since you began.')
  assert.match(textOfPage(await visitor.look(address('review'))), 'Publish mine as a new menu')
  await settings({ code: 'other' })
  const published = await review('elsewhere', { newFile: 'other.yaml' })
  assert.is(published.status, 303, textOfPage(published))
  assert.match(textOf(site, 'other.yaml'), 'code: other')
  assert.not.match(textOf(site, 'other.yaml'), 'Home')
})

test('B8: while git has taken a file away, its pages say so and a draft goes on; then they are back', async () => {
  const prepare = (dir: string): void => commitFolder(dir, 'menus')
  const [visitor, { folder }] = await openForOperator({ menus, prepare })
  const { address, page, press } = editorOf(visitor)
  folder.remove('menus/main.yaml')
  folder.write('.git/index.lock', '')
  for (const way of ['edit', 'item', 'place', 'settings', 'review', 'text']) {
    const busy = await visitor.look(address(way, { item: '/items/0' }))
    assert.equal([busy.status, busy.headers['retry-after']], [423, '2'], way)
    assert.match(textOfPage(busy), 'Git or another process is writing the menus.')
    assert.match(busy.text, /<a class="button main" href="[^"]+">Try again/)
  }
  folder.write('menus/main.yaml', NESTED)
  await press('down', '/items/0')
  folder.remove('menus/main.yaml')
  assert.not.match(textOfPage(await page()), 'The menu was deleted')
  assert.is((await press('up', '/items/1')).status, 303)
  folder.remove('.git/index.lock')
  assert.match(textOfPage(await page()), 'The menu was deleted')
})

test('Languages are named in the language of the page, and by their tags where they have no name', async () => {
  const config = { locales: ['en', 'es-MX', 'qaa'] }
  const [{ look }] = await openForOperator({ menus, config })
  const german = { 'accept-language': 'de' }
  const labels = async (headers = {}): Promise<readonly string[]> =>
    [
      ...(await look(`${HOME}/item?file=main.yaml&item=/items/0`, headers)).text.matchAll(
        /<label for="label:[^>]*>(.*?)<\/label>/g,
      ),
    ].map(([label]) => textOfPage({ text: label } as HttpAnswer).trim())
  assert.equal(await labels(), ['English', 'Mexican Spanish', 'qaa'])
  assert.equal(await labels(german), ['Englisch', 'Spanisch (Mexiko)', 'qaa'])
  assert.match(textOfPage(await look(`${HOME}/preview?file=main.yaml`, german)), 'Englisch (en)')
})

test('A path out of the folder, a form without its token and a button that no page has are refused', async () => {
  const [visitor] = await openForOperator()
  const { status } = await visitor.look(`${HOME}/edit?file=../secret.yaml`)
  assert.is(status, 422)
  assert.is((await visitor.send(`${HOME}/edit?file=main.yaml`, { do: 'up', item: '/items/1' })).status, 403)
  assert.is((await visitor.fill(`${HOME}/edit?file=main.yaml`, { do: 'eat' })).status, 400)
})

test('The review lists what a new item has, and what a changed one gets', async () => {
  const [visitor] = await openForOperator({ menus, config: { locales: ['en', 'es'] } })
  const { fill, address } = editorOf(visitor)
  const has = { who: 'some', permissions: 'staff\nshop', icon: 'i:tag', newTab: 'on' }
  const from = { visibleFrom: '2030-01-01T00:00:00Z' }
  const sale = { 'label:en': 'Sale', 'label:es': 'Rebajas', url: '/sale' }
  await fill('/items/2', { ...sale, ...has, ...from }, 'after')
  await fill('/items/0', { ...has, ...from })
  const page = textOfPage(await visitor.look(address('review')))
  for (const text of [
    'New Sale top level, last place label (Spanish): Rebajas address: /sale permissions: staff, shop visible from: 1 Jan 2030, 00:00 UTC icon: i:tag attribute rel: noopener attribute target: _blank',
    'Changed Home permissions: staff, shop visible from: 1 Jan 2030, 00:00 UTC · Visitors stop seeing it until then. icon: i:tag',
  ])
    assert.match(page, text)
})

test.run()
