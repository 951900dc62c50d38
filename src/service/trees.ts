import { LRUCache } from 'lru-cache'
import type { Locale } from '../model/locale.js'
import { everyItem, type Menu, type MenuItem } from '../model/menu.js'
import type { ServedMenu } from '../model/menu-index.js'
import { buildTree, type RoutedItem, type TreeNode, type TreeRules } from '../model/tree.js'
import type { AskedHooks } from './ask-hooks.js'
import { type MenuRequest, type Policies, permits, type Viewer } from './hooks.js'
import type { Log } from './log.js'
import { toPath } from './routes.js'
import type { Settings } from './settings.js'

/** What a viewer sees of a menu. What doors derive from it (bytes, validators) hangs on this value and dies with it. */
export interface TreeView {
  readonly tree: readonly TreeNode[]
  /** Whether the same view may answer again, so that deriving from it pays. */
  readonly kept: boolean
}

export interface TreeBuilderDeps {
  readonly settings: Settings
  readonly policies: Policies
  readonly hooks: AskedHooks
  readonly log: Log
}

/** What a viewer sees of a menu in a locale. */
export type TreeBuilder = (
  request: MenuRequest,
  served: ServedMenu,
  locale: Locale,
  viewer: Viewer,
) => TreeView

/** What is seen where there is no menu. */
export const EMPTY_VIEW: TreeView = Object.freeze({ tree: Object.freeze([]), kept: true })

/** How many views per set of permissions are kept, and how many items in them all together. */
const MAX_VIEWS = 2_000
const MAX_ITEMS = 200_000

/**
 * Builds what a viewer sees. While checker and paths are ours, a tree depends on the menu, the locale and those of the
 * menu's permissions that the viewer has, and is kept: without permissions on the menu itself, otherwise bounded and
 * for `cache.ttl`. With a checker or a path hook of the deployment, each request gets its own.
 */
export function createTreeBuilder({ settings, policies, hooks, log }: TreeBuilderDeps): TreeBuilder {
  const { ttl, keeps } = settings
  const ours = policies.canView === undefined && policies.generatePath === undefined
  const open = new WeakMap<Menu, Map<Locale, TreeView>>()
  const facts = createFactsOf()
  const guarded = new LRUCache<string, TreeView>({
    max: MAX_VIEWS,
    maxSize: MAX_ITEMS,
    ttl: Math.max(1, ttl * 1000),
  })
  const pathOf = createPathOf({ settings, policies, hooks, log })

  const build = (request: MenuRequest, served: ServedMenu, locale: Locale, canSee: TreeRules['canSee']) =>
    buildTree(served.menu.items, {
      chain: settings.chains.get(locale) ?? [],
      prefixes: settings.prefixes,
      extraMembers: settings.extraMembers,
      canSee,
      toPath: (item) => pathOf(item, request, served, locale),
    })

  const openView = (request: MenuRequest, served: ServedMenu, locale: Locale): TreeView => {
    const byLocale = open.get(served.menu) ?? new Map<Locale, TreeView>()
    const known = byLocale.get(locale)
    if (known !== undefined) return known
    const view: TreeView = { tree: build(request, served, locale, () => true), kept: true }
    open.set(served.menu, byLocale.set(locale, view))
    return view
  }

  return (request, served, locale, viewer) => {
    const { permissions, id, size } = facts(served.menu)
    if (ours && permissions.length === 0) return openView(request, served, locale)
    const held = new Set(viewer.permissions)
    const canSee = (item: MenuItem) =>
      policies.canView === undefined ? permits(item, held) : hooks.canView(item, viewer, request)
    if (!ours || !keeps) return { tree: build(request, served, locale, canSee), kept: false }
    const key = `${id} ${locale} ${JSON.stringify(permissions.filter((each) => held.has(each)))}`
    const known = guarded.get(key)
    if (known !== undefined) return known
    const view: TreeView = { tree: build(request, served, locale, canSee), kept: true }
    guarded.set(key, view, { size })
    return view
  }
}

interface MenuFacts {
  /** A number that no other menu in this process has. */
  readonly id: number
  /** The permission keys that its items name, each once. */
  readonly permissions: readonly string[]
  /** Items, and one more. */
  readonly size: number
}

function createFactsOf(): (menu: Menu) => MenuFacts {
  const known = new WeakMap<Menu, MenuFacts>()
  let menus = 0
  return (menu) => {
    const before = known.get(menu)
    if (before !== undefined) return before
    const items = [...everyItem(menu.items)]
    const permissions = [...new Set(items.flatMap((item) => item.permissions))].sort()
    const facts = { id: menus++, permissions, size: items.length + 1 }
    known.set(menu, facts)
    return facts
  }
}

type PathOf = (item: RoutedItem, request: MenuRequest, served: ServedMenu, locale: Locale) => string | null

/** Generates the paths of items; one that cannot be generated is told to the operator, once per item. */
function createPathOf({ settings, policies, hooks, log }: TreeBuilderDeps): PathOf {
  const told = new WeakSet<RoutedItem>()
  return (item, request, served, locale) => {
    const routeName = item.routeName ?? ''
    const route = settings.routes?.get(routeName)
    const path =
      policies.generatePath !== undefined
        ? hooks.path(routeName, item, request)
        : route === undefined
          ? null
          : toPath(route, { item: item.routeParams, host: {}, locale })
    if (path === null && !told.has(item)) {
      told.add(item)
      log.warn('route_unresolved', { path: served.path, line: item.line, routeName })
    }
    return path
  }
}
