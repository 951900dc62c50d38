import { everyItem, type Menu, type MenuItem } from '../model/menu.js'
import { borrowedParamsOf, type Routes } from '../model/route.js'

/** What has to be known of a menu to tell which of its trees may be kept. */
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

/** Looks at each menu once. */
export function createFactsOf(routes: Routes | null): (menu: Menu) => MenuFacts {
  const known = new WeakMap<Menu, MenuFacts>()
  let menus = 0
  return (menu) => {
    const before = known.get(menu)
    if (before !== undefined) return before
    const items = [...everyItem(menu.items)]
    const facts = {
      id: menus++,
      permissions: [...new Set(items.flatMap((item) => item.permissions))].sort(),
      borrowed: [...new Set(items.flatMap((item) => borrowedBy(item, routes)))],
      size: items.length + 1,
    }
    known.set(menu, facts)
    return facts
  }
}

function borrowedBy(item: MenuItem, routes: Routes | null): readonly string[] {
  if (item.type === 'divider' || item.routeName === null) return []
  const route = routes?.get(item.routeName)
  if (route === undefined) return []
  return borrowedParamsOf(route).filter(
    (name) => (Object.hasOwn(item.routeParams, name) ? item.routeParams[name] : null) === null,
  )
}
