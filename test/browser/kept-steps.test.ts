import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { test } from '../support/test.js'
import { handsOn, publish, serveIn } from './editing.js'
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

test('What was not sent to one service is never sent to another one at the same address, and stays kept', async () => {
  const one = await serveIn(first.dir)
  const { url } = one
  const { port } = new URL(url)
  const { page, close } = await visit({ locale: 'en' })
  const { open, press, tree, hears, saved } = handsOn(page, url)
  await open('main.yaml')
  one.send('SIGKILL')
  await one.ended
  await press('Blog', 'Alt+ArrowUp')
  await page.getByText('Not saved yet: the server does not respond.').waitFor()
  page.on('dialog', (dialog) => dialog.accept())
  const other = await serveIn(second.dir, port)
  await page.goto('about:blank')
  await open('main.yaml')
  await press('Home', 'Delete')
  await page.getByText('1 change, not published').waitFor()
  await publish(page)
  const text = readFileSync(join(second.dir, 'menus/main.yaml'), 'utf8')
  assert.is(text, NESTED.replace('  - label: Home\n    url: /\n', ''))
  await other.stop()
  const again = await serveIn(first.dir, port)
  await open('main.yaml')
  await hears('Changes that were not saved when you left were sent.')
  assert.is(await tree(), '1 Home, 1 Products, 2 Blog, 2 Lamps, 1 About')
  await saved()
  await again.stop()
  await close(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY/)
})

test.run()
