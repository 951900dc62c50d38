import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PASSWORD, userLine } from '../dashboard/access/dashboards.js'
import { MENU, textOf } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { axeFaults } from '../support/browser.js'
import { test } from '../support/test.js'
import { visit } from './sites.js'

const site = await openSite(
  { 'main.yaml': MENU },
  {
    hasDashboard: true,
    prepare: (dir) => {
      mkdirSync(join(dir, '.menuscript'))
      writeUsers(dir, 'edit')
    },
  },
)
test.after(() => site.close())

function writeUsers(dir: string, role: 'edit' | 'view'): void {
  writeFileSync(join(dir, '.menuscript/users'), userLine('ana', role) + userLine('ben'))
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${site.url}${HOME}/sign-in`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Menus' }).waitFor()
}

test('A form that would be lost is not sent: the page says why, and keeps what was typed until it can be sent', async () => {
  const { page, close } = await visit({ locale: 'en' })
  const context = page.context()
  const { dir } = site.folder
  const [menus, away] = [join(dir, 'menus'), join(dir, 'away')]
  await signIn(page, 'ana')
  await page.goto(`${site.url}${HOME}/item?file=main.yaml&item=/items/0`)
  const label = page.locator('[name="label:en"]')
  const held = page.locator('.held')
  const save = page.getByRole('button', { name: 'Save' })
  const isRefused = async (why: string): Promise<void> => {
    await save.click()
    await held.getByText(`Not sent: ${why}`).waitFor()
    assert.is(await label.inputValue(), 'Typed')
  }
  await label.fill('Typed')
  await context.clearCookies()
  await isRefused('you are signed out.')
  assert.is(await held.getByRole('link', { name: 'Sign in in another tab' }).getAttribute('target'), '_blank')
  assert.equal(await axeFaults(page), [])

  const tab = await context.newPage()
  await signIn(tab, 'ben')
  await isRefused('someone else is signed in here.')
  await context.clearCookies()
  await signIn(tab, 'ana')
  await tab.close()
  await context.setOffline(true)
  await isRefused('the server does not respond.')
  await context.setOffline(false)
  writeUsers(dir, 'view')
  await isRefused('your role is now “view”.')
  writeUsers(dir, 'edit')
  await page.route('**/api/session', (route) => route.fulfill({ status: 502 }), { times: 1 })
  await isRefused('the server does not respond.')
  renameSync(menus, away)
  writeFileSync(menus, '')
  await isRefused('the menus cannot be written at the moment.')
  rmSync(menus)
  renameSync(away, menus)

  const more = page.locator('textarea').first()
  const fill = (text: string): Promise<unknown> =>
    more.evaluate((field, value) => Object.assign(field, { value }), text)
  await fill('ä\n'.repeat(10_000))
  await isRefused('this is more than the server accepts.')
  await fill('')

  await save.click()
  await page.getByRole('link', { name: 'Typed', exact: true }).waitFor()
  await page.getByText('1 change, not published').waitFor()
  assert.is(textOf(site), MENU)
  await close(/status of (401|502)|ERR_INTERNET_DISCONNECTED/)
})

test('Where nothing can be written, the pages say so first, and the script offers nothing that writes', async () => {
  const locked = await openSite(
    { 'main.yaml': MENU, 'torn.yaml': 'code: [' },
    {
      hasDashboard: true,
      policies: `export const resolveOperator = () => ({ id: 'ana', role: 'edit' })`,
      config: { state: { dir: 'file/state' } },
      prepare: (dir) => writeFileSync(join(dir, 'file'), ''),
    },
  )
  const { page, close } = await visit({ locale: 'en', width: 390 })
  for (const path of ['', '/edit?file=main.yaml', '/edit?file=torn.yaml', '/text?file=main.yaml']) {
    await page.goto(`${locked.url}${HOME}${path}`)
    await page.getByText('Menus cannot be changed here').waitFor()
    assert.equal(await axeFaults(page), [], path)
    assert.is(await page.locator('.handle, .more, main form[method=post] button').count(), 0, path)
  }
  await close()
  await locked.close()
})

test.run()
