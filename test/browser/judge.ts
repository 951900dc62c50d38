import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axeFaults } from '../support/browser.js'
import { LONG } from '../support/figures.js'
import { overflowOf } from './editing.js'

const NARROW = 320

/** What every page keeps to, in a wide window and in the narrowest. */
export async function judgePage(page: Page, locale: string): Promise<void> {
  const where = page.url()
  const html = page.locator('html')
  const direction = locale === 'ar' ? 'rtl' : 'ltr'
  assert.equal([await html.getAttribute('lang'), await html.getAttribute('dir')], [locale, direction], where)
  assert.is(await page.locator('h1').count(), 1, where)
  assert.is(await page.locator('script:not([src], [type="application/json"])').count(), 0, where)
  assert.equal(await repeatedNames(page), [], where)
  // What axe looks at does not differ by the language, but by its direction, and there by what is beside what: most of all
  // in a narrow window. How wide the words are differs.
  const isJudged = (width: number): boolean =>
    locale === 'en' || (direction === 'rtl' && (LONG || width === NARROW))
  for (const width of [1280, NARROW]) {
    await page.setViewportSize({ width, height: 800 })
    if (isJudged(width)) assert.equal(await axeFaults(page), [], `${where} at ${width} pixels`)
    assert.is(await overflowOf(page), 0, `${where} at ${width} pixels`)
  }
}

/** Names that several navigations of a page share; null for one that has none. */
async function repeatedNames(page: Page): Promise<readonly (string | null)[]> {
  const names = await page.evaluate<(string | null)[]>(
    "[...document.querySelectorAll('nav')].map((nav) => nav.getAttribute('aria-label'))",
  )
  return names.filter((name, place) => name === null || names.indexOf(name) !== place)
}
