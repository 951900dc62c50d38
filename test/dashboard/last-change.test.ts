import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuText } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { textOf } from './managing.js'
import { HOME, openForOperator, textOfPage, type Visitor } from './visiting.js'

const whoOf = async ({ look }: Visitor, item: string): Promise<string> =>
  textOfPage(await look(`${HOME}/who?${new URLSearchParams({ file: 'main.yaml', item })}`))

test('The form of an item leads to who changed it last, by its commit, also where the file has other changes', async () => {
  const prepare = (dir: string): void => commitFolder(dir, 'menus')
  const [visitor, site] = await openForOperator({ prepare })
  const write = (from: string, to: string): void =>
    site.folder.write('menus/main.yaml', textOf(site).replace(from, to))
  write('Sales', 'Revenue')
  gitIn(site.folder.dir, 'commit', '-qam', 'Sales are revenue', '--author=Ana <ana@example.org>')
  write('Home', 'Start')
  gitIn(site.folder.dir, 'commit', '-qam', 'Start here', '--author=Ben <ben@example.org>')
  const form = await visitor.look(editorOf(visitor).address('item', { item: '/items/1' }))
  assert.match(form.text, `href="${HOME}/who?file=main.yaml&amp;item=%2Fitems%2F1"`)
  assert.match(await whoOf(visitor, '/items/1'), 'Changed last by Ana, just now. Sales are revenue')
  assert.match(await whoOf(visitor, '/items/0'), 'Changed last by Ben, just now. Start here')
  await editorOf(visitor).press('up', '/items/1')
  assert.match(await whoOf(visitor, '/items/0'), 'Changed last by Ana, just now. Sales are revenue')
  assert.is((await visitor.look(`${HOME}/who?file=main.yaml&item=/items/7`)).status, 422)
})

test('Without git, the texts that publishes replaced say who changed an item last, or nothing does', async () => {
  const [visitor] = await openForOperator()
  const editor = editorOf(visitor)
  await editor.fill('/items/1', { 'label:en': 'Revenue' })
  await editor.review('publish')
  assert.match(await whoOf(visitor, '/items/1'), 'Changed last by local, just now.')
  assert.match(await whoOf(visitor, '/items/0'), 'It is not known who published the last change')
})

test('The list of menus says who committed each menu as it is, and nothing of one that was changed since', async () => {
  const prepare = (dir: string): void => {
    commitFolder(dir, 'menus')
    writeFileSync(join(dir, 'menus/other.yaml'), menuText('other', 'Items'))
    gitIn(dir, 'add', '-A')
    gitIn(dir, 'commit', '-qm', 'Other', '--author=Ana <ana@example.org>')
    writeFileSync(join(dir, 'menus/main.yaml'), menuText('main', 'Changed'))
  }
  const [visitor, { folder }] = await openForOperator({ prepare, watch: true })
  const list = async (): Promise<string> => textOfPage(await visitor.look(HOME))
  assert.match(await list(), /main Changed Not recorded in git 1 item .*other Items just now · Ana 1 item/)
  // As a pull does.
  folder.write('menus/other.yaml', menuText('other', 'Pulled'))
  gitIn(folder.dir, 'commit', '-qm', 'Pulled', '--author=Ben <ben@example.org>', 'menus/other.yaml')
  await eventually(async () => assert.match(await list(), /other Pulled just now · Ben 1 item/))
})

test.run()
