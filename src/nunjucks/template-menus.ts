import { toNearest } from '../document/did-you-mean.js'
import { derived } from '../model/derived.js'
import type { Locale } from '../model/locale.js'
import type { ServedMenu } from '../model/select.js'
import type { ExtraMember } from '../model/tree.js'
import { type Page, type PageNode, toPageTree } from '../render/current.js'
import { type MenuConfig, toMenuConfig } from '../render/display.js'
import { toCandidates } from '../service/context-sets.js'
import { ANONYMOUS, type MenuRequest, NO_REQUEST, type Viewer } from '../service/hooks.js'
import type { MenuService } from '../service/menu-service.js'
import type { Notice } from '../service/notices.js'
import type { Resolution } from '../service/resolution.js'
import { splitTarget } from '../web/target.js'
import type { Call } from './call.js'

/** What a page shows of a menu, and how. */
export interface Shown {
  readonly tree: readonly PageNode[]
  readonly config: MenuConfig
  /** The address of the page; null where the request or `server.public_url` does not say. */
  readonly address: string | null
}

/** What templates ask of a service. Throws what the service throws. */
export interface TemplateMenus {
  /** `members` are those of the nodes beside the six. */
  readonly shown: (call: Call, members?: readonly ExtraMember[]) => Shown
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
      const page = toPage(request, settings.publicUrl)
      // A target without a slash would be a part of the host.
      const isPath = page?.path.startsWith('/') === true
      const address =
        settings.publicUrl && isPath ? `${new URL(settings.publicUrl).origin}${page.path}` : null
      return { tree: toPageTree(tree, page), config: toConfig(resolution), address }
    },
  }
}

/**
 * The page that a request asks for; null where it does not say which. The host of `publicUrl` is ours whatever a proxy
 * makes of the request.
 */
function toPage(request: MenuRequest, publicUrl: string | null): Page | null {
  // Frameworks add the target before a router took its own part off, and the host, for which they consider trusted proxies.
  const { originalUrl, url, host, headers } = request
  const target: unknown = typeof originalUrl === 'string' ? originalUrl : url
  if (typeof target !== 'string' || target === '') return null
  const { path, query, host: named } = splitTarget(target)
  // The host of a target in absolute form goes before the header (RFC 9112, section 3.2.2).
  const asked = named === null ? toAsked(host, headers['host'] ?? headers[':authority']) : [named]
  const ours = publicUrl === null ? null : new URL(publicUrl).host
  const hosts = [...asked.map(toHost), ours].filter((each) => each !== null)
  return { hosts: [...new Set(hosts)], path, query }
}

/** The framework's host takes precedence; Express 4 omits the port, which the header has. */
function toAsked(host: unknown, header: unknown): readonly unknown[] {
  if (typeof host !== 'string') return [header]
  return typeof header === 'string' && header.startsWith(`${host}:`) ? [host, header] : [host]
}

/** A host in lower case, without the default port; null if it is invalid. */
function toHost(host: unknown): string | null {
  try {
    return typeof host === 'string' ? new URL(`http://${host}`).host.replace(/:443$/, '') || null : null
  } catch {
    return null
  }
}
