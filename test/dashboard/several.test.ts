import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { test } from '../support/test.js'
import { editorOf, fieldsOf, wayOf } from './forms.js'
import { NESTED, textOf } from './managing.js'
import { type Fields, openForOperator, textOfPage, type Visitor } from './visiting.js'

const menus = { 'main.yaml': NESTED, 'side.yaml': NESTED.replace('main', 'side') }

/** Presses a button of the bar of the chosen items. */
async function press(visitor: Visitor, kind: string, names: readonly string[], more: Fields = {}) {
  const { address } = editorOf(visitor)
  const fields = fieldsOf(await visitor.look(address('edit')), 'allPermissions')
  const picks = Object.fromEntries(names.map((name) => [`pick:${name}`, 'on']))
  return visitor.send(address('edit'), { ...fields, ...more, ...picks, do: kind })
}

test('What is done to several items without JavaScript is one step with one undo', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const { page, review } = editorOf(visitor)
  assert.is(wayOf(await press(visitor, 'hide', ['0', '1-1'])), 'did=hide-all&count=2&at=/items/0')
  assert.match(
    textOfPage(await page({ did: 'hide-all', count: '2' })),
    '2 items are now hidden from visitors',
  )
  assert.is(wayOf(await press(visitor, 'undo', [])), 'did=undo')
  assert.match(textOfPage(await page({ did: 'undo' })), 'Undone: hiding Home and 1 other item.')
  assert.is(textOfPage(await page()).includes('No changes'), true)
  await press(visitor, 'permissions', ['0', '2'], { allPermissions: 'staff\r\n\r\n boss ', mode: 'any' })
  await press(visitor, 'remove', ['1', '1-0'])
  assert.is((await review('publish')).status, 303)
  const { items } = parse(textOf(site))
  assert.equal(
    items.map((item: { label: string; permissions: string[] }) => [item.label, item.permissions]),
    [
      ['Home', ['staff', 'boss']],
      ['About', ['staff', 'boss']],
    ],
  )
})

test('Several items are moved, and copied to another menu, from one page each', async () => {
  const [visitor] = await openForOperator({ menus })
  const { address, page } = editorOf(visitor)
  assert.is(wayOf(await press(visitor, 'place', ['0', '2'])), 'items=0.2')
  const path = address('place', { items: '0.2' })
  const moving = await visitor.look(path)
  assert.match(textOfPage(moving), /Move 2 items .*Home\s*,\s*About/)
  const moved = await visitor.send(path, { ...fieldsOf(moving, 'place'), parent: '/items/1', position: '2' })
  assert.is(wayOf(moved), 'did=move-all&count=2&at=/items/0/children/1')
  assert.match(textOfPage(await page()), /Products.*Lamps.*Home.*About.*Blog/s)
  const other = address('transfer', { items: '0-1.0-3', to: 'side.yaml' })
  const copying = await visitor.look(other)
  assert.match(textOfPage(copying), 'Move or copy 2 items to another menu')
  const copied = await visitor.send(other, {
    ...fieldsOf(copying, 'toState'),
    parent: '',
    position: '1',
    do: 'copy',
  })
  assert.is(copied.status, 303)
  assert.match(textOfPage(await editorOf(visitor, 'side.yaml').page()), /Home.*Blog.*Home.*Products/s)
})

test('A step that one item refuses is refused as a whole, with its name', async () => {
  const [visitor] = await openForOperator({ menus })
  const { address, page } = editorOf(visitor)
  const path = address('place', { items: '0.1' })
  const moving = fieldsOf(await visitor.look(path), 'place')
  const refused = await visitor.send(path, { ...moving, parent: '/items/1/children/0' })
  assert.is(refused.status, 422)
  assert.match(textOfPage(refused), 'Nothing was changed because of Products')
  for (const names of [[], ['7'], ['x']]) assert.is((await press(visitor, 'hide', names)).status, 422)
  assert.match(textOfPage(await page()), 'No changes')
})

test.run()
