import * as assert from 'uvu/assert'
import { NESTED } from '../dashboard/managing.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor, overflowOf } from './editing.js'

const files = ['panel', 'asides', 'errors', 'marks', 'several', 'range', 'search', 'branches', 'below']
const site = await openSite(
  Object.fromEntries(files.map((name) => [`${name}.yaml`, NESTED.replace('main', name)])),
  { hasDashboard: true },
)
test.after(() => site.close())

test('An item is edited beside the tree: its row then has the focus and a mark, and nothing else moved', async () => {
  const { page, open, press, saved, focus, tree, hears } = await openEditor(site)
  await open('panel.yaml')
  const panel = page.locator('.panel')
  await page.getByRole('link', { name: 'Lamps', exact: true }).click()
  await panel.waitFor()
  await page.locator('.row.now', { hasText: 'Lamps' }).waitFor()
  assert.is(await axeFaults(page).then((faults) => faults.join()), '')
  await panel.getByLabel('English').fill('Lights')
  // What is typed stays while the tree changes, and belongs to its item.
  await press('Lamps', 'Alt+ArrowDown')
  await saved()
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  await press('About', 'Alt+ArrowUp')
  await saved()
  assert.is(await panel.getByLabel('English').inputValue(), 'Lights')
  await panel.getByRole('button', { name: 'Save' }).click()
  await hears('Lights saved to your draft.')
  assert.is(await panel.count(), 0)
  assert.is(await tree(), '1 Home, 1 About, 1 Products, 2 Lights, 2 Blog')
  assert.is(await focus(), 'Lights')
  const marked = page.locator('.row', { has: page.locator('.mark') }).locator('.name')
  assert.equal(await marked.allTextContents(), ['About', 'Lights'])
  assert.is(await page.locator('.row.now .name').textContent(), 'Lights')
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  await eventually(async () => assert.equal(await marked.allTextContents(), ['About']))
})

