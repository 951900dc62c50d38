import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { fieldsOf } from './forms.js'
import { API, codeOf, draftOf, MENU, openForScript, PROXIED, renamed, scriptAs } from './managing.js'
import { createVisitor, type Fields, HOME, textOfPage } from './visiting.js'

const menuOf = (code: string): string => `version: 1\ncode: ${code}\nname: ${code}\nitems: []\n`
const MENUS = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`m${at}.yaml`, menuOf(`m${at}`)]))

interface Listed {
  readonly id: string | null
  readonly user: string
}

test('A user has up to a hundred drafts: the next one is refused, one that exists is resumed, others begin theirs', async () => {
  const [script] = await openForScript({ menus: MENUS })
  const open = (at: number, query = '') => script('POST', `/drafts?file=m${at}.yaml${query}`)
  const opened = []
  for (let at = 0; at < 100; at++) opened.push((await open(at)).status)
  assert.equal(opened, Array(100).fill(201))
  for (const query of ['', '&dry_run=true']) assert.is(codeOf(await open(100, query)), '507 too-many-drafts')
  const { id } = (await open(99)).json() as { id: string }
  assert.is((await script('DELETE', `/drafts/${id}`)).status, 204)
  assert.is((await open(100)).status, 201)
})

test('The step that exceeds the room of a user is 507 as described, and other users still save steps', async () => {
  const [, site] = await openForScript({ ...PROXIED, menus: MENUS })
  const [ana, bo] = [await scriptAs('ana', site), await scriptAs('bo', site)]
  const values = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(900_000))
  const large = values.map((value) => ({ op: 'add', path: '/x-note', value }))
  const outcomes = new Set<string>()
  for (const file of ['m0.yaml', 'm1.yaml', 'm2.yaml']) {
    const draft = await draftOf(ana, [], file)
    for (let status = 200; status === 200; ) {
      const answer = await ana('PATCH', draft, { body: large })
      status = answer.status
      if (status !== 200) outcomes.add(codeOf(answer))
    }
  }
  assert.equal([...outcomes], ['413 draft-too-large', '507 too-many-drafts'])
  const step = await bo('PATCH', await draftOf(bo, [], 'm0.yaml'), { body: large })
  assert.is(step.status, 200, step.text)
  const { paths } = (await site.ask('/openapi.json')).json() as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>
  }
  for (const way of ['', '/undo', '/redo', '/resolve']) {
    const { responses } = paths[`${API}/drafts/{id}${way}`]?.[way === '' ? 'patch' : 'post'] ?? {}
    assert.match(JSON.stringify(responses?.['507']), 'too-many-drafts', way)
  }
})

test('A form that would start one draft too many says so, and keeps what was typed', async () => {
  const [, site] = await openForScript({
    ...PROXIED,
    menus: { ...MENUS, 'm100.yaml': MENU.replace('main', 'm100') },
  })
  const ana = await scriptAs('ana', site)
  for (let at = 0; at < 100; at++) await ana('POST', `/drafts?file=m${at}.yaml`)
  const { look, send } = createVisitor(site.ask, site.url)
  const headers = { 'x-user': 'ana' }
  const sendForm = async (page: string, having: string, fields: Fields) => {
    const path = `${HOME}/${page}`
    return send(path, { ...fieldsOf(await look(path, headers), having), ...fields }, headers)
  }
  const form = await sendForm('settings?file=m100.yaml', 'was', { name: 'Typed' })
  assert.is(form.status, 507)
  assert.match(textOfPage(form), /too many drafts.* Publish or discard some of your drafts\./)
  assert.match(form.text, 'value="Typed"')
  const button = await sendForm('edit?file=m100.yaml&open=/items/0', 'item', { do: 'down' })
  assert.is(button.status, 507)
  assert.match(textOfPage(button), 'There is no room for that')
})

test('The admin token discards any draft, a user only their own, and both see which', async () => {
  const [script, site] = await openForScript(PROXIED)
  const [ana, bo] = [await scriptAs('ana', site), await scriptAs('bo', site)]
  const { id } = (await ana('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const listed = async (ask: typeof ana) =>
    ((await ask('GET', '/drafts')).json() as { drafts: Listed[] }).drafts.map((each) => [each.user, each.id])
  assert.equal(await listed(ana), [['ana', id]])
  assert.equal(await listed(bo), [['ana', null]])
  assert.is((await bo('DELETE', `/drafts/${id}`)).status, 204)
  assert.equal(await listed(script), [['ana', id]])
  assert.is(codeOf(await script('PATCH', `/drafts/${id}`, { body: renamed('x') })), '404 no-draft')
  assert.is((await script('DELETE', `/drafts/${id}`)).status, 204)
  assert.equal(await listed(ana), [])
})

test.run()
