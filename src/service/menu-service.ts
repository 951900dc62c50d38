import type { ContextKey } from '../model/context.js'
import { type Locale, lookUpLocale } from '../model/locale.js'
import type { Context } from '../model/menu.js'
import type { ServedMenu } from '../model/menu-index.js'
import { selectMenu } from '../model/select.js'
import type { Snapshot } from '../model/snapshot.js'
import type { ExtraMember, TreeNode } from '../model/tree.js'
import { createLanguageNegotiator } from './accept-language.js'
import { type AskedHooks, createAskedHooks } from './ask-hooks.js'
import { readContextSets } from './context-sets.js'
import { type MenuRequest, NO_REQUEST, type Policies, type Viewer } from './hooks.js'
import type { Log } from './log.js'
import type { Settings } from './settings.js'
import { createTreeBuilder, EMPTY_VIEW, type TreeView } from './trees.js'

/** What a request asks for. */
export interface MenuQuery {
  /** The code as the client named it, before the code resolver. */
  readonly code: string
  /** The effective locale where the client named one; null: the request's own. */
  readonly locale: Locale | null
  readonly candidates: readonly ContextKey[]
}

/** Which menu answers, in which language, and why. */
export interface Resolution {
  /** After the code resolver. */
  readonly code: string
  /** The effective locale. */
  readonly locale: Locale
  /** Null when no candidate has a menu. */
  readonly served: ServedMenu | null
  /** The position of the candidate that won, from 0; null when none did. */
  readonly candidate: number | null
  /** Who asks. */
  readonly viewer: Viewer
}

/** What a door needs of a tree; the endpoint needs nothing special. */
export interface ViewOptions {
  /** Members of the nodes beside the six. Default: `api.node_members`. */
  readonly members?: readonly ExtraMember[]
  /** Route parameters of the page that is rendered, which stand in for those that an item does not give. Default: none. */
  readonly host?: Readonly<Record<string, unknown>>
}

/** What a program asks for besides the code. */
export interface TreeQuery {
  /** A language tag. Default: from the request. */
  readonly locale?: string | null
  /** Contexts in the order of preference; null and `{}` are no context. Default: no context. */
  readonly contextSets?: readonly (Context | null)[] | null
  /** For whom. Default: a request that says nothing. */
  readonly request?: MenuRequest
}

export interface MenuServiceDeps {
  /** Reads what is served now; a request calls it once. */
  readonly current: () => Snapshot
  readonly settings: Settings
  readonly policies: Policies
  readonly log: Log
}

/** The one path from a request to a menu, whatever the door. */
export interface MenuService {
  readonly settings: Settings
  readonly policies: Policies
  readonly current: () => Snapshot
  /** The effective locale for a tag that a client named: looked up in the configured ones, else the default. */
  readonly toEffectiveLocale: (tag: string) => Locale
  /** Throws HookError when the code or the viewer cannot be told. */
  readonly resolve: (request: MenuRequest, query: MenuQuery) => Resolution
  /** What the viewer of a request sees; an empty tree where no menu answers. */
  readonly view: (request: MenuRequest, resolution: Resolution, options?: ViewOptions) => TreeView
  /**
   * The tree that the endpoint would answer; `[]` where no menu matches. Throws TypeError when the context sets cannot
   * be read, HookError when the code or the viewer cannot be told.
   */
  readonly tree: (code: string, asked?: TreeQuery) => readonly TreeNode[]
}

/**
 * The service over a snapshot that may change between requests, never within one.
 *
 *     const service = createMenuService({ current: () => store.current, settings, policies: {}, log })
 *     const resolution = service.resolve(request, { code: 'main', locale: null, candidates: [] })
 *     const { tree } = service.view(request, resolution)
 */
export function createMenuService({ current, settings, policies, log }: MenuServiceDeps): MenuService {
  const hooks = createAskedHooks(policies, log)
  const negotiate = createLanguageNegotiator(settings.locales)
  const toEffectiveLocale = (tag: string): Locale =>
    lookUpLocale(tag, settings.locales.locales) ?? settings.locales.defaultLocale
  const localeOf = (request: MenuRequest): Locale => {
    if (policies.resolveLocale !== undefined) return toEffectiveLocale(hooks.locale(request) ?? '')
    const header = request.headers['accept-language']
    return negotiate(typeof header === 'string' ? header : undefined)
  }
  const treeOf = createTreeBuilder({ settings, policies, hooks, log })
  const service: MenuService = {
    settings,
    policies,
    current,
    toEffectiveLocale,
    resolve: (request, query) => resolve(current(), hooks, request, query, localeOf),
    view: (request, { served, locale, viewer }, { members = settings.api.node_members, host = {} } = {}) =>
      served === null ? EMPTY_VIEW : treeOf({ request, served, locale, viewer, members, host }),
    tree: (code, { locale = null, contextSets = null, request = NO_REQUEST } = {}) => {
      const { candidates, fault } = readContextSets(contextSets, settings.limits)
      if (fault !== null) throw new TypeError(`contextSets${fault.pointer}: ${fault.detail}`)
      const effective = locale === null || locale === '' ? null : toEffectiveLocale(locale)
      return service.view(request, service.resolve(request, { code, locale: effective, candidates })).tree
    },
  }
  return service
}

function resolve(
  { index }: Snapshot,
  hooks: AskedHooks,
  request: MenuRequest,
  query: MenuQuery,
  localeOf: (request: MenuRequest) => Locale,
): Resolution {
  // Not the index itself: a hook of the deployment must not be able to change what is served.
  const code = hooks.menuCode(request, query.code, { has: (each) => index.has(each) })
  const { served, candidate } = selectMenu(index, code, query.candidates)
  const locale = query.locale ?? localeOf(request)
  return { code, locale, served, candidate, viewer: hooks.viewer(request) }
}
