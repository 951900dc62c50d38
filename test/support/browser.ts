import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { prepareChromium } from './chromium.js'

/** As a machine without a screen and without the right to make sandboxes can run it; nothing calls home. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-extensions',
  '--no-zygote',
]
/** A script of half a megabyte: it is read once. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** How long anything may take before the test fails, in milliseconds. */
const PATIENCE = 90_000
/** What visitors listen to. */
const EVENTS = ['console', 'dialog', 'pageerror', 'request', 'requestfailed', 'response']

export interface VisitorOptions {
  /** Of the window, in CSS pixels. Default: 1280. */
  readonly width?: number
  /** The language that pages are asked for. Default: that of the browser. */
  readonly locale?: string
  /** Default: light. */
  readonly colorScheme?: 'light' | 'dark'
  /** Default: true. */
  readonly javaScriptEnabled?: boolean
  /** Pixels of the screen for one of CSS. Default: 1. */
  readonly deviceScaleFactor?: number
  /** Whether it is a telephone, with a finger in place of a mouse: both or none. Default: false. */
  readonly hasTouch?: boolean
  readonly isMobile?: boolean
}

/** Somebody with a window and cookies of their own; the window may show what its last visitor saw, until a page is opened. */
export interface Visitor {
  readonly page: Page
  /** What the console and the pages complained about so far. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

export interface TestBrowser {
  readonly visitor: (options?: VisitorOptions) => Promise<Visitor>
  /** Ends the browser and whatever is still open in it. */
  readonly close: () => Promise<void>
}

/** Starts a Chromium. `test.after(() => browser.close())`, or the file does not end. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: prepareChromium(), args: FLAGS, timeout: PATIENCE })
  // To open a window takes a second of the processor; to use one again takes next to nothing.
  const left = new Map<string, Page[]>()
  const visitor: TestBrowser['visitor'] = async (options = {}) => {
    const { width = 1280, locale, colorScheme = 'light', ...kind } = options
    const pages = left.get(JSON.stringify(kind)) ?? []
    left.set(JSON.stringify(kind), pages)
    const page = pages.pop() ?? (await openPage(browser, kind))
    await page.context().setExtraHTTPHeaders(locale === undefined ? {} : { 'Accept-Language': locale })
    // Nothing fades: what is measured is what will be.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    const close = async (): Promise<void> => {
      if (await forgets(page)) pages.push(page)
      else await page.context().close()
    }
    return { page, complaints: complaintsOf(page), close }
  }
  return { visitor, close: () => browser.close() }
}

async function openPage(browser: Browser, kind: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(kind)
  context.setDefaultTimeout(PATIENCE)
  return await context.newPage()
}

/** What only a new window is without: scripts, and what they leave. A page of no site has nowhere to leave it. */
const REMAINS = `{
  const kept = () => { try { return localStorage.length + sessionStorage.length } catch { return 0 } }
  document.scripts.length + kept()
}`

/** Makes a page forget who was there, but for what it shows; answers whether it could. */
async function forgets(page: Page): Promise<boolean> {
  const context = page.context()
  if (context.pages().length > 1 || (await page.evaluate(REMAINS)) !== 0) return false
  for (const event of EVENTS) await page.removeAllListeners(event)
  await context.clearCookies()
  return true
}

/** Everything that the console and a page complain about from now on. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    // What the visitor did not wait for did not fail.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`)
  })
  return complaints
}

/** What axe finds wrong with a page, each as `rule: selector`; it is a low bar, and no substitute for trying. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const options = "{ resultTypes: ['violations'], preload: false }"
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
