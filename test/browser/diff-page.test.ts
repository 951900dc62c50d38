import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { toDiffHtml } from '../../src/review/diff/html.js'
import { menuOf, reportOf } from '../review/diff/diff-reports.js'
import { axeFaults } from '../support/browser.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { test } from '../support/test.js'
import { overflowOf } from './editing.js'
import { visit } from './sites.js'

const HOSTILE = '<img src="https://evil.example/x.png" onerror="alert(1)"> \u202e'
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const link = (label: unknown, more: object = {}): unknown => ({ label, url: '/page', ...more })
const before = {
  'main.yaml': menuOf([
    link(
      { en: 'Shop', es: 'Tienda' },
      { children: [link(HOSTILE), { type: 'divider' }, link(WORD, { id: 'w' })] },
    ),
    ...Array.from({ length: 9 }, (_, place) => link(`Same ${place}`, { id: `s${place}` })),
    { type: 'section', label: 'Office', permissions: ['staff'], children: [link('Payouts', { id: 'p' })] },
  ]),
  'old.yaml': menuOf([link('a')], { code: 'old' }),
  'torn.yaml': menuOf([], { code: 'torn' }),
}
const after = {
  'main.yaml': menuOf([
    link(
      { en: 'Shop', es: HOSTILE, ar: 'متجر' },
      { children: [link(WORD, { id: 'w', hidden: true, routeName: 'x', url: undefined })] },
    ),
    ...Array.from({ length: 9 }, (_, place) => link(`Same ${place}`, { id: `s${place}` })),
    link('Payouts', { id: 'p', icon: 'no:icon' }),
    { type: 'section', label: 'Office', permissions: ['staff'], children: [] },
  ]),
  'new.yaml': menuOf([link({ en: WORD })], { code: 'new', context: { [WORD]: HOSTILE }, name: HOSTILE }),
  'torn.yaml': 'version: 1\ncode: torn\n',
}
const folder = createMenusFolder({ 'page.html': toDiffHtml(reportOf(before, after)) })
test.after(() => folder.close())
const address = `file://${join(folder.dir, 'page.html')}`

const WIDTHS = { light: [1280, 320], dark: [390] } as const

for (const colorScheme of ['light', 'dark'] as const) {
  test(`The page is accessible, asks for nothing, and fits in ${colorScheme}`, async () => {
    const { page } = await visit({ colorScheme })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(address)
    for (const width of WIDTHS[colorScheme]) {
      await page.setViewportSize({ width, height: 800 })
      assert.equal(await axeFaults(page), [], `at ${width} pixels`)
      assert.is(await overflowOf(page), 0, `at ${width} pixels`)
    }
    assert.equal(
      asked.filter((url) => url !== address && !url.startsWith('data:')),
      [],
    )
  })
}

test('The page is built of landmarks and headings, and nothing in it is of a label', async () => {
  const { page } = await visit()
  await page.goto(address)
  const texts = (selector: string) => page.locator(selector).allInnerTexts()
  assert.equal(await texts('h1, h2'), [
    'What changes in the menus',
    '⚠ Seen by more viewers: 1 item',
    'Seen by fewer viewers: 1 item',
    'Menus',
    'main',
    `new {${WORD}: ${JSON.stringify(HOSTILE.replace('\u202e', '·'))}}`,
    'old',
    'torn',
    'New problems: 4',
  ])
  assert.is(await page.locator('img, script, iframe').count(), 0)
  assert.is(await page.locator('header, main, footer').count(), 3)
  assert.equal(await texts('#menu-1 .tree h4'), ['Before', 'After'])
  assert.equal(await texts('#menu-1 .tree:last-child .row.moved .label'), ['Payouts'])
  const direction = "getComputedStyle(document.querySelector('[lang=ar]')).direction"
  assert.is(await page.evaluate(direction), 'rtl')
  await page.locator('summary').first().press('Enter')
  assert.ok(await page.getByText('Same 4').first().isVisible())
})

test.run()
