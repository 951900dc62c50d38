import * as assert from 'uvu/assert'
import { draftOf, renamed, scriptAs } from '../dashboard/managing.js'
import { hubWith, openOn, openOnHost } from '../dashboard/proposing.js'
import { HOME } from '../dashboard/visiting.js'
import { test } from '../support/test.js'
import { judgePage } from './judge.js'
import { visit } from './sites.js'

for (const [locale, colorScheme, javaScriptEnabled] of [
  ['en', 'light', true],
  ['de', 'dark', false],
  ['es', 'light', false],
  ['ar', 'dark', true],
] as const)
  test(`A draft is proposed, listed and continued on accessible pages, ${colorScheme}, in ${locale}`, async () => {
    const { host, site, hub } = await openOnHost('forgejo')
    const { page } = await visit({ locale, colorScheme, javaScriptEnabled })
    await page.context().setExtraHTTPHeaders({ 'Accept-Language': locale, 'X-User': 'Ana' })
    const open = async (path: string): Promise<void> => {
      await page.goto(`${site.url}${HOME}${path}`)
      await judgePage(page, locale)
    }
    await open('/proposals')
    const label = { op: 'replace', path: '/items/1/label', value: 'Offers' }
    await draftOf(await scriptAs('Ana', site), [...renamed('Lamp shop'), label])
    for (const closed of ['', '/new', '/text?file=main.yaml']) await open(closed)
    await open('/review?file=main.yaml')
    assert.is(await page.locator('button[value="publish"]').count(), 0)
    await page.locator('#title').fill(' ')
    await page.locator('#note').fill('Marketing asked for it.')
    await page.locator('button[value="propose"]').click()
    await page.locator('#title-error').waitFor()
    await judgePage(page, locale)
    assert.is(await page.locator('#note').inputValue(), 'Marketing asked for it.')
    await page.locator('#title').fill('Rename the menu, and “Sales”')
    await page.locator('button[value="propose"]').click()
    await page.waitForURL(/did=proposed/)
    await judgePage(page, locale)
    const link = page.locator('.sheet a.button').first()
    assert.is(await link.getAttribute('href'), `${host.url}/shop/site/pulls/1`)
    const [pull] = host.pulls
    if (pull !== undefined) pull.comments = 3
    hub.push({ 'menus/main.yaml': hub.textOf('menus/main.yaml').replace('name: Main', 'name: Theirs') })
    await site.remote?.follow()
    await open('/proposals')
    await page.locator('.versions a').first().click()
    await page.waitForURL(/branch=/)
    await judgePage(page, locale)
    await page.locator('main form button').click()
    await page.waitForURL(/edit/)
    await open('/review?file=main.yaml')
    await page.locator('input[value="mine"]').first().check()
    await page.locator('button[value="resolve"]').click()
    await page.locator('#title').waitFor()
    await judgePage(page, locale)
    assert.is(await page.locator('#title').inputValue(), 'Rename the menu, and “Sales”')
    await page.locator('button[value="propose"]').click()
    await page.waitForURL(/did=updated/)
    assert.equal([host.pulls.length, await page.locator('.chip.gone').count()], [1, 0])
  })

test('Where a draft can be published or proposed, its review is accessible and offers both', async () => {
  const [as, site] = await openOn(hubWith(), { mode: 'both' })
  await draftOf(await as('Ana'), renamed('Lamp shop'))
  const { page } = await visit({ locale: 'en' })
  await page.context().setExtraHTTPHeaders({ 'Accept-Language': 'en', 'X-User': 'Ana' })
  await page.goto(`${site.url}${HOME}/review?file=main.yaml`)
  await judgePage(page, 'en')
  await page.getByRole('button', { name: 'Propose change' }).click()
  await page.waitForURL(/did=proposed/)
  await judgePage(page, 'en')
})

test.run()
