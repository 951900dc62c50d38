import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf, wayOf } from './forms.js'
import { NESTED, textOf } from './managing.js'
import { openForOperator, textOfPage } from './visiting.js'

const routes = {
  gifts: { pattern: '/gifts', name: { en: 'Gift cards', de: 'Gutscheine' } },
  room: { pattern: '/rooms/:room', name: 'Room' },
  old: '/old',
}
const withRoutes = { menus: { 'main.yaml': NESTED }, config: { locales: ['en', 'de'], routes } }

test('A new link begins with its page, or with an address on a site without routes', async () => {
  for (const [options, to, focused] of [
    [withRoutes, 'route', 'route'],
    [{ menus: { 'main.yaml': NESTED } }, 'url', 'label:en'],
  ] as const) {
    const [visitor] = await openForOperator(options)
    const page = await visitor.look(editorOf(visitor).address('item', { new: 'inside' }))
    assert.is(fieldsOf(page, 'was')['to'], to)
    assert.match(page.text, new RegExp(`id="${focused}"[^>]* autofocus`))
    assert.is(page.text.match(/ autofocus/g)?.length, 1)
    const [first] = /name="to" value="\w+"/.exec(page.text) ?? []
    assert.is(first, `name="to" value="${to}"`)
  }
})

test('An item without a label gets the name of its page in all languages; without such a name, it needs a label', async () => {
  const [visitor, site] = await openForOperator(withRoutes)
  const { fill, review } = editorOf(visitor)
  assert.is(wayOf(await fill('/items/2', { to: 'route', route: 'gifts' }, 'after')), 'did=add&at=/items/3')
  assert.match(textOfPage(await fill('/items/2', { to: 'route', route: 'old' }, 'after')), 'Enter a label.')
  assert.match(
    textOfPage(await fill('/items/0', { to: 'route', route: 'gifts', 'label:en': '' })),
    'Enter a label.',
  )
  const kept = { to: 'route', route: 'gifts', 'label:en': 'Vouchers' }
  assert.is(wayOf(await fill('/items/2', kept, 'after')), 'did=add&at=/items/3')
  await review('publish')
  assert.match(textOf(site), 'label: { en: Gift cards, de: Gutscheine }')
  assert.match(textOf(site), 'label: { en: Vouchers }')
})

test('A page that the site does not have is refused at its field, and before a label that is missing', async () => {
  const [visitor, site] = await openForOperator(withRoutes)
  const { fill, page, review } = editorOf(visitor)
  const wrong = await fill('/items/2', { to: 'route', route: 'gift' }, 'after')
  assert.is(wrong.status, 422)
  const [, list = ''] = /id="summary".*?<ul>(.*?)<\/ul>/s.exec(wrong.text) ?? []
  assert.equal(
    [...list.matchAll(/href="#([^"]*)">([^<]*)/g)].map(([, ...each]) => each),
    [
      ['route', 'The site has no page with this name. Did you mean “gifts”?'],
      ['label:en', 'Enter a label.'],
    ],
  )
  assert.match(wrong.text, /<input [^>]*id="route"[^>]* value="gift"[^>]* aria-invalid="true"/)
  const far = { to: 'route', route: 'somewhere', 'label:en': 'Far' }
  const other = textOfPage(await fill('/items/0', far))
  assert.match(other, 'The site has no page with this name.')
  assert.not.match(other, 'Did you mean')
  assert.not.match((await page()).text, 'Far')
  assert.is(wayOf(await fill('/items/0', { ...far, to: 'url', url: '/far' })), 'did=set&at=/items/0')
  await review('publish')
  assert.not.match(textOf(site), 'somewhere')
})

test('A page that an item had before it went may stay, and so may all where the rule is off', async () => {
  const menus = {
    'main.yaml': NESTED.replace('url: /\n', 'routeName: gone\n'),
  }
  assert.match(menus['main.yaml'], 'routeName: gone')
  const [visitor] = await openForOperator({ ...withRoutes, menus })
  const renamed = { 'label:en': 'Start' }
  assert.is(wayOf(await editorOf(visitor).fill('/items/0', renamed)), 'did=set&at=/items/0')
  const lint = { rules: { 'unknown-route': 'off' } }
  const [other] = await openForOperator({ ...withRoutes, config: { ...withRoutes.config, lint } })
  const made = { to: 'route', route: 'made', 'label:en': 'Made' }
  assert.is(wayOf(await editorOf(other).fill('/items/0', made)), 'did=set&at=/items/0')
})

