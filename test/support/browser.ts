import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { prepareChromium } from './install-chromium.js'

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
  // All pages are ours: a process for each site costs a seventh of the time, a frame for each page a third of the way to it.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,RenderDocument',
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
  /** Of the IANA database. Default: that of the machine. */
  readonly timezoneId?: string
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

/** Somebody with a window and cookies of their own. */
export interface Visitor {
  readonly page: Page
  /**
   * Leaves, and throws where the console or a page complained about anything, such as the content security policy, or
   * where a page asked another origin for something. What matches `expected` is no fault, nor is the status of a page.
   * Once is enough.
   */
  readonly close: (expected?: RegExp) => Promise<void>
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
    await page.emulateMedia({ colorScheme, forcedColors: 'none', reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    const complaints = complaintsOf(page)
    let isOpen = true
    const close: Visitor['close'] = async (expected) => {
      if (!isOpen) return
      isOpen = false
      const faults = complaints.filter((each) => expected?.test(each) !== true)
      if (faults.length > 0) throw new Error(`${page.url()}: ${faults.join('; ')}`)
      if (await forgets(page)) pages.push(page)
      else await page.context().close()
    }
    return { page, close }
  }
  return { visitor, close: () => browser.close() }
}

async function openPage(browser: Browser, kind: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(kind)
  context.setDefaultTimeout(PATIENCE)
  return await context.newPage()
}

/** Makes a page forget who was there; answers whether it could. */
async function forgets(page: Page): Promise<boolean> {
  const context = page.context()
  if (page.isClosed() || context.pages().length > 1) return false
  for (const event of EVENTS) await page.removeAllListeners(event)
  // A handler may still wait for what nobody will see.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Sent away from without, it would get a new process, which costs more than a page.
  await page.evaluate("location.href = 'about:blank'")
  await page.waitForURL('about:blank')
  // Where the last visitor left the mouse, it would open a menu for the next one.
  await page.mouse.move(-1, -1)
  // A page of no site has no storage.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {})
  await context.clearCookies()
  return true
}

/** Everything that the console and a page complain about from now on, and what the page asks others for. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  const pages = new Set<string>()
  page.on('console', (message) => {
    const { url } = message.location()
    const isStatus = message.text().startsWith('Failed to load resource: the server')
    // Some versions of Chromium look for the icon of a site, which not every site has.
    if (isStatus && (pages.has(url) || url.endsWith('/favicon.ico'))) return
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pages.add(request.url())
    else if (
      !request.url().startsWith('data:') &&
      // A preview has no address of its own.
      originOf(request.url()) !== originOf((request.frame().parentFrame() ?? request.frame()).url())
    )
      complaints.push(`asked another origin: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    // What the visitor did not wait for did not fail.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`)
  })
  return complaints
}

function originOf(url: string): string {
  return new URL(url).origin
}

/** What axe finds wrong with a page, each as `rule: selector`; it is a low bar, and no substitute for trying. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  // The rule that is off by default is of WCAG 2.2, level AA.
  const rules = "{ 'target-size': { enabled: true } }"
  const options = `{ resultTypes: ['violations'], preload: false, rules: ${rules} }`
  // Anywhere but at the end, what is half behind a bar that sticks to the bottom would pass for a small target.
  return await page.evaluate<readonly string[]>(`{
    const { scrollX, scrollY } = window
    scrollTo(scrollX, document.documentElement.scrollHeight)
    axe.run(document, ${options})
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))
      .finally(() => scrollTo(scrollX, scrollY))
  }`)
}
