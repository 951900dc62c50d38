import { derived } from '../model/derived.js'
import { everyItem, type Menu } from '../model/menu.js'
import { MENU_HOOKS, type Policies } from './hooks.js'

/**
 * Whether a cache between the service and its visitors may share the response of a menu; null is the response that there
 * is none. Safe by construction: a response is shared only while nothing of the deployment's own took part in it and the
 * menu names no permissions, or where `varyOn` says what of a request takes part.
 */
export function isShareable(policies: Policies, menu: Menu | null): boolean {
  if (policies.varyOn !== undefined) return true
  // By name, as hooks are asked: a method of a class is not an own property of its instance.
  if (MENU_HOOKS.some((name) => policies[name] !== undefined)) return false
  return menu === null || permissionsOf(menu).length === 0
}

/** Most menus name none, and share this list. */
const NONE: readonly string[] = Object.freeze([])

/** The permission keys that the items of a menu name, each once. */
export const permissionsOf: (menu: Menu) => readonly string[] = derived(({ items }) => {
  const keys = [...everyItem(items)].flatMap((item) => item.permissions)
  return keys.length === 0 ? NONE : [...new Set(keys)].sort()
})
