import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PASSWORD, userLine } from '../dashboard/access/dashboards.js'
import { HOME } from '../dashboard/visiting.js'
import { menuText, openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { enter, openEditor } from './editing.js'
import { judgePage } from './judge.js'
import { visit } from './sites.js'

const site = await openSite(
  {
    'main.yaml': menuText('main', 'Home'),
    'winter.yaml': menuText('main', '<b>Ski</b>\u202e', { season: 'winter', partner: 3 }),
    'torn.yaml': 'version: 1\ncode: [',
  },
  {
    hasDashboard: true,
    config: { locales: ['en', 'de'] },
    prepare: (dir) => {
      mkdirSync(join(dir, '.menuscript'), { recursive: true })
      writeFileSync(join(dir, '.menuscript/users'), userLine('mia', 'manage') + userLine('vic', 'view'))
    },
  },
)
test.after(() => site.close())

test('Without JavaScript, a user signs in by the link, creates a menu, finds it and signs out', async () => {
  const { page } = await visit({ locale: 'en', javaScriptEnabled: false })
  await page.goto(site.link())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'New menu' }).click()
  await page.getByLabel('Code').fill('footer')
  await page.getByRole('textbox', { name: 'Name (optional)' }).fill('Footer <links>')
  await page.getByRole('button', { name: 'Create menu' }).click()
  await page.getByRole('status').waitFor()
  assert.match(await page.getByRole('status').innerText(), 'The new menu is live for everyone.')
  assert.ok(existsSync(join(site.folder.dir, 'menus/footer.yaml')))
  await page.goto(`${site.url}${HOME}`)
  await page.getByRole('searchbox').fill('links')
  await page.getByRole('searchbox').press('Enter')
  await page.getByText('1 menu for “links”').waitFor()
  assert.equal(await page.locator('.rows h2').allInnerTexts(), ['Footer <links>'])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.goto(`${site.url}${HOME}`)
  assert.match(page.url(), '/sign-in')
})

for (const [locale, colorScheme] of [
  ['en', 'light'],
  ['de', 'dark'],
  ['ar', 'light'],
] as const) {
  test(`Every page and state is accessible and fits, ${colorScheme}, in ${locale}`, async () => {
    const { page } = await visit({ locale, colorScheme })
    await page.goto(`${site.url}${HOME}/sign-in?link=used`)
    await judgePage(page, locale)
    await page.locator('main').getByRole('button').click()
    await page.getByRole('alert').waitFor()
    await judgePage(page, locale)
    await enter(page, site)
    for (const path of ['', '?q=nothing+like+it', '/problems', '/new', '/nowhere']) {
      await page.goto(`${site.url}${HOME}${path}`)
      await judgePage(page, locale)
      if (locale === 'de') assert.equal(await axeFaults(page), [], path)
    }
    await page.goto(`${site.url}${HOME}/new?code=.x&value1=3&key2=a&value2=b`)
    await page.locator('main form button.main').click()
    await page.getByRole('alert').waitFor()
    await judgePage(page, locale)
  })
}

for (const [locale, colorScheme] of [
  ['en', 'light'],
  ['de', 'dark'],
  ['ar', 'light'],
] as const) {
  test(`The pages for users are accessible and fit, ${colorScheme}, in ${locale}`, async () => {
    const { page } = await visit({ locale, colorScheme })
    await page.goto(`${site.url}${HOME}/sign-in`)
    await page.locator('#name').fill('mia')
    await page.locator('#password').fill(PASSWORD)
    await page.locator('main form button').click()
    await page.locator('.user').waitFor()
    for (const query of ['', '?user=mia', '?user=vic&did=role', '?user=vic&remove=', '?user=gone']) {
      await page.goto(`${site.url}${HOME}/users${query}`)
      await judgePage(page, locale)
    }
    await page.goto(`${site.url}${HOME}/users`)
    const name = `a-user-with-a-name-as-long-as-it-may-be.${locale}@example.org`
    for (const typed of ['mia', name]) {
      await page.locator('main #name').fill(typed)
      await page.locator('main button[value=add]').click()
      await page.locator(typed === 'mia' ? '[role=alert]' : '#link').waitFor()
      await judgePage(page, locale)
    }
    const link = await page.locator('main pre').innerText()
    for (const address of [link, `${link}x`]) {
      await page.goto(address)
      await judgePage(page, locale)
    }
    await page.goto(link)
    await page.locator('#password').fill('short')
    await page.locator('main form button').click()
    await page.locator('#password-error').waitFor()
    await judgePage(page, locale)
  })
}

test('Each control can be reached by keys, shows where the focus is, and errors lead to their fields', async () => {
  const { page } = await openEditor(site, { javaScriptEnabled: false })
  await page.goto(`${site.url}${HOME}`)
  await page.keyboard.press('Tab')
  assert.is(await page.locator(':focus').innerText(), 'Skip to the content')
  await page.goto(`${site.url}${HOME}/new?code=.x`)
  await page.locator('#code').press('Enter')
  await page.getByRole('alert').getByRole('link').press('Enter')
  assert.is(await page.locator(':focus').getAttribute('id'), 'code')
})

test.run()
