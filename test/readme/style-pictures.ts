import { serveSite } from '../browser/sites.js'
import type { TestBrowser, VisitorOptions } from '../support/browser.js'
import type { Draw, Picture } from './pictures.js'

/** A menu on a page of the site that shows each style. */
interface Scene {
  /** The page, with the one menu that it shows. */
  readonly path: string
  /** What is pressed first. */
  readonly press?: readonly string[]
  readonly size: { readonly width: number; readonly height: number }
  readonly options?: VisitorOptions
}

const SCENES: Readonly<Record<string, Scene>> = {
  'style-list': { path: '/lamps?show=footer', size: { width: 1000, height: 204 } },
  'style-details': {
    path: '/help/bulbs/sockets/e27?show=help',
    size: { width: 320, height: 430 },
    options: { deviceScaleFactor: 1 },
  },
  'style-disclosure': {
    path: '/lamps/kitchen?show=main',
    press: ['nav li:nth-child(2) > button'],
    size: { width: 1000, height: 300 },
  },
  'style-narrow': {
    path: '/lamps/kitchen?show=main',
    press: ['nav > details > summary'],
    size: { width: 390, height: 470 },
    options: { hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
  },
  'style-tabs': { path: '/account/orders/shipped?show=account', size: { width: 1000, height: 116 } },
  'style-breadcrumbs': { path: '/lamps/kitchen?show=breadcrumbs', size: { width: 1000, height: 64 } },
}

/** The pictures of docs/html.md. */
export const STYLE_PICTURES: readonly Picture[] = Object.entries(SCENES).map(([name, scene]) => ({
  name,
  show: (browser, draw) => showScene(browser, draw, scene),
}))

async function showScene(browser: TestBrowser, draw: Draw, scene: Scene): Promise<void> {
  const { path, press = [], size, options } = scene
  const site = await serveSite('shapes')
  const { page, close } = await browser.visitor({ deviceScaleFactor: 2, ...options, width: size.width })
  try {
    await page.goto(`${site.url}${path}`)
    for (const selector of press) await page.locator(selector).click()
    await page.mouse.move(0, size.height)
    await draw(page, { x: 0, y: 0, ...size })
  } finally {
    await close()
    await site.stop()
  }
}
