/** The plugin for Eleventy: what a site adds to its configuration from `menuscript/eleventy`. */
import { relative, resolve, sep } from 'node:path'
import { MenusError, refuseInputs } from './config/errors.js'
import { loadHostConfig } from './config/load-config.js'
import { type OpenMenusInputs, openMenus, type Runtime, registerMenuGlobals } from './index.js'
import { isError, toMeant } from './model/problem.js'
import { KEYWORDS } from './nunjucks/call.js'
import { asKeywords } from './nunjucks/genuine-keywords.js'
import { CONSOLE_LOG, createLog, type LogFields, toReason } from './service/log.js'

/** What the plugin takes: what `openMenus` takes. `strict` is by default true in builds, and false while Eleventy watches. */
export type MenuscriptOptions = Omit<OpenMenusInputs, 'watch'>

/** What is needed of Eleventy's configuration. */
export interface EleventyConfig {
  addFilter(name: string, filter: TemplateFunction): unknown
  addShortcode(name: string, shortcode: TemplateFunction): unknown
  addNunjucksGlobal(name: string, global: TemplateFunction): unknown
  addWatchTarget(path: string): unknown
  // biome-ignore lint/suspicious/noExplicitAny: each event has listeners of its own.
  on(event: string, listener: (given: any) => unknown): unknown
  versionCheck(range: string): unknown
}

type TemplateFunction = (this: TemplateThis, ...given: unknown[]) => unknown

/** The `this` of a function in a template: each language of Eleventy has its own. */
interface TemplateThis {
  /** The data in Nunjucks; the scope of a shortcode in Liquid. */
  readonly ctx?: TemplateData | LiquidScope
  /** The scope of a filter in Liquid. */
  readonly context?: LiquidScope
  readonly page?: unknown
  /** The environment of Nunjucks that renders, of whichever copy. */
  readonly env?: { getFilter?(name: string): (html: string) => unknown }
}

type TemplateData = Readonly<Record<string, unknown>>
type LiquidScope = { getAll?(): TemplateData }

const DATA = ['dashboard_menu_tree', 'dashboard_menu_config']
const HTML = ['dashboard_menu_html', 'dashboard_menu_json', 'dashboard_menu_breadcrumbs']
const COMPATIBLE = '>=3.0.0'
const INPUTS = {
  ...({ folder: 'string', config: 'string', menus: 'any', strict: 'boolean' } as const),
  ...({ environment: 'object', policies: 'any', log: 'log' } as const),
}

/**
 * Adds the five functions of the Nunjucks globals to all template languages of Eleventy 3: as filters, those for HTML also as
 * shortcodes. The locale and the current item come from the page. Menus are read before each build. An error in a menu fails a
 * build; while Eleventy watches, it is reported, and the last good version stays.
 *
 *     import menuscript from 'menuscript/eleventy'
 *     export default (eleventyConfig) => void eleventyConfig.addPlugin(menuscript)
 */
