import { derived } from '../model/derived.js'
import { everyItem, type Menu, type MenuItem } from '../model/menu.js'
import { borrowedParamsOf, type Routes } from '../model/route.js'

/** What decides which trees of a menu may be kept. */
export interface MenuFacts {
  /** A number that no other menu in this process has. */
  readonly id: number
  /** The permission keys that its items name, each once. */
  readonly permissions: readonly string[]
  /** The route parameters that its items leave to the page that is rendered. */
  readonly borrowed: readonly string[]
  /** Items, and one more. */
  readonly size: number
}

/** The facts of each menu, computed once. */
export function createFactsOf(routes: Routes | null): (menu: Menu) => MenuFacts {
  let menus = 0
  return derived((menu) => {
    const items = [...everyItem(menu.items)]
    return {
      id: menus++,
      permissions: permissionsOf(menu),
      borrowed: [...new Set(items.flatMap((item) => borrowedBy(item, routes)))],
      size: items.length + 1,
    }
  })
}

/** The permission keys that the items of a menu name, each once. */
export const permissionsOf: (menu: Menu) => readonly string[] = derived((menu) => {
  const keys = [...everyItem(menu.items)].flatMap((item) => item.permissions)
  return [...new Set(keys)].sort()
})

function borrowedBy(item: MenuItem, routes: Routes | null): readonly string[] {
  if (item.type === 'divider' || item.routeName === null) return []
  const route = routes?.get(item.routeName)
  if (route === undefined) return []
  return borrowedParamsOf(route).filter(
    (name) => (Object.hasOwn(item.routeParams, name) ? item.routeParams[name] : null) === null,
  )
}
