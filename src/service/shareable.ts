import { everyItem, type Menu } from '../model/menu.js'
import { POLICY_NAMES, type Policies } from './hooks.js'

/** For whom an answer may be kept by a cache between the service and its visitors. */
export type Audience = 'shared' | 'private'

/** The audience of a menu's answer; null stands for the answer that there is none. */
export type AudienceOf = (menu: Menu | null) => Audience

/**
 * Safe by construction: an answer is shared only while nothing of the deployment's own took part in it and the menu
 * names no permissions, or where `varyOn` says what of a request takes part.
 */
export function createAudienceOf(policies: Policies): AudienceOf {
  if (policies.varyOn !== undefined) return () => 'shared'
  // By name, as hooks are asked: a method of a class is no property of its instance's own.
  if (POLICY_NAMES.some((name) => policies[name] !== undefined)) return () => 'private'
  const known = new WeakMap<Menu, Audience>()
  return (menu) => {
    if (menu === null) return 'shared'
    const before = known.get(menu)
    if (before !== undefined) return before
    const guarded = [...everyItem(menu.items)].some((item) => item.permissions.length > 0)
    const audience: Audience = guarded ? 'private' : 'shared'
    known.set(menu, audience)
    return audience
  }
}
