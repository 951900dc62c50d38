import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROGRAM } from '../cli/command.js'
import { NESTED } from '../dashboard/managing.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, startProcess } from '../support/process.js'
import { test } from '../support/test.js'
import { handsOn } from './editing.js'
import { visit } from './sites.js'

const FILES = {
  'menus/main.yaml': NESTED,
  'policies.mjs': "export const resolveOperator = () => ({ id: 'ana', role: 'edit' })",
  'menuscript.config.yaml': 'policies: ./policies.mjs\n',
}
const [first, second] = [createMenusFolder(FILES), createMenusFolder(FILES)]
test.after(() => {
  first.close()
  second.close()
})

async function serve({ dir }: MenusFolder, port: string): Promise<Running> {
  const server = startProcess('node', [...PROGRAM, 'serve', '--port', port], { cwd: dir })
  await server.waitFor(/listening on (\S+)/)
  return server
}

test('What was not sent to one service is never sent to another one at the same address, and stays kept', async () => {
  const one = await serve(first, '0')
  const [, url = ''] = /listening on (\S+)/.exec(one.stdout() + one.stderr()) ?? []
  const { port } = new URL(url)
  const { page, close } = await visit({ locale: 'en' })
  const { open, press, tree, hears, saved } = handsOn(page, url)
  await open('main.yaml')
  one.send('SIGKILL')
  await one.ended
  await press('Blog', 'Alt+ArrowUp')
  await page.getByText('Not saved yet: the server does not respond.').waitFor()
  page.on('dialog', (dialog) => dialog.accept())
  const other = await serve(second, port)
  await page.goto('about:blank')
  await open('main.yaml')
  await press('Home', 'Delete')
  await page.getByText('1 change, not published').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published.').waitFor()
  const text = readFileSync(join(second.dir, 'menus/main.yaml'), 'utf8')
  assert.is(text, NESTED.replace('  - label: Home\n    url: /\n', ''))
  await other.stop()
  const again = await serve(first, port)
  await open('main.yaml')
  await hears('Changes that were not saved when you left were sent.')
  assert.is(await tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  await saved()
  await again.stop()
  await close(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY/)
})

test.run()
