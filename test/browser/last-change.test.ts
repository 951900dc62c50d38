import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { menuText, openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { commitFolder } from '../support/repository.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const prepare = (dir: string): void => commitFolder(dir, 'menus')
const site = await openSite({ 'main.yaml': menuText('main', 'Home') }, { hasDashboard: true, prepare })
test.after(() => site.close())

const SENTENCE = /^Changed last by Committer, .+\.$/

test('The script says who changed an item last in its form, also beside the tree; a link leads there without it', async () => {
  const { page, close } = await openEditor(site)
  await page.goto(`${site.url}${HOME}/edit?file=main.yaml`)
  await page.locator('.tree .name').click()
  await page.locator('.panel').getByText(SENTENCE).waitFor()
  const form = `${site.url}${HOME}/item?file=main.yaml&item=/items/0`
  await page.goto(form)
  await page.getByText(SENTENCE).waitFor()
  assert.equal(await axeFaults(page), [])
  await close()
  const { page: plain } = await openEditor(site, { javaScriptEnabled: false })
  await plain.goto(form)
  await plain.getByRole('link', { name: 'Who changed this last?' }).click()
  await plain.getByText(SENTENCE).waitFor()
})

test.run()
