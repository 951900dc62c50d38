import { toNearest } from '../document/nearest.js'
import { type PageNode, toPageTree } from '../render/current.js'
import { type MenuConfig, toMenuConfig } from '../render/display.js'
import { toCandidates } from '../service/context-sets.js'
import { ANONYMOUS, type MenuRequest, NO_REQUEST, type Viewer } from '../service/hooks.js'
import type { MenuService } from '../service/menu-service.js'
import type { Resolution } from '../service/resolution.js'
import type { Call } from './call.js'
import type { Notices } from './notices.js'
import { toPage } from './page.js'

/** A tree and how it is shown, for one page. */
export interface Shown {
  readonly tree: readonly PageNode[]
  readonly config: MenuConfig
}

export const EMPTY_TREE: readonly PageNode[] = Object.freeze([])

/** What a page shows of a menu; `withMembers` adds what HTML needs of an item. Throws what the service throws. */
export function askTree(service: MenuService, notices: Notices, call: Call, withMembers: boolean): Shown {
  if (call.request === null) {
    const todo = 'Give the render context a request, or pass request= (macros see no context).'
    notices.warn('template_without_request', '', () => ({ code: call.code, todo }))
  }
  const request = call.request ?? NO_REQUEST
  const resolution = resolve(service, notices, call, request, null)
  const view = service.view(request, resolution, {
    host: paramsOf(request),
    ...(withMembers && { members: ['id', 'attributes'] as const }),
  })
  const tree =
    view.tree.length === 0 ? EMPTY_TREE : toPageTree(view.tree, toPage(request, service.settings.publicUrl))
  return { tree, config: toConfig(service, resolution) }
}

/** How a menu is shown, which is the same for every viewer. Throws what the service throws. */
export function askConfig(service: MenuService, notices: Notices, call: Call): MenuConfig {
  return toConfig(service, resolve(service, notices, call, call.request ?? NO_REQUEST, ANONYMOUS))
}

function toConfig({ settings }: MenuService, { code, served, locale }: Resolution): MenuConfig {
  return toMenuConfig(code, served, settings.prefixes, settings.chains.get(locale) ?? [])
}

/** Which menu a call gets; a viewer that is null is resolved by the hook. */
function resolve(
  service: MenuService,
  notices: Notices,
  { code, locale, contextSets }: Call,
  request: MenuRequest,
  viewer: Viewer | null,
): Resolution {
  const candidates = toCandidates(contextSets, service.settings.limits)
  const effective = locale === null ? null : service.toEffectiveLocale(locale)
  const resolution = service.resolve(request, { code, locale: effective, candidates, viewer })
  const { index } = service.current()
  if (resolution.served === null && !index.has(resolution.code)) {
    const { code: unknown } = resolution
    notices.warn('menu_unknown', unknown, () => ({
      code: unknown,
      suggestion: toNearest(unknown, index.keys()),
    }))
  }
  return resolution
}

/** The route parameters of the page that is rendered. */
function paramsOf({ params }: MenuRequest): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? params : {}
}
