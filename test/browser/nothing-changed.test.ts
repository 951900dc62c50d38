import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { commitFolder, gitIn } from '../support/repository.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

/** Written as no program would write it. */
const ODD = NESTED.replace('name: Main', "name:   'Main' # for editors\n").replace(
  'label: Blog',
  '"label" : >-\n            Blog',
)
const site = await openSite(
  { 'main.yaml': ODD },
  {
    hasDashboard: true,
    prepare: (dir) => commitFolder(dir, 'menus'),
  },
)
test.after(() => site.close())

/** All that would show that somebody wrote. */
function traces(): readonly string[] {
  const { dir } = site.folder
  const path = join(dir, 'menus/main.yaml')
  const { ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [
    readFileSync(path, 'latin1'),
    `${ino} ${mtimeNs} ${ctimeNs}`,
    gitIn(dir, 'rev-parse', 'HEAD'),
    gitIn(dir, 'status', '--porcelain', 'menus'),
  ]
}

test('Looking around, sending forms as they are and undoing changes leaves the file untouched and nothing to publish', async () => {
  const before = traces()
  const { page, open, press, saved, hears, tree } = await openEditor(site)
  const nothing = page.getByText('No changes', { exact: true })
  await open('main.yaml')
  const shown = await tree()
  const branch = page.locator('.tree summary')
  await branch.click()
  await branch.click()
  await page.getByRole('link', { name: 'Actions for Lamps' }).click()
  await page.keyboard.press('Escape')
  for (const pointer of ['/items/0', '/items/1', '/items/1/children/1']) {
    await page.goto(`${site.url}${HOME}/item?${new URLSearchParams({ file: 'main.yaml', item: pointer })}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await nothing.waitFor()
  }
  await page.goto(`${site.url}${HOME}/settings?file=main.yaml`)
  await page.getByRole('button', { name: 'Save' }).click()
  await nothing.waitFor()

  await press('Blog', 'Alt+ArrowUp')
  await press('Home', 'Delete')
  await saved()
  await page.getByText('2 changes, not published').waitFor()
  const ways = page.locator('.dock .with-changes a')
  assert.is(await ways.first().isVisible(), true)
  await page.locator('.dock > button[value=undo]').click()
  await hears('Undone: ')
  await page.keyboard.press('Control+z')
  await nothing.waitFor()
  await saved()
  await page.reload()
  assert.is(await tree(), shown)

  await press('Blog', 'Alt+ArrowUp')
  await press('Blog', 'Alt+ArrowDown')
  await saved()
  await nothing.waitFor()
  for (const way of await ways.all()) assert.is(await way.isVisible(), false)

  await page.goto(`${site.url}${HOME}/text?file=main.yaml`)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('There is nothing to publish: this is the file as it is.').waitFor()
  await page.goto(`${site.url}${HOME}/review?file=main.yaml`)
  await page.getByRole('heading', { name: 'There is nothing to publish' }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Publish' }).count(), 0)
  assert.equal(traces(), before)
})

test.run()
