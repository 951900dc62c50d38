import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { serveSite } from '../browser/sites.js'
import type { TestBrowser } from '../support/browser.js'
import { inRepository } from '../support/repository.js'
import { takeBlocks } from './readme.js'
import { runMenuscript } from './shell.js'

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
  { name: 'review', show: showReview },
]

/** Sharp on fine screens, and small as a file. */
const WINDOW = { width: 960, deviceScaleFactor: 2, colorScheme: 'light' } as const

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
