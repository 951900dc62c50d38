import * as assert from 'uvu/assert'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { openEditor } from './editing.js'

const menuOf = (code: string, ...labels: readonly string[]): string =>
  `${yaml`
  version: 1
  code: ${code}
  name: ${code.toUpperCase()}
  items:
  `}${labels.map((label) => `  - label: ${label}\n    url: /${label}\n`).join('')}`
const site = await openSite(
  { 'a.yaml': menuOf('a', 'Lamps', 'Rugs', 'Beds'), 'b.yaml': menuOf('b', 'Home') },
  { hasDashboard: true },
)
test.after(() => site.close())

test('Quick keys undo and redo a move in both menus, and what cannot be undone there leads there', async () => {
  const { page, open, press, tree, saved, hears } = await openEditor(site)
  const trees = async (): Promise<readonly string[]> => {
    await open('a.yaml')
    const first = await tree()
    await open('b.yaml')
    return [first, await tree()]
  }
  const before = ['1 Lamps, 1 Rugs, 1 Beds', '1 Home']
  const after = ['1 Beds', '1 Home, 1 Lamps, 1 Rugs']
  await page.goto(`${site.url}${HOME}/transfer?file=a.yaml&items=0.1&to=b.yaml`)
  await page.locator('#parent').selectOption({ label: 'After Home' })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.locator('.came').waitFor()
  assert.equal(await trees(), after)
  await press('Rugs', 'Alt+ArrowUp')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await hears('The other half of the move, in A, is undone, too.')
  await saved()
  assert.equal(await trees(), before)
  await page.keyboard.press('Control+Shift+z')
  await hears('The other half of the move, in A, is redone, too.')
  await saved()
  assert.equal(await trees(), after)
  await press('Home', 'Alt+ArrowDown')
  await saved()
  await open('a.yaml')
  await page.keyboard.press('Control+z')
  await hears('Your draft of B has changed since. What was moved is still there, too.')
  const shown = page.locator('.dock').getByText('Your draft of B has changed').filter({ visible: true })
  assert.is(await shown.count(), 1)
  await page.getByRole('link', { name: 'Open B' }).click()
  await page.waitForURL(/file=b\.yaml/)
})

test.run()
