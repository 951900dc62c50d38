import { toBreadcrumbsHtml, toTrail } from '../render/breadcrumbs.js'
import { toMenuConfig } from '../render/display.js'
import { toScriptJson } from '../render/escape.js'
import { toMenuHtml } from '../render/html.js'
import { checkInputs } from '../service/inputs.js'
import { CONSOLE_LOG, type Log, toReason, toSafeLog } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import { createAsking, EMPTY_TREE } from './ask.js'
import { type Call, type Keyword, type TemplateThis, toArguments, toCall, toCode } from './call.js'
import { type RenderingEnvironment, watchKeywords } from './keywords.js'
import { createNotices } from './notices.js'

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
  checkInputs('registerMenuGlobals', options, { log: 'object' })
  const notices = createNotices(toSafeLog(options.log ?? CONSOLE_LOG))
  watchKeywords(environment)
  const asking = createAsking(service, notices)
  const { prefixes } = service.settings

  const add = <T>(
    name: string,
    positions: readonly Keyword[],
    empty: (code: string) => T,
    answer: (call: Call) => T,
  ): void => {
    environment.addGlobal(name, function (this: TemplateThis, ...given: unknown[]): T {
      const values = toArguments(positions, given)
      const code = toCode(values)
      try {
        return answer(toCall(values, this))
      } catch (thrown) {
        const reason = toReason(thrown)
        // Codes that no menu has may come from visitors, and would crowd out what goes wrong otherwise.
        const key = service.current().index.has(code) ? code : ''
        notices.error('template_failed', `${name} ${key} ${reason}`, () => ({ global: name, code, reason }))
        return empty(code)
      }
    })
  }

  /** A text is empty, and false in a condition; HTML is safe by the host's own copy of nunjucks. */
  const toSafe = (html: string): unknown => {
    if (html === '') return ''
    const safe = environment.getFilter('safe') as (text: string) => unknown
    return safe(html)
  }

  add(
    'dashboard_menu_tree',
    TREE,
    () => EMPTY_TREE,
    (call) => asking.shown(call).tree,
  )
  add('dashboard_menu_config', CONFIG, (code) => toMenuConfig(code, null, prefixes, []), asking.config)
  add('dashboard_menu_html', TREE, noText, (call) => {
    const { tree, config } = asking.shown(call, true)
    return toSafe(toMenuHtml(tree, { config, label: call.label }))
  })
  add(
    'dashboard_menu_json',
    TREE,
    () => toSafe('[]'),
    (call) => toSafe(toScriptJson(asking.shown(call).tree)),
  )
  add('dashboard_menu_breadcrumbs', TREE, noText, (call) =>
    toSafe(toBreadcrumbsHtml(toTrail(asking.shown(call).tree), call.label ?? 'Breadcrumb')),
  )
}

function noText(): unknown {
  return ''
}
