import { toNearest } from '../document/nearest.js'
import { toBreadcrumbsHtml, toTrail } from '../render/breadcrumbs.js'
import { type PageNode, toPageTree } from '../render/current.js'
import { type MenuConfig, toMenuConfig } from '../render/display.js'
import { toMenuHtml } from '../render/html.js'
import { readContextSets } from '../service/context-sets.js'
import type { MenuRequest } from '../service/hooks.js'
import { CONSOLE_LOG, type Log, toReason } from '../service/log.js'
import type { MenuService } from '../service/menu-service.js'
import type { Resolution } from '../service/resolution.js'
import { type Call, createCallReader, type TemplateThis } from './call.js'
import { createNotices, type Notices } from './notices.js'
import { toPage } from './page.js'

/** What is needed of a nunjucks `Environment`, of whichever copy and release it is. */
export interface TemplateEnvironment {
  addGlobal(name: string, value: unknown): unknown
  getFilter(name: string): (...args: never[]) => unknown
}

export interface MenuGlobalsOptions {
  /** Default: warnings and errors on the console. */
  readonly log?: Log
}

/** A tree and how it is shown, for one page. */
interface Shown {
  readonly tree: readonly PageNode[]
  readonly config: MenuConfig
}

const EMPTY_TREE: readonly PageNode[] = Object.freeze([])

/**
 * Adds the globals `dashboard_menu_tree`, `dashboard_menu_config`, `dashboard_menu_html` and
 * `dashboard_menu_breadcrumbs` to an environment of nunjucks 3 or of a successor. Templates see what the endpoint
 * answers to the same request, which is `request` of the render context or the keyword `request=`. Nothing that
 * fails in them takes a page down: the menu is empty, and the log says why.
 *
 *     const environment = nunjucks.configure('views', { autoescape: true, express: app })
 *     registerMenuGlobals(environment, menus.service)
 */
export function registerMenuGlobals(
  environment: TemplateEnvironment,
  service: MenuService,
  { log = CONSOLE_LOG }: MenuGlobalsOptions = {},
): void {
  if (typeof environment?.addGlobal !== 'function') {
    throw new TypeError(
      'registerMenuGlobals needs an Environment of nunjucks: nunjucks.configure(…) gives one.',
    )
  }
  const notices = createNotices(log)
  const readCall = createCallReader(notices)
  const safe = (html: string): unknown => (environment.getFilter('safe') as (text: string) => unknown)(html)
  const add = <T>(
    name: string,
    positions: readonly (keyof Call)[],
    empty: (code: string) => T,
    answer: (call: Call) => T,
  ) => {
    environment.addGlobal(name, function (this: TemplateThis, ...given: unknown[]): T {
      let code = ''
      try {
        const call = readCall(name, positions, this, given)
        code = call.code
        return code === '' ? empty(code) : answer(call)
      } catch (thrown) {
        notices.error('template_failed', `${name} ${code}`, {
          global: name,
          code,
          reason: toReason(thrown),
        })
        return empty(code)
      }
    })
  }

  const show = (call: Call, withMembers: boolean): Shown => {
    const resolution = resolve(service, notices, call)
    const view = service.view(call.request, resolution, {
      host: paramsOf(call.request),
      ...(withMembers && { members: ['id', 'attributes'] as const }),
    })
    const tree =
      view.tree.length === 0
        ? EMPTY_TREE
        : toPageTree(view.tree, toPage(call.request, service.settings.publicHost))
    return { tree, config: toMenuConfig(resolution.code, resolution.served) }
  }

  add(
    'dashboard_menu_tree',
    ['code', 'locale', 'contextSets'],
    () => EMPTY_TREE,
    (call) => show(call, false).tree,
  )
  add(
    'dashboard_menu_config',
    ['code', 'contextSets'],
    (code) => toMenuConfig(code, null),
    (call) => {
      const { code, served } = resolve(service, notices, call)
      return toMenuConfig(code, served)
    },
  )
  add(
    'dashboard_menu_html',
    ['code', 'locale', 'contextSets'],
    () => safe(''),
    (call) => {
      const { tree, config } = show(call, true)
      return safe(toMenuHtml(tree, { config, label: call.label }))
    },
  )
  add(
    'dashboard_menu_breadcrumbs',
    ['code', 'locale', 'contextSets'],
    () => safe(''),
    (call) => safe(toBreadcrumbsHtml(toTrail(show(call, false).tree), call.label ?? 'Breadcrumb')),
  )
}

function resolve(service: MenuService, notices: Notices, call: Call): Resolution {
  const { settings, policies, current } = service
  const { candidates, fault } = readContextSets(call.contextSets, settings.limits)
  if (fault !== null) throw new TypeError(`contextSets${fault.pointer}: ${fault.detail}`)
  // What a request says of its language counts where the deployment has no rule of its own.
  const spoken = policies.resolveLocale === undefined ? call.request.locale : null
  const tag = call.locale ?? (typeof spoken === 'string' && spoken !== '' ? spoken : null)
  const locale = tag === null ? null : service.toEffectiveLocale(tag)
  const resolution = service.resolve(call.request, { code: call.code, locale, candidates })
  const { index } = current()
  if (resolution.served === null && !index.has(resolution.code)) {
    const { code } = resolution
    notices.warn('menu_unknown', code, { code, suggestion: toNearest(code, index.keys()) })
  }
  return resolution
}

/** The route parameters of the page that is rendered. */
function paramsOf({ params }: MenuRequest): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? params : {}
}