async function menuscript(eleventyConfig: EleventyConfig, inputs: MenuscriptOptions = {}): Promise<void> {
  refuseInputs('menuscript/eleventy', inputs, INPUTS)
  try {
    eleventyConfig.versionCheck(COMPATIBLE)
  } catch (thrown) {
    console.warn(`[menuscript] ${toReason(thrown)}`)
  }
  const { menusFolder, inputFiles } = await loadHostConfig(inputs)
  for (const path of [menusFolder, ...inputFiles])
    eleventyConfig.addWatchTarget(relative(process.cwd(), path).split(sep).join('/'))

  let menus: Runtime | null = null
  let isStrict = true
  let isConfigChanged = false
  /** What was reported last. */
  let reported = ''
  /** Why the call of a template that runs has failed. */
  let failure: string | null = null
  const functions = new Map<string, TemplateFunction>()

  const log = createLog((level, event, fields = {}) => {
    if (level === 'error' || event === 'menu_unknown') failure ??= toFailure(event, fields)
    // Without a log of the site, errors in menus are reported as in builds.
    if (inputs.log !== undefined) inputs.log[level](event, fields)
    else if (event !== 'menu_problem') CONSOLE_LOG[level](event, fields)
  })
  const open = async (): Promise<Runtime> => {
    const opened = await openMenus({ ...inputs, strict: isStrict, watch: false, log })
    const environment = {
      addGlobal: (name: string, value: unknown) => functions.set(name, value as TemplateFunction),
      getFilter: () => (html: string) => html,
    }
    registerMenuGlobals(environment, opened.service, { log })
    isConfigChanged = false
    return opened
  }
  const report = (faults: readonly string[]): void => {
    const message = faults.join('\n')
    if (message !== '' && message !== reported) console.error(`[menuscript] ${message}`)
    reported = message
  }

  eleventyConfig.on('eleventy.beforeWatch', (paths: readonly string[]) => {
    isConfigChanged ||= paths.some((path) => inputFiles.includes(resolve(path)))
  })
  eleventyConfig.on('eleventy.before', async ({ runMode }: { readonly runMode: string }) => {
    isStrict = inputs.strict ?? runMode === 'build'
    const faults: string[] = []
    try {
      if (menus === null || isStrict || isConfigChanged) menus = await open()
      else await menus.store.refresh()
    } catch (thrown) {
      if (menus === null || isStrict) throw thrown
      faults.push(toReason(thrown))
      await menus.store.refresh()
    }
    const errors = menus.store.current.problems.filter(isError)
    if (errors.length > 0 && inputs.log === undefined)
      faults.push(new MenusError(menus.config.menusFolder, errors).message)
    report(faults)
  })

  for (const name of [...DATA, ...HTML]) {
    const render: TemplateFunction = function (...given) {
      const called = functions.get(name)
      if (called === undefined) throw new Error(`${name}: menus are read when a build begins`)
      failure = null
      const self = { ctx: { request: toRequest(toData(this)) } }
      const result = called.apply(self, toArguments(given))
      if (isStrict && failure !== null) throw new Error(`${name}: ${failure}`)
      const isHtml = typeof result === 'string' && result !== '' && this?.env?.getFilter !== undefined
      return isHtml ? this?.env?.getFilter?.('safe')(result) : result
    }
    eleventyConfig.addNunjucksGlobal(name, render)
    eleventyConfig.addFilter(name, render)
    if (HTML.includes(name)) eleventyConfig.addShortcode(name, render)
  }
}

// As `configFunction`, it can also be required in CommonJS, and handed over as the whole module.
// biome-ignore lint/style/noDefaultExport: the convention of Eleventy's plugins.
export { menuscript as configFunction, menuscript as default }

function toFailure(event: string, { code, reason, suggestion = null }: LogFields): string {
  if (event !== 'menu_unknown') return `${reason ?? event}`
  const what = `no menu has the code ${JSON.stringify(code)}.`
  return `${what}${toMeant({ what, suggestion: suggestion as string | null })}`
}

/** The data of the page that is rendered. */
function toData(self: TemplateThis | undefined): TemplateData {
  const scope = self?.context ?? self?.ctx
  return typeof scope?.getAll === 'function' ? scope.getAll() : { page: self?.page, ...scope }
}

/** Builds a request from the page that is rendered; undefined without a page. */
function toRequest({ page, locale, lang }: TemplateData): object | undefined {
  if (typeof page !== 'object' || page === null) return undefined
  const { url, lang: pageLang } = page as TemplateData
  const tags = [locale, pageLang, lang].filter((tag) => typeof tag === 'string' && tag !== '')
  // A page that is not written has no address.
  return { url: typeof url === 'string' ? url : undefined, locale: tags[0], headers: {}, params: {}, page }
}

/** Arguments whose keywords the functions know: Liquid gives pairs, Nunjucks and JavaScript an object at the end. */
function toArguments(given: readonly unknown[]): unknown[] {
  const isPair = (value: unknown): value is [string, unknown] =>
    Array.isArray(value) && value.length === 2 && KEYWORDS.some((keyword) => keyword === value[0])
  const pairs = given.filter(isPair)
  const placed = given.filter((value) => !isPair(value))
  const last = placed.at(-1)
  const isMap = typeof last === 'object' && last !== null && !Array.isArray(last) && !(last instanceof String)
  const named: Record<string, unknown> = {
    ...Object.fromEntries(pairs),
    ...(isMap && (placed.pop() as object)),
  }
  if (Object.keys(named).length === 0) return placed
  const { request } = named
  // Macros see no page: they are given one as the request.
  const isPage = typeof request === 'object' && request !== null && !('headers' in request)
  return [...placed, asKeywords({ ...named, ...(isPage && { request: toRequest({ page: request }) }) })]
}
