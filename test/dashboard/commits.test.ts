import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { draftOf, keptIds, MENU, openForScript, textOf, versionOf } from './managing.js'
import { HOME, openForOperator, textOfPage } from './visiting.js'

const prepare = (dir: string): void => commitFolder(dir, 'menus')

const relabelled = (place: number, value: string): readonly object[] => [
  { op: 'replace', path: `/items/${place}/label`, value },
]

test('A commit says whether its change is an edit, an import, a merge or a restore', async () => {
  const [script, site] = await openForScript({ prepare })
  const { dir } = site.folder
  const subject = (): string => gitIn(dir, 'log', '-1', '--format=%s')
  const byHand = (from: string, to: string): void =>
    writeFileSync(join(dir, 'menus/main.yaml'), textOf(site).replace(from, to))
  const edited = { body: relabelled(1, 'Offers'), version: await versionOf(script) }
  await script('PATCH', '/menu?file=main.yaml', edited)
  assert.is(subject(), 'Menu main: renames Sales to Offers')
  const body = { id: (await keptIds(script))[0] }
  await script('POST', '/restore?file=main.yaml', { body, version: await versionOf(script) })
  assert.match(subject(), /^Menu main: restores the version of \d{4}-\d\d-\d\d$/)
  const item = { version: await versionOf(script), body: [{ op: 'remove', path: '/items/1' }] }
  await script('PATCH', '/menu?file=main.yaml', item)
  const one = { body: { ...body, pointer: '/items/1' }, version: await versionOf(script) }
  assert.is((await script('POST', '/restore?file=main.yaml', one)).status, 200)
  assert.match(subject(), /^Menu main: restores Sales from the version of \d{4}-\d\d-\d\d$/)
  const merged = await draftOf(script, relabelled(0, 'Start'))
  byHand('url: /sales', 'url: /offers')
  assert.is((await script('POST', `${merged}/publish`)).status, 200)
  assert.match(subject(), /^Merge of menu main: /)
  const decided = await draftOf(script, relabelled(0, 'Mine'))
  byHand('Start', 'Theirs')
  const refused = await script('POST', `${decided}/publish`)
  const { version, conflicts } = refused.json() as {
    version: string
    conflicts: readonly { id: string }[]
  }
  const choices = Object.fromEntries(conflicts.map(({ id }) => [id, 'mine']))
  assert.is((await script('POST', `${decided}/resolve`, { body: { version, choices } })).status, 200)
  assert.is((await script('POST', `${decided}/publish`)).status, 200)
  assert.match(subject(), /^Merge of menu main: /)
  const exported = (await script('GET', '/export')).json() as { menus: readonly { menu: object }[] }
  const payload = {
    menus: exported.menus.map((each) => ({ ...each, menu: { ...each.menu, code: 'other' } })),
  }
  const imported = await script('POST', '/import', { body: payload })
  assert.is(imported.status, 200, imported.text)
  assert.match(subject(), /^Import of menu other: adds the menu/)
})

test('The history begins with when and who; what a commit did is English on a page in any language', async () => {
  const [visitor] = await openForOperator({ prepare })
  const { fill, review, address } = editorOf(visitor)
  await fill('/items/1', { 'label:en': 'Offers' })
  await review('publish')
  const page = await visitor.look(address('history'), { 'accept-language': 'ar' })
  assert.match(page.text, '<bdi lang="en" dir="ltr">renames Sales to Offers</bdi>')
  assert.not.match(textOfPage(page), 'Menu main:')
  assert.match(page.text, /<time [^>]*>.*<bdi>[^<]+<\/bdi>.*renames Sales/s)
})

test('A commit of a form says so, too', async () => {
  const [{ look, send }, site] = await openForOperator({ prepare })
  const { dir } = site.folder
  const first = gitIn(dir, 'rev-parse', 'HEAD:menus/main.yaml')
  writeFileSync(join(dir, 'menus/main.yaml'), MENU.replace('Sales', 'Offers'))
  gitIn(dir, 'commit', '-q', '-a', '-m', 'Second')
  const path = `${HOME}/history?file=main.yaml&from=${first}`
  const restored = await send(path, fieldsOf(await look(path), 'version'))
  assert.is(restored.status, 303)
  assert.match(gitIn(dir, 'log', '-1', '--format=%s'), /^Menu main: restores the version of /)
  const live = (await look(restored.headers['location'] ?? '')).text
  assert.match(live, /Recorded in git \([\da-f]{10}\)/)
  const json = JSON.stringify({
    menu: { code: 'new', name: 'New' },
    items: [{ label: 'Start', externalUrl: '/' }],
  })
  const form = { ...fieldsOf(await look(`${HOME}/import`), 'state'), json }
  const plan = await send(`${HOME}/import`, { ...form, do: 'check' })
  await send(`${HOME}/import`, { ...fieldsOf(plan, 'state'), do: 'import' })
  assert.match(gitIn(dir, 'log', '-1', '--format=%s'), /^Import of menu new: adds the menu/)
})

test('After a restore, only the newest of the equal versions is the present one', async () => {
  const [{ look, send }, site] = await openForOperator({ prepare, config: { git: { commit: 'auto' } } })
  const path = `${HOME}/history?file=main.yaml`
  const { dir } = site.folder
  const [first] = gitIn(dir, 'ls-tree', 'HEAD', 'menus/main.yaml').match(/[\da-f]{40}/) ?? []
  writeFileSync(join(dir, 'menus/main.yaml'), MENU.replace('Sales', 'Offers'))
  gitIn(dir, 'commit', '-q', '-a', '-m', 'Second')
  const page = await look(`${path}&from=${first}`)
  assert.is((await send(`${path}&from=${first}`, fieldsOf(page, 'version'))).status, 303)
  assert.match((await look(path)).text, /^(?!.*(As it is now.*){2}).*As it is now.*Second/s)
})

test('A restored file that is as the last commit has it is not called uncommitted', async () => {
  const [{ look, send }, site] = await openForOperator({ prepare })
  const path = `${HOME}/history?file=main.yaml`
  const { dir } = site.folder
  const [first] = gitIn(dir, 'ls-tree', 'HEAD', 'menus/main.yaml').match(/[\da-f]{40}/) ?? []
  writeFileSync(join(dir, 'menus/main.yaml'), MENU.replace('Sales', 'Offers'))
  const page = await look(`${path}&from=${first}`)
  const restored = await send(`${path}&from=${first}`, fieldsOf(page, 'version'))
  assert.equal([restored.status, textOf(site)], [303, MENU])
  const shown = textOfPage(await look(restored.headers['location'] ?? ''))
  assert.match(shown, / is live again in its earlier version\. 1 change published\. /)
  assert.not.match(shown, 'Not recorded in git')
})

test.run()
