import * as assert from 'uvu/assert'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const item = (label: string, routeName: string, routeParams?: object) => ({ label, routeName, routeParams })
const items = [
  item('Fresh', 'shop.new'),
  item('Cook', 'shop.room', { room: 'kitchen', floor: 2 }),
  item('Old', 'shop.old'),
  { label: 'Away', url: '/away' },
]
const options = {
  menus: { 'main.yaml': JSON.stringify({ version: 1, code: 'main', name: 'Main', items }) },
  config: {
    locales: ['en', 'de'],
    routes: {
      'shop.new': { pattern: '/new', name: { en: 'New in', de: 'Neuheiten' } },
      'shop.room': { pattern: '/rooms/:room', name: 'Lamps <for> a room' },
      'shop.old': '/old',
      'shop.sale': { pattern: '/sale', name: 'Sale' },
    },
  },
}

test('A row says where it leads by the name of the page, in the language of the dashboard, else by its address', async () => {
  const [visitor] = await openForOperator(options)
  const { page, address } = editorOf(visitor)
  const { text } = await page()
  const shown = [...text.matchAll(/<span class="leads"(?: title="([^"]*)")?>(.*?)<\/span>/g)].map(
    ([, title, inside = '']) => [title, inside.replaceAll(/<[^>]*>/g, '')],
  )
  assert.equal(shown, [
    ['route shop.new', 'New in'],
    ['route shop.room (room: kitchen, floor: 2)', 'Lamps &lt;for&gt; a room&nbsp;·&nbsp;kitchen, Floor: 2'],
    ['route shop.old', '/old'],
    [undefined, '/away'],
  ])
  const german = await visitor.look(address('edit'), { 'accept-language': 'de' })
  assert.match(german.text, '<bdi lang="de" dir="ltr">Neuheiten</bdi>')
})

test('Items are found by the names of their pages, in the editor and in the list of menus', async () => {
  const [visitor] = await openForOperator(options)
  const { page, address } = editorOf(visitor)
  assert.match(textOfPage(await page({ find: 'neuheiten' })), '1 item found')
  const list = await visitor.look(address('').replace(/\/\?.*/, '?q=neuheiten'))
  assert.match(list.text, /edit\?file=main\.yaml&amp;at=%2Fitems%2F0">.*Fresh/)
})

test('The list of menus finds items by the addresses that visitors see, in each language', async () => {
  const room = '/:_locale/rooms/:room?'
  const many = Array.from({ length: 2_000 }, (_, at) =>
    item(`${at}`, 'room', { room: `no ${at}`, from: 'nav' }),
  )
  const [{ look }] = await openForOperator({
    menus: { 'main.yaml': JSON.stringify({ version: 1, code: 'main', name: 'Main', items: many }) },
    config: { locales: ['en', 'de', 'es', 'ar'], routes: { room } },
  })
  const begin = performance.now()
  for (const locale of ['en', 'ar'])
    for (const end of ['no%201999', 'no%201999?from=nav']) {
      const { text } = await look(`${HOME}?q=${encodeURIComponent(`/${locale}/rooms/${end}`)}`)
      assert.equal(
        [...text.matchAll(/;at=([^"]*)"/g)].map(([, at]) => at),
        ['%2Fitems%2F1999'],
      )
    }
  const took = performance.now() - begin
  figure('4 searches for addresses, 2,000 items, 4 languages', `${Math.round(took)} ms`, '200 ms')
  assert.ok(took < 2_000)
  assert.match((await look(`${HOME}?q=%2Ffr%2Frooms`)).text, 'Nothing matches.')
})

test('A review calls pages by their names; the lines of the file have the routes', async () => {
  const [visitor] = await openForOperator(options)
  const { fill, page, address } = editorOf(visitor)
  await fill('/items/0', { route: 'shop.room', 'param:room': 'garden' })
  await fill('/items/3', { to: 'route', route: 'shop.sale' }, 'after')
  await fill(
    '/items/1',
    { to: 'route', route: 'shop.room', 'param:room': 'attic', 'label:en': 'Up' },
    'inside',
  )
  await page()
  const review = textOfPage(await visitor.look(address('review')))
  assert.match(review, /Changed Fresh page: [^→]* → Lamps <for> a room page parameters: room = garden/)
  assert.match(review, 'New Sale top level, last place page: Sale')
  assert.match(review, 'New Up Cook, first place page: Lamps <for> a room page parameters: room = attic')
  assert.match(review, 'shop.room')
})

test('A menu has its name in the breadcrumb and in the list, and permissions are what they allow; codes are the second', async () => {
  const permissions = { 'orders.view': { en: 'See orders', de: 'Bestellungen sehen' }, 'orders.edit': '' }
  const locked = [{ label: 'Orders', url: '/orders', permissions: Object.keys(permissions) }]
  const menus = {
    'main.yaml': JSON.stringify({ version: 1, code: 'main', name: 'Main menu', items: locked }),
  }
  const [visitor] = await openForOperator({ menus, config: { ...options.config, permissions } })
  const { page, address } = editorOf(visitor)
  const { text } = await page()
  assert.match(text, '<span title="main.yaml"><bdi>Main menu</bdi></span>')
  assert.match(text, '<bdi lang="en" dir="ltr" title="orders.view">See orders</bdi>')
  assert.match(text, ' title="orders.edit">orders.edit</bdi>')
  assert.match((await visitor.look(address('settings'))).text, ' title="main.yaml"><bdi>Main menu</bdi></a>')
  assert.match((await visitor.look(HOME)).text, ' title="main · main.yaml"><bdi>Main menu</bdi></a></h2>')
})

test.run()