test('The place of an item and the settings of the menu are asked for beside the tree, too', async () => {
  const { page, open, focus, tree, hears, close } = await openEditor(site)
  await open('asides.yaml')
  const panel = page.locator('.panel')
  await page.getByRole('link', { name: 'Menu settings' }).click()
  await panel.getByLabel('Name').fill('Shop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
  assert.equal([await panel.count(), await focus()], [0, 'Menu settings'])
  await page.getByRole('link', { name: 'Actions for Lamps' }).click()
  await page.getByRole('link', { name: 'Move to…' }).click()
  assert.is(await axeFaults(page).then((faults) => faults.join()), '')
  await panel.getByLabel('Position').selectOption({ index: 0 })
  await panel.getByRole('button', { name: 'Move' }).click()
  await hears('Lamps moved to position 1 of ')
  assert.equal([await panel.count(), await focus()], [0, 'Lamps'])
  assert.is(await tree(), '1 Lamps, 1 Home, 1 Products, 2 Blog, 1 About')
  await page.getByRole('link', { name: 'Menu settings' }).click()
  await panel.getByLabel('Name').fill('Store')
  await page.keyboard.press('Escape')
  assert.is(
    await panel.getByLabel('Name').inputValue(),
    'Store',
    'what is typed is not lost without a question',
  )
  await close()
})

test('Escape closes what a tab has unfolded', async () => {
  const { page, open, focus, close } = await openEditor(site)
  await open('asides.yaml')
  const more = page.locator('.pages details')
  await more.locator('summary').click()
  await more.getByRole('link').first().focus()
  await page.keyboard.press('Escape')
  assert.equal([await more.getAttribute('open'), await focus()], [null, 'More'])
  await close()
})

test('What is below a hidden item is drawn as hidden', async () => {
  const { page, open, hears, close } = await openEditor(site)
  await open('below.yaml')
  const toneOf = (name: string): Promise<string> =>
    page.evaluate<string>(
      `getComputedStyle([...document.querySelectorAll('.row .name')].find((each) => each.textContent === '${name}')).color`,
    )
  const plain = await toneOf('Lamps')
  await page.locator('.row', { hasText: 'Products' }).locator('.pick').check()
  await page.locator('.several').getByRole('button', { name: 'Hide' }).click()
  await hears('hidden from visitors')
  const [below, hidden, home] = [await toneOf('Lamps'), await toneOf('Products'), await toneOf('Home')]
  assert.equal([below === hidden, home === plain, below === plain], [true, true, false])
  await close()
})

test('Branches stay as they were left, wherever they are by then', async () => {
  const { page, open, press, saved, close } = await openEditor(site)
  await open('branches.yaml')
  await press('About', 'Alt+ArrowUp')
  await press('About', 'Alt+ArrowUp')
  await saved()
  const branch = page.locator('li', { has: page.getByRole('link', { name: 'Products', exact: true }) })
  assert.is(await branch.locator('> details').getAttribute('open'), '')
  await page.reload()
  assert.is(await branch.locator('> details').getAttribute('open'), '')
  await branch.locator('> details > summary').click()
  await page.reload()
  assert.is(await branch.locator('> details').getAttribute('open'), null)
  await close()
})

test('Errors are shown beside the tree, Escape asks before typed words are lost, and a new item gets its place', async () => {
  const { page, open, press, focus, tree, hears, close } = await openEditor(site)
  await open('errors.yaml')
  const panel = page.locator('.panel')
  await press('Blog', 'Enter')
  await panel.locator('#url').fill('javascript:alert(1)')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('alert').waitFor()
  assert.is(await panel.locator('#url').inputValue(), 'javascript:alert(1)')
  let asked = 0
  page.on('dialog', (dialog) => (asked++ === 0 ? dialog.dismiss() : dialog.accept()))
  await page.keyboard.press('Escape')
  assert.is(await panel.count(), 1)
  await page.keyboard.press('Escape')
  assert.is(await panel.count(), 0)
  assert.is(await focus(), 'Blog')
  assert.is(asked, 2)
  await page.getByRole('link', { name: 'Add an item' }).click()
  for (const name of ['One', 'Two']) {
    await panel.getByLabel('English').fill(name)
    await panel.locator('#url').fill('/')
    await panel
      .getByRole('button', { name: name === 'One' ? 'Save and add another' : 'Save', exact: true })
      .click()
    await page.getByRole('link', { name, exact: true }).waitFor()
  }
  await hears('Two added')
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 1 About, 1 One, 1 Two')
  await close(/422/)
})

test('A row opens its item wherever it is free', async () => {
  const { page, open, close } = await openEditor(site)
  await open('errors.yaml')
  await page.locator('.row', { hasText: 'Blog' }).locator('.leads').click()
  await page.getByRole('heading', { name: 'Edit Blog' }).waitFor()
  await page.locator('.row', { hasText: 'Home' }).click({ position: { x: 500, y: 20 } })
  await page.getByRole('heading', { name: 'Edit Home' }).waitFor()
  await close()
})

test('Who goes on to another item has what was typed for the first one in the draft, as a step of its own', async () => {
  const { page, open, close } = await openEditor(site)
  await open('errors.yaml')
  await page.getByRole('link', { name: 'Blog', exact: true }).click()
  await page.locator('.panel').getByLabel('English').fill('News')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit Home' }).waitFor()
  await page.getByRole('link', { name: 'News', exact: true }).waitFor()
  await page.getByText('News saved to your draft.').first().waitFor()
  // What cannot be saved keeps its form.
  await page.locator('.panel').getByLabel('English').fill('')
  await page.getByRole('link', { name: 'News', exact: true }).click()
  await page.locator('.panel').getByRole('alert').waitFor()
  await page.getByRole('heading', { name: 'Edit Home' }).waitFor()
  await close(/422/)
})

test('Below 1000 pixels an item has a page of its own', async () => {
  const { page, open } = await openEditor(site, { width: 999 })
  await open('errors.yaml')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.waitForURL(/\/item\?/)
})

test('Rows are chosen by keys and with Shift, and what is done to them is one step', async () => {
  const { page, open, press, tree, hears, saved } = await openEditor(site)
  await open('several.yaml')
  await press('Lamps', ' ')
  await press('About', 'Shift+ ')
  const bar = page.locator('.several')
  assert.is(await bar.locator('b').textContent(), '3 selected')
  assert.is((await axeFaults(page)).join(), '')
  await page.keyboard.press('Escape')
  assert.is(await bar.isVisible(), false)
  await page.locator('.pick').nth(0).check()
  await page.locator('.pick').nth(4).check()
  // What is chosen stays chosen when its row moves.
  await press('Home', 'Alt+ArrowDown')
  await saved()
  assert.match((await page.locator('.dock:not(.several) b').textContent()) ?? '', '1 change, not published')
  await bar.getByRole('button', { name: 'Hide' }).click()
  await hears('2 items are now hidden from visitors')
  assert.equal(await page.locator('.off > .row .name').allTextContents(), ['Home', 'About'])
  await press('Home', 'Control+a')
  await page.keyboard.press('Delete')
  await hears('3 items deleted')
  assert.is(await tree(), '')
  await page.keyboard.press('Control+z')
  await hears('Undone: ')
  assert.is(await tree(), '1 Products, 2 Lamps, 2 Blog, 1 Home, 1 About')
})

test('The bar of chosen items leads to the pages that ask where they go, also on a telephone', async () => {
  const { page, open } = await openEditor(site, { width: 390, hasTouch: true, isMobile: true })
  await open('range.yaml')
  // Checkboxes appear once somebody selects, and go with “Done”.
  const boxes = page.locator('.pick')
  assert.is(await boxes.first().isVisible(), false)
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  await boxes.nth(1).check()
  await page.getByRole('button', { name: 'Done' }).tap()
  assert.equal([await boxes.first().isVisible(), await boxes.nth(1).isChecked()], [false, false])
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  await boxes.nth(2).check()
  await boxes.nth(3).check()
  assert.equal([await axeFaults(page), await overflowOf(page)], [[], 0])
  await page.locator('.several').getByRole('button', { name: 'Move to…' }).tap()
  await page.getByRole('heading', { name: 'Move 2 items' }).waitFor()
})

test('Without JavaScript, a touch screen has checkboxes from the start', async () => {
  const options = { width: 390, hasTouch: true, isMobile: true, javaScriptEnabled: false }
  const { page } = await openEditor(site, options)
  await page.goto(`${site.url}/admin/menus/edit?file=search.yaml`)
  assert.ok(await page.locator('.pick').first().isVisible())
  assert.is(await page.getByRole('button', { name: 'Select', exact: true }).isVisible(), false)
})

test('A search shows the items that it finds in open branches; open branches are kept over a reload', async () => {
  const { page, open, press, saved } = await openEditor(site)
  await open('search.yaml')
  const seen = (): Promise<readonly string[]> => page.locator('.tree .name:visible').allTextContents()
  await page.getByRole('link', { name: 'Collapse all' }).click()
  assert.equal(await seen(), ['Home', 'Products', 'About'])
  await page.getByRole('searchbox').fill('lamp')
  assert.equal(await seen(), ['Products', 'Lamps'])
  assert.is(await page.locator('.tools [role=status]').textContent(), '1 item found')
  assert.is((await axeFaults(page)).join(), '')
  await press('Lamps', 'Control+z')
  await page.getByRole('searchbox').fill('')
  assert.equal(await seen(), ['Home', 'Products', 'About'])
  await page.locator('.tree summary').click()
  await press('Lamps', 'Alt+ArrowDown')
  await saved()
  await page.locator('.tree summary').click()
  await page.reload()
  await page.locator('.handle').first().waitFor()
  assert.equal(await seen(), ['Home', 'Products', 'About'])
})

test('Without JavaScript, a search and the links of the branches load the page with them', async () => {
  const { page } = await openEditor(site, { javaScriptEnabled: false })
  await page.goto(`${site.url}/admin/menus/edit?file=search.yaml&branches=closed`)
  const seen = (): Promise<readonly string[]> => page.locator('.tree .name:visible').allTextContents()
  assert.equal(await seen(), ['Home', 'Products', 'About'])
  await page.getByRole('searchbox').fill('lamp')
  await page.getByRole('button', { name: 'Search' }).click()
  assert.equal(await seen(), ['Products', 'Lamps'])
  await page.getByRole('link', { name: 'Expand all' }).click()
  assert.is((await seen()).length, 5)
})

test.run()
