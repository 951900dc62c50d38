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

export interface VisitorOptions extends Omit<BrowserContextOptions, 'viewport'> {
  /** Of the window, in CSS pixels. Default: 1280. */
  readonly width?: number
}

/** Somebody with a window and cookies of their own. */
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
  return { visitor: (options = {}) => openVisitor(browser, options), close: () => browser.close() }
}

async function openVisitor(browser: Browser, { width = 1280, ...options }: VisitorOptions): Promise<Visitor> {
  // Nothing fades: what is measured is what will be.
  const steady = { reducedMotion: 'reduce', viewport: { width, height: 800 } } as const
  const context = await browser.newContext({ ...steady, ...options })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
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
  return { page, complaints, close: () => context.close() }
}

/** What axe finds wrong with a page, each as `rule: selector`; it is a low bar, and no substitute for trying. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const options = "{ resultTypes: ['violations'], preload: false }"
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
