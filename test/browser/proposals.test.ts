import * as assert from 'uvu/assert'
import { draftOf, renamed, scriptAs } from '../dashboard/managing.js'
import { hubWith, openOnHost } from '../dashboard/proposing.js'
import { HOME } from '../dashboard/visiting.js'
import { closing, test } from '../support/test.js'
import { judgePage } from './judge.js'
import { visit } from './sites.js'

void closing
void hubWith
for (const [locale, colorScheme, isScripted] of [
  ['en', 'light', true],
  ['de', 'dark', false],
  ['es', 'light', false],
  ['ar', 'dark', true],
] as const)
  test(`A draft is proposed, listed and continued, on accessible pages: ${locale}, ${colorScheme}`, async () => {
    const { host, site, hub } = await openOnHost('forgejo')
    const { page } = await visit({ locale, colorScheme, javaScriptEnabled: isScripted })
    await page.context().setExtraHTTPHeaders({ 'Accept-Language': locale, 'X-User': 'Ana' })
    const to = async (path: string, name: string): Promise<void> => {
      await page.goto(`${site.url}${HOME}${path}`)
      await shoot(name)
    }
    const shoot = async (name: string): Promise<void> => {
      await judgePage(page, locale)
      const dir = process.env['SHOTS']
      if (dir === undefined) return
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.screenshot({ path: `${dir}/${name}-${locale}-${width}.png`, fullPage: true })
      }
    }
    await to('/proposals', 'empty')
    await draftOf(await scriptAs('Ana', site), [
      ...renamed('Lamp shop'),
      { op: 'replace', path: '/items/1/label', value: 'Offers' },
    ])
    await to('', 'menus')
    await to('/edit?file=main.yaml', 'edit')
    await to('/review?file=main.yaml', 'review')
    await page.locator('#title').fill(' ')
    await page.locator('#note').fill('Marketing asked for it.')
    await page.locator('form').first().evaluate('document.querySelector("#title").required = false')
    await page.locator('button[value="propose"]').click()
    await page.locator('#title-error').waitFor()
    await shoot('refused')
    await page.locator('#title').fill('Rename the menu, and “Sales”')
    await page.locator('button[value="propose"]').click()
    await page.waitForURL(/did=proposed/)
    await shoot('proposed')
    assert.is(
      await page.locator('.sheet a.button').first().getAttribute('href'),
      `${host.url}/shop/site/pulls/1`,
    )
    const [pull] = host.pulls
    if (pull !== undefined) pull.comments = 3
    hub.push({ 'menus/main.yaml': hub.textOf('menus/main.yaml').replace('name: Main', 'name: Theirs') })
    await site.remote?.follow()
    await draftOf(await scriptAs('Ben', site), [{ op: 'replace', path: '/items/0/label', value: 'Start' }])
    await to('/proposals', 'list')
    await page.locator('.versions a').first().click()
    await page.waitForURL(/branch=/)
    await shoot('conflict')
    await page.locator('main form button').click()
    await page.waitForURL(/edit/)
    await shoot('continued')
    await to('/review?file=main.yaml', 'decide')
    await to('/new', 'closed')
    await to('/text?file=main.yaml', 'text')
  })

test.run()
