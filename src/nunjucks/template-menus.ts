import { toNearest } from '../document/nearest.js'
import { derived } from '../model/derived.js'
import type { Locale } from '../model/locale.js'
import type { ServedMenu } from '../model/select.js'
import type { ExtraMember } from '../model/tree.js'
import { type PageNode, toPageTree } from '../render/current.js'
import { type MenuConfig, toMenuConfig } from '../render/display.js'
import { toCandidates } from '../service/context-sets.js'
import { ANONYMOUS, NO_REQUEST, type Viewer } from '../service/hooks.js'
import type { MenuService } from '../service/menu-service.js'
import type { Notice } from '../service/notices.js'
import type { Resolution } from '../service/resolution.js'
import type { Call } from './call.js'
import { toPage } from './page.js'

/** What templates ask of a service. Throws what the service throws. */
export interface TemplateMenus {
  /** What a page shows of a menu, and how; `members` are those of the nodes beside the six. */
  readonly shown: (
    call: Call,
    members?: readonly ExtraMember[],
  ) => { readonly tree: readonly PageNode[]; readonly config: MenuConfig }
  /** How a menu is shown, which is the same for every viewer. */
  readonly configOf: (call: Call) => MenuConfig
}

export function createTemplateMenus(service: MenuService, notice: Notice): TemplateMenus {
  const { settings } = service
  const configsOf = derived((_: ServedMenu) => new Map<Locale, MenuConfig>())
  const toConfig = ({ code, served, locale }: Resolution): MenuConfig => {
    const known = served && configsOf(served).get(locale)
    if (known) return known
    const config = toMenuConfig(code, served, settings.prefixes, settings.chains.get(locale) ?? [])
    if (served !== null) configsOf(served).set(locale, config)
    return config
  }

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
      notice('warn', 'menu_unknown', resolved, fields)
    }
    return resolution
  }

  return {
    configOf: (call) => toConfig(resolve(call, ANONYMOUS)),
    shown: (call, members = settings.api.node_members) => {
      if (call.request === null) {
        const todo = 'Give the render context a request, or pass request= (macros see no context).'
        notice('warn', 'template_without_request', '', () => ({ code: call.code, todo }))
      }
      const request = call.request ?? NO_REQUEST
      const resolution = resolve(call, null)
      const host = typeof request.params === 'object' ? (request.params ?? {}) : {}
      const tree = service.view(request, resolution, { host, members })
      return { tree: toPageTree(tree, toPage(request, settings.publicUrl)), config: toConfig(resolution) }
    },
  }
}
