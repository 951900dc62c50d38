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

/** What templates ask of a service. Throws what the service throws. */
export interface Asking {
  /** What a page shows of a menu; `withMembers` adds what HTML needs of an item. */
  readonly shown: (call: Call, withMembers?: boolean) => Shown
  /** How a menu is shown, which is the same for every viewer. */
  readonly config: (call: Call) => MenuConfig
}

export function createAsking(service: MenuService, notices: Notices): Asking {
  const { settings } = service
  const toConfig = ({ code, served, locale }: Resolution): MenuConfig =>
    toMenuConfig(code, served, settings.prefixes, settings.chains.get(locale) ?? [])

  /** Which menu a call gets; a viewer that is null is resolved by the hook. */
  const resolve = ({ code, locale, contextSets, request }: Call, viewer: Viewer | null): Resolution => {
    const candidates = toCandidates(contextSets, settings.limits)
    const effective = locale === null ? null : service.toEffectiveLocale(locale)
    const query = { code, locale: effective, candidates, viewer }
    const resolution = service.resolve(request ?? NO_REQUEST, query)
    const { index } = service.current()
    const { code: resolved, served } = resolution
    if (served === null && !index.has(resolved)) {
      const fields = () => ({ code: resolved, suggestion: toNearest(resolved, index.keys()) })
      notices.warn('menu_unknown', resolved, fields)
    }
    return resolution
  }

  return {
    config: (call) => toConfig(resolve(call, ANONYMOUS)),
    shown: (call, withMembers = false) => {
      if (call.request === null) {
        const todo = 'Give the render context a request, or pass request= (macros see no context).'
        notices.warn('template_without_request', '', () => ({ code: call.code, todo }))
      }
      const request = call.request ?? NO_REQUEST
      const resolution = resolve(call, null)
      const view = service.view(request, resolution, {
        host: paramsOf(request),
        ...(withMembers && { members: ['id', 'attributes'] as const }),
      })
      const isEmpty = view.tree.length === 0
      const tree = isEmpty ? EMPTY_TREE : toPageTree(view.tree, toPage(request, settings.publicUrl))
      return { tree, config: toConfig(resolution) }
    },
  }
}

/** The route parameters of the page that is rendered. */
function paramsOf({ params }: MenuRequest): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? params : {}
}
