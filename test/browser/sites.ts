import type { Page } from 'playwright-core'
import { openBrowser, type TestBrowser, type Visitor, type VisitorOptions } from '../support/browser.js'
import { startProcess } from '../support/process.js'
import { shared } from '../support/shared.js'
import { closing } from '../support/test.js'

export const LOCALES = ['en', 'es', 'de', 'ar'] as const

/** An example site of `test/sites/`, in a process of its own. */
export interface ServedSite {
  readonly url: string
  /** Asks it to end, and answers its exit code. */
  readonly stop: () => Promise<number | null>
  readonly stderr: () => string
}

/** Starts a site on a free port, on a day in summer: in winter the main menu is another one. */
export async function serveSite(
  name: 'express' | 'polka' | 'shapes',
  today = '2026-06-15',
): Promise<ServedSite> {
  const env = { PORT: '0', TODAY: today }
  const site = startProcess('node', [`test/sites/${name}/server.mjs`], { env })
  const [, url = ''] = await site.waitFor(/listening on (\S+)/)
  return { url, stop: site.stop, stderr: site.stderr }
}

/** The browser of all files here, in which each test is a visitor of its own. */
export const sharedBrowser: () => Promise<TestBrowser> = shared(openBrowser, (browser) => browser.close())

/** Somebody in that browser, who leaves after the test. */
export async function visit(options: VisitorOptions = {}): Promise<Visitor> {
  return closing(await (await sharedBrowser()).visitor(options))
}

/** The two sites in summer. */
export const shopSite: () => Promise<ServedSite> = shared(
  () => serveSite('express'),
  (site) => site.stop(),
)
export const helpCentre: () => Promise<ServedSite> = shared(
  () => serveSite('polka'),
  (site) => site.stop(),
)
/** The site with a menu of each style. */
export const shapesSite: () => Promise<ServedSite> = shared(
  () => serveSite('shapes'),
  (site) => site.stop(),
)

/** Signs in to the shop: `clara` is a customer, `sam` and `olga` are staff, `nora`, `omar` and `pilar` are partners. */
export async function signIn(page: Page, url: string, user: string): Promise<void> {
  await page.goto(`${url}/account/sign-in`)
  await page.locator('#email').fill(`${user}@example.org`)
  await page.locator('#password').fill('lumen')
  await page.locator('main form').getByRole('button').click()
  await page.waitForURL((address) => address.pathname !== '/account/sign-in')
}

/** What a menu shows of an item. */
export interface ShownItem {
  readonly label: string
  readonly href: string
  readonly children: readonly ShownItem[]
}

/** The menu that a navigation shows, read from its lists: with dividers, and with what is folded. */
export function shownTree(page: Page, label: string): Promise<readonly ShownItem[]> {
  return page.evaluate<readonly ShownItem[]>(`{
    const list = (ul) => (ul === null ? [] : [...ul.children].map(item))
    const item = (li) => {
      const head = li.querySelector(':scope > a, :scope > span, :scope > details > summary > span')
      return {
        label: head?.textContent.trim() ?? '',
        href: head?.getAttribute('href') ?? '#',
        children: list(li.querySelector(':scope > ul, :scope > details > ul')),
      }
    }
    list(document.querySelector('nav[aria-label=${JSON.stringify(label)}]')?.querySelector('ul') ?? null)
  }`)
}

/** What the endpoint of a site answers to the visitor of a page, cookies and all, as a menu would show it. */
export async function endpointTree(
  page: Page,
  code: string,
  locale: string,
  contextSets: unknown = null,
): Promise<readonly ShownItem[]> {
  const query = new URLSearchParams({ _locale: locale, _context_sets: JSON.stringify(contextSets) })
  const answer = await page.request.get(`${new URL(page.url()).origin}/api/menu/${code}?${query}`)
  return toShown((await answer.json()) as readonly ShownItem[])
}

function toShown(tree: readonly ShownItem[]): readonly ShownItem[] {
  return tree.map(({ label, href, children }) => ({ label, href, children: toShown(children) }))
}

/** Each link that is marked as the current page, as `navigation: text`. */
export function currentLinks(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('nav a[aria-current=page]')].map(
      (link) => link.closest('nav').getAttribute('aria-label') + ': ' + link.textContent.trim()
    )
  `)
}

/** All addresses in a tree. */
export function hrefsOf(tree: readonly ShownItem[]): readonly string[] {
  return tree.flatMap(({ href, children }) => [href, ...hrefsOf(children)])
}