test('“The same in every language” is offered with several languages, and ticked for a plain text, which stays', async () => {
  const [visitor, site] = await openForOperator(withRoutes)
  const { fill, review, address } = editorOf(visitor)
  const form = await visitor.look(address('item', { item: '/items/0' }))
  assert.match(textOfPage(form), 'The same in every language For proper names')
  assert.is(fieldsOf(form, 'was')['sameText'], 'on')
  assert.is(wayOf(await fill('/items/0', {})), 'at=/items/0')
  const added = { to: 'url', url: '/x', 'label:en': 'New' }
  await fill('/items/0', added, 'after')
  const brand = { to: 'url', url: '/y', 'label:de': 'Acme', sameText: 'on' }
  await fill('/items/0', brand, 'after')
  const refused = await fill('/items/0', { ...brand, url: '' }, 'after')
  assert.is(fieldsOf(refused, 'was')['sameText'], 'on', 'kept when the form comes back')
  // As the script types the name of a page that is one text for all.
  const named = { to: 'route', route: 'room', 'param:room': 'attic', 'label:en': 'Room' }
  await fill('/items/0', named, 'after')
  await review('publish')
  assert.match(textOf(site), 'label: Room')
  assert.match(textOf(site), 'label: Acme')
  assert.match(textOf(site), 'label: { en: New }')
  const [alone] = await openForOperator({ menus: { 'main.yaml': NESTED } })
  assert.not.match((await alone.look(address('item', { item: '/items/0' }))).text, 'sameText')
})

test('“Save and add another” leads to an empty form below the item, which says that it was added', async () => {
  const [visitor] = await openForOperator(withRoutes)
  const { fill, address } = editorOf(visitor)
  const gifts = { to: 'route', route: 'gifts', another: 'on' }
  assert.is(wayOf(await fill('/items/0', gifts, 'after')), 'item=/items/1&new=after&did=add')
  const path = address('item', { item: '/items/1', new: 'after', did: 'add' })
  const next = await visitor.look(path)
  assert.match(next.text, /<p class="done" role="status">Gift cards added at position 2 of 4\.<\/p>/)
  assert.equal(
    ['route', 'label:en', 'to'].map((name) => fieldsOf(next, 'was')[name]),
    ['', '', 'route'],
  )
  // Enter goes on with the series, also after an error.
  const [first] = /<button[^>]*>[^<]*/.exec(next.text.slice(next.text.indexOf('class="actions"'))) ?? []
  assert.match(first ?? '', 'name="another"')
  assert.match(next.text, />Done<\/a>/)
  const wrong = await visitor.send(path, { ...fieldsOf(next, 'was'), another: 'on' })
  assert.match(wrong.text, /class="actions">\s*<button class="hidden"[^>]* name="another"/)
  assert.not.match(textOfPage(wrong), 'Gift cards added')
  const crafted = await visitor.look(address('item', { new: 'inside', did: 'add' }))
  assert.is(crafted.status, 200)
  // After a link to an address, the next one is asked for.
  await visitor.send(path, { ...fieldsOf(next, 'was'), to: 'url', url: '/x', 'label:en': 'X', another: 'on' })
  const other = await visitor.look(address('item', { item: '/items/2', new: 'after', did: 'add' }))
  assert.is(fieldsOf(other, 'was')['to'], 'url')
})

test('“Save and add inside” leads into a new section, and nowhere else', async () => {
  const [visitor] = await openForOperator(withRoutes)
  const { fill } = editorOf(visitor)
  const inside = { another: 'inside', to: 'nowhere', 'label:en': 'More' }
  const way = wayOf(await fill('/items/2', { ...inside, type: 'section' }, 'after'))
  assert.is(way, 'item=/items/3&new=inside&did=add')
  assert.is(
    wayOf(await fill('/items/3', { ...inside, type: 'divider' }, 'after')),
    'item=/items/4&new=after&did=add',
  )
})

test.run()
