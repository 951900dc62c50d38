import { LRUCache } from 'lru-cache'
import { derived } from '../model/derived.js'
import { valueAt } from '../model/json.js'
import { everyItem, type Menu, type MenuItem } from '../model/menu.js'
import { borrowedParamsOf, type Routes } from '../model/route.js'
import { buildTree, type ExtraMember, type TreeNode, type TreeRules } from '../model/tree.js'
import type { HookCalls } from './hook-calls.js'
import type { Viewer } from './hooks.js'
import type { PathGenerator, PathRequest } from './routes.js'
import type { Settings } from './settings.js'
import { permissionsOf } from './shareable.js'

/**
 * Makes of a tree what a door needs of it, such as bytes. Where `kept`, the same may answer again, so that more work on it
 * pays. What is made is kept, the tree is not.
 */
export type MakeOf<Made> = (tree: readonly TreeNode[], kept: boolean) => Made

/** For whom a tree is built, and what the door needs of it. */
export interface TreeRequest extends PathRequest {
  readonly viewer: Viewer
  /** Members of the nodes beside the six. */
  readonly members: readonly ExtraMember[]
}

/** What is seen where there is no menu. */
export const EMPTY_TREE: readonly TreeNode[] = Object.freeze([])

/** How many views per set of permissions are kept, and how many items in them all together. */
const MAX_VIEWS = 2_000
const MAX_ITEMS = 200_000

/**
 * Builds what a viewer sees. While checker and paths are ours and the page lends no parameters, a tree depends on the
 * menu, the locale and those of the menu's permissions that the viewer has, and what is made of it is kept: without
 * permissions on the menu itself, otherwise bounded and for `cache.ttl`. Any other request gets a tree of its own.
 */
export function createTreeBuilder<Made extends object>(
  settings: Settings,
  hooks: HookCalls,
  pathOf: PathGenerator,
  make: MakeOf<Made>,
): (asked: TreeRequest) => Made {
  const { canView, generatePath } = hooks.policies
  const ours = canView === undefined && generatePath === undefined
  let menus = 0
  /** What decides which trees of a menu may be kept; null if everyone sees the same. */
  const factsOf = derived((menu: Menu) => {
    const items = [...everyItem(menu.items)]
    const permissions = permissionsOf(menu)
    /** The route parameters that its items leave to the page that is rendered. */
    const borrowed = [...new Set(items.flatMap((item) => borrowedBy(item, settings.routes)))]
    if (permissions.length === 0 && borrowed.length === 0) return null
    /** `id` is a number that no other menu has. */
    return { id: menus++, size: items.length + 1, permissions, borrowed }
  })
  /** What everyone sees, by locale and members. */
  const open = new Map<string, WeakMap<Menu, Made>>()
  const guarded = new LRUCache<string, Made>({
    max: MAX_VIEWS,
    maxSize: MAX_ITEMS,
    ttl: Math.max(1, settings.ttl * 1000),
  })

  const build = (asked: TreeRequest, canSee: TreeRules['canSee'], kept: boolean): Made => {
    const tree = buildTree(asked.served.menu.items, {
      chain: settings.chains.get(asked.locale) ?? [],
      prefixes: settings.prefixes,
      extraMembers: asked.members,
      canSee,
      now: asked.served.menu.asOf,
      toPath: (item) => pathOf(item, asked),
    })
    return make(tree, kept)
  }

  const buildOpen = (asked: TreeRequest): Made => {
    const key = asked.members.length === 0 ? asked.locale : `${asked.locale} ${asked.members}`
    const views = open.get(key) ?? new WeakMap<Menu, Made>()
    const known = views.get(asked.served.menu)
    if (known !== undefined) return known
    open.set(key, views)
    const view = build(asked, () => true, true)
    views.set(asked.served.menu, view)
    return view
  }

  return (asked) => {
    const { served, viewer, host, request } = asked
    const facts = factsOf(served.menu)
    const lends = facts?.borrowed.some((name) => Object.hasOwn(host, name)) ?? false
    if (ours && !lends && (facts === null || facts.permissions.length === 0)) return buildOpen(asked)
    const canSee = hooks.checkerFor(viewer, request)
    if (!ours || lends || !settings.keeps || facts === null) return build(asked, canSee, false)
    const held = new Set(viewer.permissions)
    const mine = facts.permissions.filter((each) => held.has(each))
    const key = JSON.stringify([facts.id, asked.locale, asked.members, mine])
    const known = guarded.get(key)
    if (known !== undefined) return known
    const view = build(asked, canSee, true)
    guarded.set(key, view, { size: facts.size })
    return view
  }
}

function borrowedBy(item: MenuItem, routes: Routes | null): readonly string[] {
  if (item.type === 'divider' || item.routeName === null) return []
  const route = routes?.get(item.routeName)
  const params = route === undefined ? [] : borrowedParamsOf(route)
  return params.filter((name) => (valueAt(item.routeParams, [name]) ?? null) === null)
}
