import { join } from 'node:path'
import { serveSite } from '../browser/sites.js'
import { ELEVENTY } from '../eleventy/site.js'
import type { TestBrowser } from '../support/browser.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import type { Draw, Picture } from './pictures.js'
import { ROOT } from './readme.js'
import { withServer } from './shell.js'

/** The pictures of docs/examples.md that no other page has. */
export const EXAMPLE_PICTURES: readonly Picture[] = [
  { name: 'example-help', show: showHelp },
  { name: 'example-museum', show: showMuseum },
]

const CLIP = { x: 0, y: 0, width: 1000, height: 380 }

async function showPage(browser: TestBrowser, url: string, draw: Draw): Promise<void> {
  const { page, close } = await browser.visitor({ width: CLIP.width, deviceScaleFactor: 1.5 })
  try {
    await page.goto(url)
    await draw(page, CLIP)
  } finally {
    await close()
  }
}

async function showHelp(browser: TestBrowser, draw: Draw): Promise<void> {
  const site = await serveSite('polka')
  try {
    await showPage(browser, `${site.url}/en/help/returns`, draw)
  } finally {
    await site.stop()
  }
}

/** A page of the museum, as a file host serves what was built. */
async function showMuseum(browser: TestBrowser, draw: Draw): Promise<void> {
  const folder = createMenusFolder()
  const options = { cwd: join(ROOT, 'test/sites/eleventy') }
  const built = await runProcess('node', [ELEVENTY, '--quiet', `--output=${folder.dir}/site/museum`], options)
  if (built.code !== 0) throw new Error(built.stderr)
  await withServer('menuscript serve --static site', folder.dir, (url) =>
    showPage(browser, `${url}/museum/en/exhibitions/tides/`, draw),
  )
  folder.close()
}
