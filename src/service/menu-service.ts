import { toContextKey } from '../model/context.js'
import { type Locale, lookUpLocale } from '../model/locale.js'
import type { AnyMenuTypes, ContextLike } from '../model/menu-types.js'
import type { Snapshot } from '../model/snapshot.js'
import type { TreeNode } from '../model/tree.js'
import { toCandidates } from './context-sets.js'
import { type ExplainQuery, explain } from './explain/explain.js'
import type { Explanation } from './explain/explanation.js'
import { createHookCalls } from './hook-calls.js'
import { NO_REQUEST, type Policies } from './hooks.js'
import { checkInputs } from './inputs.js'
import type { Log } from './log.js'
import { type HostRequest, toMenuRequest } from './menu-request.js'
import { createNearMisses } from './notices.js'
import { createLocaleOf } from './request-locale.js'
import { type MenuQuery, type Resolution, resolve } from './resolution.js'
import { createPathGenerator } from './routes.js'
import type { Settings } from './settings.js'
import { createTreeBuilder, EMPTY_TREE, type MakeOf, type TreeRequest } from './trees.js'

/**
 * What a door needs of a tree besides its resolution: members of the nodes beside the six, by default `api.node_members`, and
 * the route parameters of the page that is rendered, by default none, which replace those that an item does not give.
 */
export type ViewOptions = Partial<Pick<TreeRequest, 'members' | 'host'>>

/** Answers what the viewer of a request sees; of an empty tree where no menu answers. */
export type View<Made> = (request: HostRequest, resolution: Resolution, options?: ViewOptions) => Made

/** What a program asks for besides the code. */
export interface TreeQuery<Types extends AnyMenuTypes = AnyMenuTypes> {
  /** A language tag. Default: from the request. */
  readonly locale?: Types['locale'] | null
  /** Contexts in the order of preference; null and `{}` are no context. Default: no context. */
  readonly contextSets?: readonly (ContextLike<Types['context']> | null)[] | null
  /** The request to answer. Default: an empty request. */
  readonly request?: HostRequest
}

export interface MenuServiceDeps {
  /** Reads what is served now; a request calls it once. */
  readonly current: () => Snapshot
  readonly settings: Settings
  readonly policies: Policies
  readonly log: Log
  /** The time in milliseconds since 1970. Default: that of the system. */
  readonly clock?: () => number
}

/**
 * The one path from a request to a menu, for every door. `Types` are the names that a program may use, as `menuscript types`
 * writes them.
 */
export interface MenuService<Types extends AnyMenuTypes = AnyMenuTypes> {
  readonly settings: Settings
  readonly policies: Policies
  readonly current: () => Snapshot
  /** The effective locale for a client's tag: looked up in the configured ones, else the default. */
  readonly toEffectiveLocale: (tag: string) => Locale
  /** Awaits the hook `prepareRequest`, before anything else is asked for a request. Throws HookError when it fails. */
  readonly prepare: (request: HostRequest) => Promise<void>
  /** Throws HookError when a hook does not give the code or the viewer. */
  readonly resolve: (request: HostRequest, query: MenuQuery) => Resolution
  /** How often a hook has failed so far; what is made meanwhile may lack something that the next answer has. */
  readonly failures: () => number
  /** The tree that the viewer of a request sees. */
  readonly view: View<readonly TreeNode[]>
  /** The same for a door that needs something else than the tree, which is kept in place of it. */
  readonly viewAs: <Made extends object>(make: MakeOf<Made>) => View<Made>
  /**
   * The tree that the endpoint would answer; `[]` where no menu matches. Throws TypeError for an unknown option and
   * when the context sets cannot be read, HookError when a hook does not give the code or the viewer. It is a method, so
   * that a function for any service also takes one with `Types`.
   */
  tree(code: Types['code'], asked?: TreeQuery<Types>): readonly TreeNode<Types>[]
  /** Why a request gets what it gets. Throws HookError when a hook does not give the code or the viewer. */
  readonly explain: (request: HostRequest, query: ExplainQuery) => Explanation
}

/**
 * The service over a snapshot that may change between requests, never within one.
 *
 *     const service = createMenuService({ current: () => store.current, settings, policies: {}, log })
 *     const resolution = service.resolve(request, { code: 'main', locale: null, candidates: [] })
 *     const tree = service.view(request, resolution)
 */
export function createMenuService({
  current,
  settings,
  policies,
  log,
  clock = Date.now,
}: MenuServiceDeps): MenuService {
  const hooks = createHookCalls(policies, log)
  const toEffectiveLocale = (tag: string): Locale =>
    lookUpLocale(tag, settings.locales.locales) ?? settings.locales.defaultLocale
  const localeOf = createLocaleOf(settings, hooks)
  const pathOf = createPathGenerator(settings, hooks, log)
  const viewAs: MenuService['viewAs'] = (make) => {
    const viewOf = createTreeBuilder(settings, hooks, pathOf, make)
    const empty = make(EMPTY_TREE, true)
    return (request, { served, locale, viewer }, { members = settings.api.node_members, host = {} } = {}) =>
      served === null
        ? empty
        : viewOf({ request: toMenuRequest(request), served, locale, viewer, members, host })
  }
  const noteNearMiss = createNearMisses(log)
  const service: MenuService = {
    settings,
    policies,
    current,
    toEffectiveLocale,
    failures: hooks.failures,
    prepare: (request) => hooks.prepare(toMenuRequest(request)),
    resolve: (request, query) => {
      const snapshot = current()
      const resolution = resolve(snapshot, hooks, toMenuRequest(request), query, localeOf, clock)
      if (resolution.served === null) noteNearMiss(snapshot, resolution.code, query.candidates)
      return resolution
    },
    view: viewAs((tree) => tree),
    viewAs,
    tree: (code, asked = {}) => {
      checkInputs('tree', asked, { locale: 'string', contextSets: 'any', request: 'object' })
      const { locale = null, contextSets = null, request = NO_REQUEST } = asked
      const candidates = toCandidates(contextSets, settings.limits)
      const effective = locale === null || locale === '' ? null : toEffectiveLocale(locale)
      return service.view(request, service.resolve(request, { code, locale: effective, candidates }))
    },
    explain: (given, query) => {
      const request = toMenuRequest(given)
      const { code, viewer, now = null } = query
      const snapshot = current()
      const locale = query.locale === null ? null : toEffectiveLocale(query.locale)
      const asked = { code, viewer, now, locale, candidates: query.contexts.map(toContextKey) }
      const resolution = resolve(snapshot, hooks, request, asked, localeOf, clock)
      return explain({ request, query, resolution, snapshot, settings, hooks, pathOf })
    },
  }
  return service
}
