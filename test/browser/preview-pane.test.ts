import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

const config = { dashboard: { preview_css: './menus/own.css' } }
const site = await openSite(
  { 'main.yaml': NESTED, 'own.css': 'nav { color: green }' },
  { hasDashboard: true, config },
)
test.after(() => site.close())

test('The frame beside the items stays while its menu changes, and is never empty', async () => {
  const { page, open, press, saved, close } = await openEditor(site)
  await open('main.yaml')
  const frame = page.locator('.pane iframe')
  const first = await frame.elementHandle()
  const before = await frame.getAttribute('srcdoc')
  await press('About', 'Delete')
  await saved()
  await eventually(async () => assert.not.match((await frame.getAttribute('srcdoc')) ?? '', 'About'))
  assert.match(before ?? '', 'About')
  assert.ok(await first?.evaluate((each) => each.isConnected))
  await close()
})

test.run()
