import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { menuText } from '../http/sites.js'
import { SEED, sized } from '../support/figures.js'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { ADMIN, scriptOf, versionOf } from './managing.js'
import { openForOperator, textOfPage } from './visiting.js'

/** What is typed into a field: often nothing, and often what no menu may have. */
const oneOf = (...texts: readonly string[]) => fc.constantFrom('', ...texts)
const aForm = fc.record({
  type: fc.constantFrom('link', 'link', 'section', 'divider'),
  to: fc.constantFrom('url', 'url', 'route', 'nowhere'),
  label: fc.oneof(
    oneOf('Shop', '<b>', '\u202e', '{{ 7 }}', 'x'.repeat(2_000)),
    fc.string().map((text) => text.trim()),
  ),
  url: fc.oneof(
    oneOf('/', '/a b', '/ä', './x', '?q=1', '#x', 'https://example.org/', 'mailto:a@b.c', 'tel:1'),
    oneOf(
      'javascript:alert(1)',
      'java\tscript:x',
      'data:text/html,x',
      '//evil',
      '\\\\evil',
      'example.org',
      'ftp://x',
    ),
    fc.webUrl(),
  ),
  route: oneOf('room', 'nowhere', 'a b'),
  icon: oneOf('a:b', 'house', '"><script>', 'a:b:c', 'A:B', ':', 'a b'),
  id: oneOf('a', 'a-1', '7', 'a b', 'x'.repeat(65)),
  class: oneOf('a b', 'a{', '"', 'x'.repeat(300)),
  attributes: fc.constantFrom(
    ...['', 'data-x = 7', 'onclick = x', 'aria-current = page', 'rel = nofollow', 'target = "<"'],
  ),
  permissions: oneOf('a', 'a.b', 'x'.repeat(300)),
})

/** One that both take, whatever chance brings. */
const PLAIN: Form = {
  ...{ type: 'link', to: 'url', label: 'Shop', url: '/', route: '', icon: '' },
  ...{ id: '', class: '', attributes: '', permissions: '' },
}

type Form = typeof aForm extends fc.Arbitrary<infer Each> ? Each : never

/** The item that the fields of a form ask for. */
function toItem(form: Form): object {
  const { type, to, label, url, route, icon, id, class: names, attributes, permissions } = form
  const [key, value] = attributes.split(' = ')
  const typed =
    attributes === '' ? {} : { [String(key)]: value === '7' ? 7 : value === '"<"' ? '"<"' : value }
  const all = { ...(names !== '' && { class: names }), ...typed }
  const where = to === 'route' ? { routeName: route } : type === 'link' ? { url } : {}
  const item = {
    ...(type !== 'link' && { type }),
    ...(type !== 'divider' && { label, icon, ...where }),
    ...{ id, permissions: permissions === '' ? '' : [permissions] },
    ...(Object.keys(all).length > 0 && { attributes: all }),
  }
  return Object.fromEntries(Object.entries(item).filter(([, each]) => each !== ''))
}

test(`The form of an item takes exactly what the management API takes, but for unknown pages (seed ${SEED})`, async () => {
  const tries = [PLAIN, ...fc.sample(aForm, { seed: SEED, numRuns: sized(500, 2_000) })]
  const [visitor, site] = await openForOperator({
    menus: { 'main.yaml': menuText('main', 'Home') },
    adminToken: ADMIN,
    config: { routes: { room: '/room' } },
  })
  const script = scriptOf(site)
  const version = await versionOf(script)
  const { address } = editorOf(visitor)
  const path = address('item', { item: '/items/0' })
  let taken = 0
  for (const form of tries) {
    const { label, ...rest } = form
    const fields = fieldsOf(await visitor.look(path), 'was')
    const who = form.permissions === '' ? 'everyone' : 'some'
    const answer = await visitor.send(path, { ...fields, ...rest, who, 'label:en': label })
    const body = [{ op: 'replace', path: '/items/0', value: toItem(form) }]
    const type = 'application/json-patch+json'
    const judged = await script('PATCH', '/menu?file=main.yaml&dry_run=true', { body, type, version })
    const isLost = form.type !== 'divider' && form.to === 'route' && !['', 'room'].includes(form.route)
    const verdicts = [answer.status === 303, judged.status === 200 && !isLost]
    assert.is(verdicts[0], verdicts[1], `${JSON.stringify(form)}\n${judged.text}\n${textOfPage(answer)}`)
    if (answer.status === 303) taken++
  }
  assert.ok(taken > 0 && taken < tries.length, `${taken} of ${tries.length}`)
})

test.run()
