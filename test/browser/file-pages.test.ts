import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { HOME } from '../dashboard/visiting.js'
import { menuText, openSite } from '../http/sites.js'
import { LONG } from '../support/figures.js'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { openEditor } from './editing.js'
import { judgePage } from './judge.js'

const MENU = yaml`
  version: 1
  code: main
  name: Main <b>menu</b>
  items:
    - type: section
      label: { en: Products, de: Produkte }
      children:
        - label: Lamps
          url: /lamps
        - label: Ledger with a label that is longer than most labels of any menu ever were
          url: /a/path/that/is/longer/than/most/paths/of/any/site/ever/were/and/does/not/end/yet
          permissions: [money]
    - type: divider
    - label: Blog
      url: /blog
`
const site = await openSite(
  { 'main.yaml': MENU, 'torn.yaml': 'version: 1\ncode: [\nname: x', 'old.yaml': menuText('old', 'Old') },
  { hasDashboard: true, config: { locales: ['en', 'de'] } },
)
test.after(() => site.close())

/** Sends the text editor of a file with a change of its text. */
async function edit(page: Page, from: string, to: string, button: string): Promise<void> {
  await page.goto(`${site.url}${HOME}/text?file=main.yaml`)
  const field = page.locator('#text')
  await field.fill((await field.inputValue()).replace(from, to))
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: button }).click()
  await loaded
}

for (const [locale, colorScheme, check, publish] of [
  ['en', 'light', 'Check', 'Publish'],
  ['de', 'dark', 'Prüfen', 'Veröffentlichen'],
  // No word of it is longer than the German one.
  ...(LONG ? [['es', 'light', 'Comprobar', 'Publicar'] as const] : []),
  ['ar', 'dark', 'فحص', 'نشر'],
] as const) {
  test(`Pages about a file are accessible and fit in every state, ${colorScheme}, in ${locale}`, async () => {
    const { page } = await openEditor(site, { locale, colorScheme })
    const judge = (): Promise<void> => judgePage(page, locale)
    await edit(page, 'Blog', `Blog ${locale}`, check)
    await judge()
    await edit(page, 'url: /blog', 'url: javascript:x', publish)
    await judge()
    await edit(page, 'Blog', `Blog ${locale}`, publish)
    const pages = [
      'text?file=torn.yaml',
      'preview?file=main.yaml',
      'preview?file=main.yaml&contexts=x',
      'history',
      'keys',
    ]
    for (const path of [
      ...pages,
      'history?file=main.yaml',
      'delete?file=main.yaml',
      'import',
      'translations',
      'translate?file=main.yaml',
      'translate?file=main.yaml&which=all',
      'new?from=main.yaml',
    ]) {
      await page.goto(`${site.url}${HOME}/${path}`)
      await judge()
    }
    await page.goto(`${site.url}${HOME}/history?file=main.yaml`)
    await page.locator('.versions a').first().click()
    await judge()
    await page.goto(`${site.url}${HOME}/import`)
    await page.locator('#json').fill(
      `[{"menu": {"code": "new"}, "items": [{"label": "A", "externalUrl": "/", "odd": 1}]},
          {"menu": {"code": "main", "name": "New name"}, "items": []}]`,
    )
    await page.locator('input[name=mode][value=replace]').check()
    await page.locator('button[value=check]').click()
    await page.locator('details:has(pre.diff) > summary').first().click()
    await page.locator('pre.diff .new').first().waitFor()
    await page.locator('button[value=import]').waitFor()
    await judge()
    for (const row of [
      'main.yaml,/section:Products,label,Old,Sold',
      'none.yaml,x,label,x,x',
      'main.yaml,/section:Products,label,Old,Sold\nnone.yaml,x,label,x,x',
    ]) {
      await page.goto(`${site.url}${HOME}/translations`)
      const buffer = Buffer.from(`file,key,field,source,en\n${row}`)
      await page.locator('#translated').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
      await page.locator('input[name=outdated]').check()
      await page.locator('button[value=preview]').click()
      await page.locator('#outdated, #refused').first().waitFor()
      await judge()
    }
    await page.goto(`${site.url}${HOME}/translations?added=3`)
    await judge()
  })
}

test('Texts are downloaded, and come back translated, without JavaScript', async () => {
  const { page } = await openEditor(site, { javaScriptEnabled: false })
  await page.goto(`${site.url}${HOME}/import`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download texts' }).click()
  const [head = '', ...rows] = readFileSync(await (await downloading).path(), 'utf8').split('\r\n')
  const row = rows.find((each) => each.startsWith('main.yaml,')) ?? ''
  const upload = async (...lines: readonly string[]): Promise<void> => {
    const buffer = Buffer.from([head, ...lines].join('\n'))
    await page.locator('#translated').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Preview the translations' }).click()
  }
  await upload('none.yaml,x,label,x,x')
  await page.getByText('There is no menu file "none.yaml".').waitFor()
  await upload(row.replace(/,[^,]*$/, ',Traducido'))
  await page.locator('ins', { hasText: 'Traducido' }).waitFor()
  await page.getByRole('button', { name: 'Add to the draft' }).click()
  await page.getByText('1 translation was added to your draft.').waitFor()
  await page.locator('.dock').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Your draft has no changes').or(page.getByText('Undone')).first().waitFor()
})

test('An upload, a deletion and its undoing work without JavaScript', async () => {
  const { page } = await openEditor(site, { javaScriptEnabled: false })
  await page.goto(`${site.url}${HOME}/import`)
  const buffer = Buffer.from('[{"menu": {"code": "sent", "name": "Sent"}, "items": []}]')
  await page.locator('#upload').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
  await page.getByRole('button', { name: 'Preview the import' }).click()
  await page.getByRole('button', { name: 'Import and publish now' }).click()
  await page.getByText('1 file was written.').waitFor()
  await page.goto(`${site.url}${HOME}/delete?file=sent.yaml`)
  await page.getByRole('button', { name: 'Delete the menu' }).click()
  await page.getByText('The menu is deleted.').waitFor()
  await page.locator('.versions a').first().click()
  await page.getByRole('button', { name: 'Restore and publish now' }).click()
  await page.getByRole('heading', { name: /is live again in its earlier version\.$/ }).waitFor()
})

test.run()
