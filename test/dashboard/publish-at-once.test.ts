import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { type EditorForms, editorOf, fieldsOf } from './forms.js'
import { MENU, textOf } from './managing.js'
import { openForOperator, textOfPage } from './visiting.js'

const pathOf = (location: string | undefined): string =>
  new URL(location ?? '', 'http://x').pathname.split('/').at(-1) ?? ''

test('The bar publishes a draft that needs no look, and says in the editor that it is live', async () => {
  const [visitor, site] = await openForOperator()
  const { fill, press, page } = editorOf(visitor)
  assert.match((await page()).text, '<span class="with-changes" hidden>', 'there is nothing to publish')
  await fill('/items/1', { 'label:en': 'Offers' })
  assert.match(textOfPage(await page()), /1 change, not published .* Review Publish/)
  const { headers } = await press('publish')
  assert.is(textOf(site), MENU.replace('Sales', 'Offers'))
  assert.match(textOfPage(await visitor.look(headers['location'] ?? '')), 'Main is live. 1 change published.')
  assert.match(textOfPage(await page()), /Live · just now · \S+ · Undo this publish/)
  assert.is(pathOf((await press('publish')).headers['location']), 'review', 'a second press')
})

const WARNED = yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: { en: Home, de: Start }
      url: /
    - label: { en: Sales, de: Angebote }
      url: /sales
`

/** What keeps a draft from being published unseen, and how it comes about. */
const REASONS: readonly (readonly [what: string, spoil: (editor: EditorForms) => Promise<unknown>])[] = [
  ['warnings', ({ fill }) => fill('/items/0', { visibleUntil: '2020-01-01T00:00:00Z' })],
  ['errors', ({ fill }) => fill('/items/0', { 'label:de': '' })],
  [
    'an item that no one will see',
    ({ fill }) =>
      fill(
        '/items/0',
        {
          'label:en': 'Guests',
          'label:de': 'Gäste',
          to: 'url',
          url: '/',
          who: 'some',
          permissions: 'guests',
        },
        'after',
      ),
  ],
  ['a deleted item', ({ press }) => press('remove', '/items/1')],
  ['a hidden item', ({ press }) => press('hide', '/items/1')],
  ['a text whose translation stays', ({ fill }) => fill('/items/0', { 'label:en': 'Welcome' })],
]

for (const [what, spoil] of REASONS)
  test(`A draft with ${what} is shown first, and nothing is published`, async () => {
    const [visitor, site] = await openForOperator({
      menus: { 'main.yaml': WARNED },
      config: { locales: ['en', 'de'], lint: { rules: { 'missing-translation': 'error' } } },
    })
    const editor = editorOf(visitor)
    await spoil(editor)
    assert.is(pathOf((await editor.press('publish')).headers['location']), 'review')
    assert.is(textOf(site), WARNED)
  })

test('A draft that another tab or another user has gone past is shown first', async () => {
  const [visitor, site] = await openForOperator()
  const { fill, press, page, address } = editorOf(visitor)
  await fill('/items/1', { 'label:en': 'Offers' })
  const seen = fieldsOf(await page(), 'state')
  await fill('/items/0', { 'label:en': 'Start' })
  const { headers } = await visitor.send(address('edit'), { ...seen, do: 'publish' })
  assert.is(pathOf(headers['location']), 'review')
  assert.is(textOf(site), MENU)
  const other = MENU.replace('name: Main', 'name: Others')
  writeFileSync(join(site.folder.dir, 'menus/main.yaml'), other)
  assert.is(pathOf((await press('publish')).headers['location']), 'review')
  assert.is(textOf(site), other)
})

test.run()
