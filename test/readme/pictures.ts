import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { enter, handsOn } from '../browser/editing.js'
import { serveSite } from '../browser/sites.js'
import { HOME } from '../dashboard/visiting.js'
import type { TestBrowser } from '../support/browser.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { inRepository } from '../support/repository.js'
import { EXAMPLE_PICTURES } from './example-pictures.js'
import { ROOT, takeBlocks } from './readme.js'
import { runMenuscript, withServer } from './shell.js'
import { STYLE_PICTURES } from './style-pictures.js'

/** Draws what a page shows in a frame. */
export type Draw = (page: Page, clip: Clip) => Promise<void>

/** A part of a page, in CSS pixels. */
export type Clip = NonNullable<NonNullable<Parameters<Page['screenshot']>[0]>['clip']>

export interface Picture {
  /** The name of its file in `docs/pictures/`, without the ending. */
  readonly name: string
  /** Opens what it is a picture of, and closes it once that is drawn. */
  readonly show: (browser: TestBrowser, draw: Draw) => Promise<void>
}

/** The pictures of the README. */
export const PICTURES: readonly Picture[] = [
  { name: 'menu', show: showMenu },
  { name: 'dashboard', show: showDashboard },
  { name: 'editor', show: showEditor },
  { name: 'review', show: showReview },
  ...STYLE_PICTURES,
  ...EXAMPLE_PICTURES,
]

/** Sharp on fine screens, and small as a file. */
const WINDOW = { width: 960, deviceScaleFactor: 2, colorScheme: 'light' } as const
/** The pages of the dashboard have more on them. */
const DESK = { width: 1200, deviceScaleFactor: 1.25 } as const

/** The main menu of the shop on the page of one of its items, with its panel open. */
async function showMenu(browser: TestBrowser, draw: Draw): Promise<void> {
  const site = await serveSite('express')
  const { page, close } = await browser.visitor({ ...WINDOW, width: 1000 })
  try {
    await page.goto(`${site.url}/en/rooms/kitchen`)
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Lamps' }).hover()
    await draw(page, { x: 0, y: 0, width: 1000, height: 350 })
  } finally {
    await close()
    await site.stop()
  }
}

/** Somebody who has begun to edit the shop's menus, at the address of the dashboard. */
async function atDesk(
  browser: TestBrowser,
  work: (page: Page, home: string) => Promise<void>,
): Promise<void> {
  const folder = createMenusFolder()
  for (const path of ['menus', 'menuscript.config.yaml'])
    cpSync(join(ROOT, path), join(folder.dir, path), { recursive: true })
  // The icons that the configuration names.
  symlinkSync(join(ROOT, 'node_modules'), join(folder.dir, 'node_modules'))
  await withServer('menuscript serve', folder.dir, async (url) => {
    const { stdout } = await runMenuscript('menuscript link', folder.dir)
    const { page, close } = await browser.visitor({ locale: 'en', ...WINDOW, ...DESK })
    await enter(page, { url, link: () => stdout.trim() })
    const { open, press, saved } = handsOn(page, url)
    await open('shop/main.yaml')
    await press('Magazine', 'Alt+ArrowUp')
    await saved()
    await work(page, `${url}${HOME}`)
    await close()
  })
  folder.close()
}

/** The list of menus. */
function showDashboard(browser: TestBrowser, draw: Draw): Promise<void> {
  return atDesk(browser, async (page, home) => {
    await page.goto(home)
    await draw(page, { x: 0, y: 0, width: 1200, height: 610 })
  })
}

/** The editor of a menu, with a change that is not published. */
function showEditor(browser: TestBrowser, draw: Draw): Promise<void> {
  return atDesk(browser, async (page) => {
    await page.locator('.toast').waitFor({ state: 'detached' })
    await page.mouse.move(0, 0)
    // As high as the whole page, of which the bar is the end.
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ width: 1200, height })
    const bar = await page.locator('.dock:not(.several)').boundingBox()
    if (bar === null) throw new Error('The page shows no bar.')
    await draw(page, { x: 0, y: 85, width: 1200, height: bar.y + bar.height - 75 })
  })
}

/** Both trees of the page that `menuscript diff --format html` makes of the example in docs/review.md. */
async function showReview(browser: TestBrowser, draw: Draw): Promise<void> {
  const languages = ['yaml', 'yaml', 'sh', 'text', 'sh', 'markdown']
  const [before = '', after = ''] = takeBlocks('Review a change', languages)
  const files = { 'menuscript.config.yaml': 'locales: [en, es]\n', 'menus/main.yaml': before }
  await inRepository(files, async ({ dir, git, write }) => {
    git('checkout', '--quiet', '-b', 'change')
    write('menus/main.yaml', after)
    await runMenuscript('menuscript diff main --format html --output review.html', dir)
    const { page, close } = await browser.visitor(WINDOW)
    try {
      await page.goto(`file://${join(dir, 'review.html')}`)
      const trees = await page.locator('.trees').boundingBox()
      if (trees === null) throw new Error('The page shows no trees.')
      const { x, y, width, height } = trees
      await draw(page, { x: x - 20, y: y - 36, width: width + 40, height: height + 56 })
    } finally {
      await close()
    }
  })
}
