import * as assert from 'uvu/assert'
import type { ImportReply } from '../../src/dashboard/deeds/import.js'
import { menuText } from '../http/sites.js'
import { test } from '../support/test.js'
import { codeOf, MENU, openForScript, renamed, type Script, textOf, versionOf } from './managing.js'

const REPLACE = '/import?mode=replace'
const block = (code: string, name: string) => ({
  menu: { code, name },
  items: [
    { label: 'Home', externalUrl: '/' },
    { label: 'Sales', externalUrl: '/sales' },
  ],
})

/** What an import would do. */
async function planOf(script: Script, body: unknown, path: string = REPLACE): Promise<ImportReply> {
  const planned = await script('POST', `${path}&dry_run=true`, { body })
  assert.is(planned.status, 200, planned.text)
  return planned.json() as ImportReply
}

test('An import that changes nothing leaves each file as it is, with its comments', async () => {
  const [script, site] = await openForScript()
  const menus = (await script('GET', '/export')).json() as object
  const { written, versions } = await planOf(script, menus)
  assert.equal(written, [{ file: 'main.yaml', what: 'unchanged', diff: null }])
  for (const body of [menus, { ...menus, versions }])
    assert.is((await script('POST', REPLACE, { body })).status, 200)
  assert.is(textOf(site), MENU)
})

test('A menu that an import replaces keeps what does not differ, and its difference is shown before', async () => {
  const [script, site] = await openForScript()
  const body = { menus: [block('main', 'New'), block('side', 'Side')] }
  const { written, versions } = await planOf(script, body)
  const [replaced, added] = written
  assert.match(replaced?.diff ?? '', /^-name: Main {3}# for editors\n\+name: New {3}# for editors$/m)
  assert.equal([added?.what, added?.diff], ['added', null])
  assert.equal(versions, { 'main.yaml': (await versionOf(script)).slice(1, -1), 'side.yaml': null })
  const done = await script('POST', REPLACE, { body: { ...body, versions } })
  assert.equal([done.status, (done.json() as ImportReply).written], [200, written])
  assert.is(textOf(site), MENU.replace('Main ', 'New '))
})

test('E22: an import replaces only the versions that its dry run showed', async () => {
  const menus = [block('main', 'Imported'), block('side', 'Imported')]
  const [script, site] = await openForScript({
    menus: { 'main.yaml': MENU, 'side.yaml': menuText('side', 'Side') },
  })
  const refused = await script('POST', REPLACE, { body: { menus } })
  assert.is(codeOf(refused), '428 version-required')
  const { versions } = await planOf(script, { menus })
  const asked = await versionOf(script)
  await script('PATCH', '/menu?file=main.yaml', { body: renamed('Theirs'), version: asked })
  const theirs = textOf(site)
  for (const sent of [versions, {}, { 'main.yaml': null }]) {
    const answer = await script('POST', REPLACE, { body: { menus, versions: sent } })
    assert.is(codeOf(answer), '412 changed', JSON.stringify(sent))
  }
  const answer = await script('POST', REPLACE, { body: { menus, versions } })
  const { file, asked: other, version, diff } = answer.json() as Record<string, string>
  assert.equal([file, `"${other}"`, `"${version}"`], ['main.yaml', asked, await versionOf(script)])
  assert.match(diff ?? '', /^\+name: Theirs/m)
  assert.equal([textOf(site), textOf(site, 'side.yaml')], [theirs, menuText('side', 'Side')])
})

test('E22: an import restores no file that was since deleted or given to another menu', async () => {
  const menus = [block('main', 'Imported')]
  const [script, site] = await openForScript()
  const { versions } = await planOf(script, { menus })
  const body = [{ op: 'replace', path: '/code', value: 'other' }]
  await script('PATCH', '/menu?file=main.yaml', { body, version: await versionOf(script) })
  const theirs = textOf(site)
  assert.is(codeOf(await script('POST', REPLACE, { body: { menus, versions } })), '412 changed')
  assert.is(textOf(site), theirs)
  await script('DELETE', '/menu?file=main.yaml', { version: await versionOf(script) })
  const gone = await script('POST', REPLACE, { body: { menus, versions } })
  assert.equal([codeOf(gone), (gone.json() as { version: unknown }).version], ['412 changed', null])
  assert.throws(() => textOf(site), /ENOENT/)
})

test('An import lists what the JSON and what the menus have wrong at once', async () => {
  const [script, site] = await openForScript()
  const body = {
    menus: [
      { menu: { code: 'a', name: 'A', collapsible: 'x' }, items: [{ label: 'X', externalUrl: '//evil' }] },
      block('free', 'Free'),
    ],
  }
  const answer = await script('POST', '/import', { body })
  const { notes } = answer.json() as ImportReply
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ pointer }) => pointer)
  assert.is(codeOf(answer), '422 import-refused')
  assert.equal(refused, ['/menus/0/menu/collapsible', '/menus/0/items/0/externalUrl'])
  assert.throws(() => textOf(site, 'free.yaml'), /ENOENT/)
})

test('Versions that are none are refused', async () => {
  const [script] = await openForScript()
  for (const versions of [5, 'x', [], { 'main.yaml': 5 }]) {
    const answer = await script('POST', REPLACE, { body: { menus: [block('main', 'New')], versions } })
    assert.is(codeOf(answer), '400 bad-body', JSON.stringify(versions))
  }
})

test.run()
