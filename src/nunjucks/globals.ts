import { toBreadcrumbsHtml, toBreadcrumbsJsonLd } from '../render/breadcrumbs.js'
import { toTrail } from '../render/current.js'
import { toMenuConfig } from '../render/display.js'
import { toScriptJson } from '../render/escape.js'
import { toMenuHtml } from '../render/html.js'
import { checkInputs } from '../service/inputs.js'
import { CONSOLE_LOG, type Log, toReason, toSafeLog } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import { createNotices } from '../service/notices.js'
import { EMPTY_TREE } from '../service/trees.js'
import { type Call, type Keyword, type TemplateThis, toCall, toCode } from './call.js'
import { type RenderingEnvironment, watchKeywords } from './genuine-keywords.js'
import { createInlineIcons } from './inline-icons.js'
import { createTemplateMenus } from './template-menus.js'

/** What is needed of a nunjucks `Environment`, of whichever copy and release it is. */
export interface TemplateEnvironment extends RenderingEnvironment {
  addGlobal(name: string, value: unknown): unknown
  getFilter(name: string): (...args: never[]) => unknown
}

/** What the globals are given besides the service. */
export interface MenuGlobalsOptions {
  /** Default: warnings and errors on the console. */
  readonly log?: Log
}

const TREE: readonly Keyword[] = ['code', 'locale', 'contextSets']
const CONFIG: readonly Keyword[] = ['code', 'contextSets']

/**
 * Adds the globals `dashboard_menu_tree`, `dashboard_menu_config`, `dashboard_menu_html`, `dashboard_menu_json` and
 * `dashboard_menu_breadcrumbs` to an environment of nunjucks 3 or of a successor. Templates see what the endpoint
 * answers to the same request, which is `request` of the render context or the keyword `request=`. Nothing that
 * fails in them takes a page down: the menu is empty, and the log says why. Throws TypeError for what is not an
 * environment and for unknown options.
 *
 *     const environment = nunjucks.configure('views', { autoescape: true, express: app })
 *     registerMenuGlobals(environment, menus.service)
 */
export function registerMenuGlobals(
  environment: TemplateEnvironment,
  service: MenuService,
  options: MenuGlobalsOptions = {},
): void {
  if (typeof environment?.addGlobal !== 'function' || typeof environment.getFilter !== 'function') {
    throw new TypeError(
      'registerMenuGlobals needs an Environment of nunjucks: nunjucks.configure(…) gives one.',
    )
  }
  checkInputs('registerMenuGlobals', options, { log: 'log' })
  const log = toSafeLog(options.log ?? CONSOLE_LOG)
  const notice = createNotices(log)
  watchKeywords(environment)
  const toSvg = createInlineIcons(service.settings, log, notice)
  const { shown, configOf } = createTemplateMenus(service, notice)

  const add = (
    name: string,
    positions: readonly Keyword[],
    answer: (call: Call) => unknown,
    empty: (code: string) => unknown,
  ): void => {
    environment.addGlobal(name, function (this: TemplateThis, ...given: unknown[]): unknown {
      try {
        return answer(toCall(positions, given, this))
      } catch (thrown) {
        const code = toCode(given)
        const reason = toReason(thrown)
        // Codes that no menu has may come from visitors, and would crowd out other failures.
        const key = service.current().index.has(code) ? code : ''
        notice('error', 'template_failed', `${name} ${key} ${reason}`, () => ({ global: name, code, reason }))
        return empty(code)
      }
    })
  }

  /** A text is empty, and false in a condition; HTML is safe by the host's own copy of nunjucks. */
  const toSafe = (html: string): unknown =>
    html === '' ? '' : (environment.getFilter('safe') as (text: string) => unknown)(html)

  const addHtml = (name: string, answer: (call: Call) => string, empty = ''): void =>
    add(
      name,
      TREE,
      (call) => toSafe(answer(call)),
      () => toSafe(empty),
    )

  add(
    'dashboard_menu_tree',
    TREE,
    (call) => shown(call).tree,
    () => EMPTY_TREE,
  )
  add('dashboard_menu_config', CONFIG, configOf, (code) =>
    toMenuConfig(code, null, service.settings.prefixes, []),
  )
  addHtml('dashboard_menu_html', (call) => {
    const { tree, config } = shown(call, ['id', 'attributes'])
    const { label, style, icons } = call
    return toMenuHtml(tree, { config, label, style, toSvg: icons === 'svg' ? toSvg : null })
  })
  addHtml('dashboard_menu_json', (call) => toScriptJson(shown(call).tree), '[]')
  addHtml('dashboard_menu_breadcrumbs', (call) => {
    const { tree, address } = shown(call)
    const trail = toTrail(tree)
    const html = toBreadcrumbsHtml(trail, call.label ?? 'Breadcrumb')
    if (!call.jsonLd || trail.length === 0) return html
    if (address !== null) return `${html}${toBreadcrumbsJsonLd(trail, address)}`
    const todo = 'Set server.public_url: JSON-LD needs absolute addresses.'
    notice('warn', 'json_ld_without_address', '', () => ({ code: call.code, todo }))
    return html
  })
}
