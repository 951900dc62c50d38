import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { NESTED, textOf } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { test } from '../support/test.js'
import { openEditor, publish } from './editing.js'

const HOSTILE = '"><img src=x onerror=alert(1)>\u202e{{ 7 * 7 }}'
interface Item {
  readonly label: string
  readonly children?: readonly Item[]
}

const site = await openSite(
  {
    'clicks.yaml': NESTED.replace('main', 'clicks'),
    'long.yaml': JSON.stringify({
      ...{ version: 1, code: 'long', name: 'Long' },
      items: Array.from({ length: 30 }, (_, place) => ({ label: `Item ${place}`, url: '/' })),
    }),
    'hostile.yaml': JSON.stringify({
      ...{ version: 1, code: 'hostile', name: HOSTILE },
      items: [
        { label: HOSTILE, url: '/' },
        { label: HOSTILE, url: '/b', children: [{ label: HOSTILE, url: '/c' }] },
      ],
    }),
  },
  { hasDashboard: true },
)
test.after(() => site.close())

/** The items of a file as the page would show them. */
function treeOfFile(file: string): string {
  const rows = (items: readonly Item[], level: number): string[] =>
    items.flatMap(({ label, children = [] }) => [`${level} ${label}`, ...rows(children, level + 1)])
  return rows((parse(textOf(site, file)) as { items: readonly Item[] }).items, 1).join(', ')
}

test('Single clicks do what the keys do, and the publish matches the page', async () => {
  const { page, open, tree, said, saved } = await openEditor(site)
  await open('clicks.yaml')
  const more = page.getByRole('link', { name: 'Actions for Blog' }).first()
  const menu = page.locator('.actions-menu')
  await more.click()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  assert.ok(await button('Move down').isDisabled())
  assert.match(await menu.innerText(), 'Blog is already last in its list.')
  const press = async (name: string): Promise<void> => {
    if ((await menu.count()) === 0) await more.click()
    await button(name).click()
    // Another command would be under the pointer.
    assert.is(await menu.count(), 0, name)
    assert.ok(await more.evaluate((each) => each.matches(':focus')), name)
  }
  await press('Move to the top')
  assert.is(await said(), 'Blog moved to position 1 of 2 under Products.')
  await press('Move out of Products')
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 1 Blog, 1 About')
  for (const name of ['Move down', 'Move up', 'Nest under Products', 'Hide']) await press(name)
  await more.click()
  assert.ok(await button('Show').isVisible())
  await press('Duplicate')
  await saved()
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 2 Blog, 1 About')
  await page.getByText('2 changes, not published').waitFor()
  await publish(page)
  assert.is(treeOfFile('clicks.yaml'), '1 Home, 1 Products, 2 Lamps, 2 Blog, 2 Blog, 1 About')
})

for (const javaScriptEnabled of [true, false])
  test(`Undo says what was undone, and shows and marks its row, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { page } = await openEditor(site, { javaScriptEnabled })
    await page.goto(`${site.url}${HOME}/edit?file=long.yaml&open=/items/29`)
    await page.getByRole('button', { name: 'Move to the top' }).click()
    const marked = page.locator('.row.now .name')
    await page.getByText('Item 29 moved to position 1 of 30.').first().waitFor({ state: 'attached' })
    await page.evaluate('scrollTo(0, 200)')
    await page.locator('.dock > button[value=undo]').click()
    await page.getByText('Undone: moving Item 29.').first().waitFor({ state: 'attached' })
    assert.is(await marked.textContent(), 'Item 29')
    await eventually(async () => {
      const box = await marked.boundingBox()
      assert.ok(box !== null && box.y >= 0 && box.y < 700, String(box?.y))
    })
    await page.locator('.dock > button[value=redo]').click()
    await page.getByText('Redone: Item 29 moved').first().waitFor({ state: 'attached' })
    assert.is(await marked.textContent(), 'Item 29')
    await page.locator('.dock > button[value=undo]').click()
    await page.getByText('Undone: ').first().waitFor({ state: 'attached' })
  })

test('Undo of something on the screen leaves the other rows where they are', async () => {
  const { page, open, press, hears } = await openEditor(site)
  await open('long.yaml')
  await page.evaluate('scrollTo(0, 300)')
  // What is above the rows may change with the draft.
  const row = page.locator('.row', { hasText: 'Item 7' })
  const top = async (): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1)
  await press('Item 9', 'Alt+ArrowDown')
  const before = await top()
  assert.ok(before > 0 && before < 700, String(before))
  for (const key of ['Control+z', 'Control+Shift+z', 'Control+z']) {
    await page.keyboard.press(key)
    await hears(key === 'Control+z' ? 'Undone: moving Item 9' : 'Redone: Item 9 moved')
    assert.is(await top(), before, key)
  }
})

for (const [width, height] of [
  [1280, 800],
  [390, 844],
  [390, 420],
] as const)
  test(`The menu of a row is in the window and moves no row, at ${width} × ${height} pixels`, async () => {
    const { page, open, focus } = await openEditor(site, { width })
    await page.setViewportSize({ width, height })
    await open('long.yaml')
    const menu = page.locator('.actions-menu')
    for (const label of ['Item 0', 'Item 4', 'Item 12', 'Item 29']) {
      const more = page.getByRole('link', { name: `Actions for ${label}`, exact: true })
      await more.focus()
      const next = page.locator('.row', { hasText: label }).first()
      const before = await next.boundingBox()
      await page.keyboard.press('Enter')
      const box = await menu.boundingBox()
      if (box === null) throw new Error('no menu is open')
      assert.ok(box.x >= 0 && box.x + box.width <= width, label)
      const bar = await page.evaluate<number>("document.querySelector('.dock').getBoundingClientRect().top")
      // On a phone, it comes from below, over the bar.
      const end = width < 500 ? height : Math.min(height, bar)
      assert.ok(box.y >= 0 && box.y + box.height <= end, label)
      assert.equal([await next.boundingBox(), await focus()], [before, 'Edit'], label)
      const heights = await menu.locator('li').evaluateAll((all) => all.map((each) => each.clientHeight))
      assert.ok(Math.max(...heights) < 60, `words of several lines: ${heights}`)
      await page.keyboard.press('Escape')
      assert.is(await focus(), label)
    }
    await page.getByRole('link', { name: 'Actions for Item 29' }).click()
    assert.is(await menu.locator('ul').last().innerText(), 'Delete')
    const isWhole = await menu.evaluate((each) => each.scrollHeight <= each.clientHeight)
    if (height > 500) assert.ok(isWhole)
    await page.getByRole('link', { name: 'Item 28', exact: true }).focus()
    assert.is(await menu.count(), 0)
  })

test('C9: hostile labels are text in rows, menus and everything that is said', async () => {
  const { page, open, said, saved } = await openEditor(site)
  await open('hostile.yaml')
  await page.locator('.more').nth(1).click()
  await page.getByRole('button', { name: 'Nest under' }).click()
  // What turns the words around ends with the label.
  const name = `${HOSTILE}\u202c`
  assert.is(await said(), `${name} moved to position 1 of 1 under ${name}.`)
  await page.locator('.pane .drawn').waitFor()
  await page.keyboard.press('Control+z')
  await saved()
  assert.is(await page.locator('img[src=x]').count(), 0)
})

test.run()
