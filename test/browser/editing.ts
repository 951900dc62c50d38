import type { BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROGRAM } from '../cli/command.js'
import { HOME } from '../dashboard/visiting.js'
import type { OpenSite } from '../http/sites.js'
import type { Visitor, VisitorOptions } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { type Running, startProcess } from '../support/process.js'
import { visit } from './sites.js'

/** Somebody who is signed in and edits menus with a script. */
export interface Editor extends Visitor, Hands {
  readonly page: Page
}

export interface Hands {
  readonly page: Page
  readonly open: (file: string) => Promise<void>
  /** The items that the page shows, as `1 Home, 2 Lamps`: each with its level. */
  readonly tree: () => Promise<string>
  /** What was said last. */
  readonly said: () => Promise<string>
  /** Waits until everything is saved. */
  readonly saved: () => Promise<void>
  /** Where the focus is: the name of the row, or of the control. */
  readonly focus: () => Promise<string>
  /** Presses keys on the row of a label. */
  readonly press: (label: string, keys: string) => Promise<void>
  /** Waits until something is said. */
  readonly hears: (text: string) => Promise<void>
}

/** Opens a window, in English unless told otherwise, and signs in. */
export async function openEditor(
  site: Pick<OpenSite, 'url' | 'link'>,
  options: VisitorOptions = {},
): Promise<Editor> {
  const visitor = await visit({ locale: 'en', ...options })
  await enter(visitor.page, site)
  return { ...visitor, ...handsOn(visitor.page, site.url) }
}

/** What the browser keeps of those who have signed in to a site. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** Signs in by the link: the first time on the page, later with the session that it began. */
export async function enter(page: Page, { url, link }: Pick<OpenSite, 'url' | 'link'>): Promise<void> {
  const session = sessions.get(url)
  if (session !== undefined) return page.context().addCookies(session)
  await page.goto(link())
  await page.locator('main').getByRole('button').click()
  await page.waitForURL(`${url}${HOME}`)
  sessions.set(url, await page.context().cookies())
}

/** What somebody who may edit does on a page of a service at an address. */
export function handsOn(page: Page, url: string): Hands {
  return {
    page,
    open: async (file) => {
      await page.goto(`${url}${HOME}/edit?${new URLSearchParams({ file })}`)
      await page.locator('.handle').first().waitFor()
    },
    tree: () => treeOf(page),
    said: async () => ((await page.locator('.said').textContent()) ?? '').trim(),
    saved: () => savedBy(page),
    focus: () =>
      page.evaluate<string>(`{
        const row = document.activeElement.closest('.row')
        row ? row.querySelector('.name, .line').textContent : document.activeElement.textContent.trim()
      }`),
    press: async (label, keys) => {
      await page.getByRole('link', { name: label, exact: true }).focus()
      await page.keyboard.press(keys)
    },
    hears: (text) => page.locator('.said', { hasText: text }).waitFor({ state: 'attached' }),
  }
}

/** Starts the command in a folder, and waits until it listens. */
export async function serveIn(dir: string, port: string = '0'): Promise<Running & { readonly url: string }> {
  const server = startProcess('node', [...PROGRAM, 'serve', '--port', port], { cwd: dir })
  const [, url = ''] = await server.waitFor(/listening on (\S+)/)
  return { ...server, url }
}

/** Reviews and publishes the draft of an editor by keys and a button. */
export async function publish(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/review\?/)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
}

/** By how many pixels a page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** The items of a page, each with its level. */
function treeOf(page: Page): Promise<string> {
  return page.evaluate<string>(`{
    const rows = [...document.querySelectorAll('.tree .row')]
    const levelOf = (row) => {
      let level = 0
      for (let list = row.closest('ul'); list !== null; list = list.parentElement.closest('.tree ul')) level++
      return level
    }
    rows.map((row) => levelOf(row) + ' ' + row.querySelector('.name, .line').textContent).join(', ')
  }`)
}

/** No step is left in the storage of the page: what is there is not saved. Words of an open form are kept beside it. */
async function savedBy(page: Page): Promise<void> {
  const steps = "Object.keys(localStorage).filter((key) => !key.startsWith('menuscript words '))"
  await eventually(async () => assert.equal(await page.evaluate(steps), []))
}
