import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { editorOf, fieldsOf, wayOf } from './forms.js'
import { textOf } from './managing.js'
import { type Fields, HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const MAIN = yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: Home
      url: /
      id: home
    - type: section
      label: Products
      id: products
      children:
        # The shop in Lyon has none.
        - label: Lamps # since May
          url: /lamps
`
const SIDE = yaml`
  version: 1
  code: side
  name: Side
  items:
    - label: About
      url: /about
      id: home
`
const menus = { 'main.yaml': MAIN, 'side.yaml': SIDE, 'torn.yaml': 'code: [' }
const { address } = editorOf({} as Visitor)
const PATH = address('transfer', { item: '/items/1', to: 'side.yaml' })

const transfer = async ({ look, send }: Visitor, fields: Fields, path = PATH) =>
  send(path, { ...fieldsOf(await look(path), 'toState'), ...fields })
const labelsOf = (text: string): unknown =>
  (parse(text) as { items: { label: string }[] }).items.map(({ label }) => label)

test('A branch is moved to another menu with its comments: both drafts wait, and each publish says which draft is left', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const chooser = await visitor.look(address('transfer', { item: '/items/1' }))
  assert.equal(
    [...chooser.text.matchAll(/class="choice" href="[^"]*to=([^"]*)"/g)].map(([, file]) => file),
    ['side.yaml'],
  )
  const nothing = await visitor.look(address('transfer', { item: '/items/1', q: 'about nothing' }))
  assert.match(textOfPage(nothing), 'No other menu matches.')
  const answer = await transfer(visitor, { do: 'move', parent: '', position: '1' })
  assert.is(wayOf(answer), 'did=moved-in&at=/items/0')
  const shown = textOfPage(await visitor.look(answer.headers['location'] ?? ''))
  assert.match(shown, 'Products is now in your draft of this menu, and no longer in your draft of Main.')
  assert.match(shown, 'Review Main')
  assert.equal([textOf(site), textOf(site, 'side.yaml')], [MAIN, SIDE])
  const published = await editorOf(visitor, 'side.yaml').review('publish')
  const said = textOfPage(await visitor.look(published.headers['location'] ?? ''))
  assert.match(said, 'You have other changes that are not published yet: Main')
  await editorOf(visitor).review('publish')
  assert.equal(labelsOf(textOf(site)), ['Home'])
  assert.equal(labelsOf(textOf(site, 'side.yaml')), ['Products', 'About'])
  assert.match(textOf(site, 'side.yaml'), 'id: products')
  assert.match(textOf(site, 'side.yaml'), '# The shop in Lyon has none.\n      - label: Lamps # since May\n')
})

test('Several items go after one that is chosen by its name, and one undo takes them back in both menus', async () => {
  const [visitor] = await openForOperator({ menus })
  const path = address('transfer', { items: '0.1', to: 'side.yaml' })
  const form = await visitor.look(path)
  assert.match(textOfPage(form), /At the start of the menu \S*\s*Inside About After About/)
  const moved = await transfer(visitor, { do: 'move', place: ' 2' }, path)
  const page = await visitor.look(moved.headers['location'] ?? '')
  assert.match(
    textOfPage(page),
    '2 items are now in your draft of this menu, and no longer in your draft of Main.',
  )
  assert.match(await turn(visitor, 'side.yaml', 'undo'), 'in Main, is undone, too.')
  assert.equal(await menusOf(visitor), [false, false])
})

const turn = async (visitor: Visitor, file: string, way: 'undo' | 'redo'): Promise<string> => {
  const { headers } = await editorOf(visitor, file).press(way)
  return textOfPage(await visitor.look(headers['location'] ?? ''))
}
/** Whether the drafts of both menus have changes. */
const menusOf = async (visitor: Visitor): Promise<readonly boolean[]> => {
  const counts = ['main.yaml', 'side.yaml'].map(
    async (file) => /class="dock".*?<p><b>([^<]*)/s.exec((await editorOf(visitor, file).page()).text)?.[1],
  )
  return (await Promise.all(counts)).map((count) => count !== 'No changes')
}

test('Later and from either menu, Undo and Redo of a move are of both halves', async () => {
  const [visitor] = await openForOperator({ menus })
  await transfer(visitor, { do: 'move', place: ' 1' })
  for (const file of ['side.yaml', 'main.yaml']) {
    const from = file === 'side.yaml' ? 'Main' : 'Side'
    assert.match(await turn(visitor, file, 'undo'), `The other half of the move, in ${from}, is undone, too.`)
    assert.equal(await menusOf(visitor), [false, false])
    assert.match(await turn(visitor, file, 'redo'), `The other half of the move, in ${from}, is redone, too.`)
    assert.equal(await menusOf(visitor), [true, true])
  }
  // Also with more steps between, which are undone first.
  await editorOf(visitor, 'side.yaml').press('hide', '/items/1')
  assert.not.match(await turn(visitor, 'side.yaml', 'undo'), 'half of the move')
  assert.match(await turn(visitor, 'side.yaml', 'undo'), 'in Main, is undone, too.')
  assert.equal(await menusOf(visitor), [false, false])
})

test('An undo that is sent twice undoes one step in both menus', async () => {
  const [visitor] = await openForOperator({ menus })
  await editorOf(visitor).press('hide', '/items/0')
  await transfer(visitor, { do: 'move', place: ' 1' })
  const path = editorOf(visitor, 'side.yaml').address('edit')
  const undo = { ...fieldsOf(await visitor.look(path), 'state'), do: 'undo' }
  for (let time = 0; time < 2; time++) assert.is((await visitor.send(path, undo)).status, 303)
  assert.equal(await menusOf(visitor), [true, false])
})

for (const [from, file, other, name, said] of [
  ['the target', 'side.yaml', 'main.yaml', 'Main', 'What was moved is still missing there.'],
  ['the source', 'main.yaml', 'side.yaml', 'Side', 'What was moved is still there, too.'],
] as const) {
  test(`An undo in ${from} leaves the other menu alone if its draft has changed since, says so and leads there`, async () => {
    const [visitor] = await openForOperator({ menus })
    await transfer(visitor, { do: 'move', place: ' 1' })
    await editorOf(visitor, other).press('hide', '/items/0')
    const undone = await turn(visitor, file, 'undo')
    assert.match(undone, `Your draft of ${name} has changed since. ${said}`)
    assert.match(undone, `Open ${name}`)
    assert.equal(await menusOf(visitor), other === 'main.yaml' ? [true, false] : [false, true])
    // There, it is undone behind what came later.
    await turn(visitor, other, 'undo')
    assert.match(await turn(visitor, other, 'undo'), 'is undone, too.')
    assert.equal(await menusOf(visitor), [false, false])
    await turn(visitor, other, 'redo')
    assert.equal(await menusOf(visitor), [true, true])
  })

  for (const end of ['publish', 'discard'] as const)
    test(`An undo in ${from} says that the other half is gone after a ${end}, and redo is of this menu`, async () => {
      const [visitor] = await openForOperator({ menus })
      await transfer(visitor, { do: 'move', place: ' 1' })
      const there = editorOf(visitor, other)
      assert.is((await (end === 'publish' ? there.review(end) : there.press(end))).status, 303)
      const undone = await turn(visitor, file, 'undo')
      assert.match(undone, `Your draft of ${name} no longer has the other half of the move`)
      assert.match(undone, `Open ${name}`)
      assert.equal(await menusOf(visitor), [false, false])
      assert.match(await turn(visitor, file, 'redo'), `Your draft of ${name} no longer has`)
      assert.equal(await menusOf(visitor), other === 'main.yaml' ? [false, true] : [true, false])
    })
}

test('A copy leaves the menu alone that it comes from, and an id stays behind that the other menu has', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const path = address('transfer', { item: '/items/0', to: 'side.yaml' })
  const answer = await transfer(visitor, { do: 'copy' }, path)
  assert.is(wayOf(answer), 'did=copied-in&from=main.yaml&at=/items/1')
  assert.match(textOfPage(await editorOf(visitor).page()), 'No changes')
  await editorOf(visitor, 'side.yaml').review('publish')
  assert.is(textOf(site, 'side.yaml'), `${SIDE}  - label: Home\n    url: /\n`)
})

test('B13: A form that is sent twice moves once, and one of an old page moves nothing and says so', async () => {
  const [visitor, site] = await openForOperator({ menus })
  const fields = fieldsOf(await visitor.look(PATH), 'toState')
  const old = { ...fields }
  for (let time = 0; time < 2; time++)
    assert.is((await visitor.send(PATH, { ...fields, do: 'move' })).status, 303)
  await editorOf(visitor, 'side.yaml').review('publish')
  assert.equal(labelsOf(textOf(site, 'side.yaml')), ['About', 'Products'])
  await editorOf(visitor).press('undo')
  const { state: now } = fieldsOf(await visitor.look(PATH), 'toState')
  for (const more of [{}, { toState: 'of no menu' }, { toState: 'of no menu', state: now }])
    assert.is(wayOf(await visitor.send(PATH, { ...old, ...more, do: 'move' } as Fields)), '409')
  assert.match(textOfPage(await editorOf(visitor).page()), 'No changes')
  assert.match(textOfPage(await editorOf(visitor, 'side.yaml').page()), 'No changes')
})

test('What cannot take the branch, or is no place, is refused, and both menus are as they were', async () => {
  const [visitor] = await openForOperator({ menus })
  assert.is(wayOf(await transfer(visitor, { do: 'move', parent: '/items/7' })), '422')
  for (const [item, to, status] of [
    ['/items/1', 'main.yaml', 422],
    ['/items/1', 'torn.yaml', 422],
    ['/items/1', 'none.yaml', 404],
    ['/items/1', '../x.yaml', 422],
    ['/items/9', 'side.yaml', 422],
    ['', 'side.yaml', 422],
  ] as const)
    assert.is((await visitor.look(address('transfer', { item, to }))).status, status, `${item} ${to}`)
  for (const file of ['main.yaml', 'side.yaml'])
    assert.match(textOfPage(await editorOf(visitor, file).page()), 'No changes', file)
  const forged = `${HOME}/edit?file=side.yaml&did=moved-in&at=/items/0`
  assert.not.match(textOfPage(await visitor.look(forged)), 'no longer in your draft')
})

test('The branch must fit into the other menu, and the form says why it does not', async () => {
  const [visitor] = await openForOperator({ menus, config: { limits: { levels: 2 } } })
  const answer = await transfer(visitor, { do: 'move', parent: '/items/0' })
  assert.is(answer.status, 422)
  assert.match(textOfPage(answer), 'A menu can have up to 2 levels.')
  assert.match(textOfPage(await editorOf(visitor).page()), 'No changes')
})

test.run()
