import { LRUCache } from 'lru-cache'
import { derived } from '../model/derived.js'
import { valueAt } from '../model/json.js'
import { everyItem, type Menu, type MenuItem } from '../model/menu.js'
import { borrowedParamsOf, type Routes } from '../model/route.js'
import { buildTree, type ExtraMember, type TreeNode, type TreeRules } from '../model/tree.js'
import type { AskedHooks } from './ask-hooks.js'
import type { Viewer } from './hooks.js'
import type { PathGenerator, PathRequest } from './routes.js'
import type { Settings } from './settings.js'
import { permissionsOf } from './shareable.js'

/** What a viewer sees of a menu. What doors derive from it (bytes, validators) hangs on this value and dies with it. */
export interface TreeView {
  readonly tree: readonly TreeNode[]
  /** Whether the same view may answer again, so that deriving from it pays. */
  readonly kept: boolean
}

/** For whom a tree is built, and what the door needs of it. */
export interface TreeRequest extends PathRequest {
  readonly viewer: Viewer
  /** Members of the nodes beside the six. */
  readonly members: readonly ExtraMember[]
}

/** What is seen where there is no menu. */
export const EMPTY_VIEW: TreeView = Object.freeze({ tree: Object.freeze([]), kept: true })

/** How many views per set of permissions are kept, and how many items in them all together. */
const MAX_VIEWS = 2_000
const MAX_ITEMS = 200_000

/**
 * Builds what a viewer sees. While checker and paths are ours and the page lends no parameters, a tree depends on the
 * menu, the locale and those of the menu's permissions that the viewer has, and is kept: without permissions on the
 * menu itself, otherwise bounded and for `cache.ttl`. Any other request gets a tree of its own.
 */
export function createTreeBuilder(
  settings: Settings,
  hooks: AskedHooks,
  pathOf: PathGenerator,
): (asked: TreeRequest) => TreeView {
  const { canView, generatePath } = hooks.policies
  const ours = canView === undefined && generatePath === undefined
  let menus = 0
  /** What decides which trees of a menu may be kept. */
  const factsOf = derived((menu: Menu) => ({
    /** A number that no other menu of the service has. */
    id: menus++,
    /** The route parameters that its items leave to the page that is rendered. */
    borrowed: [...new Set([...everyItem(menu.items)].flatMap((item) => borrowedBy(item, settings.routes)))],
    size: [...everyItem(menu.items)].length + 1,
    permissions: permissionsOf(menu),
    /** What everybody sees, by locale and members. */
    openViews: new Map<string, TreeView>(),
  }))
  const guarded = new LRUCache<string, TreeView>({
    max: MAX_VIEWS,
    maxSize: MAX_ITEMS,
    ttl: Math.max(1, settings.ttl * 1000),
  })

  const build = (asked: TreeRequest, canSee: TreeRules['canSee'], kept: boolean): TreeView => {
    const tree = buildTree(asked.served.menu.items, {
      chain: settings.chains.get(asked.locale) ?? [],
      prefixes: settings.prefixes,
      extraMembers: asked.members,
      canSee,
      toPath: (item) => pathOf(item, asked),
    })
    return { tree, kept }
  }

  const buildOpen = (asked: TreeRequest, views: Map<string, TreeView>): TreeView => {
    const key = asked.members.length === 0 ? asked.locale : `${asked.locale} ${asked.members}`
    const known = views.get(key)
    if (known !== undefined) return known
    const view = build(asked, () => true, true)
    views.set(key, view)
    return view
  }

  return (asked) => {
    const { served, viewer, host, request } = asked
    const { borrowed, id, size, permissions, openViews } = factsOf(served.menu)
    const lends = borrowed.some((name) => Object.hasOwn(host, name))
    if (ours && !lends && permissions.length === 0) return buildOpen(asked, openViews)
    const canSee = hooks.checkerFor(viewer, request)
    if (!ours || lends || !settings.keeps) return build(asked, canSee, false)
    const held = new Set(viewer.permissions)
    const mine = permissions.filter((each) => held.has(each))
    const key = JSON.stringify([id, asked.locale, asked.members, mine])
    const known = guarded.get(key)
    if (known !== undefined) return known
    const view = build(asked, canSee, true)
    guarded.set(key, view, { size })
    return view
  }
}

function borrowedBy(item: MenuItem, routes: Routes | null): readonly string[] {
  if (item.type === 'divider' || item.routeName === null) return []
  const route = routes?.get(item.routeName)
  const params = route === undefined ? [] : borrowedParamsOf(route)
  return params.filter((name) => (valueAt(item.routeParams, [name]) ?? null) === null)
}
