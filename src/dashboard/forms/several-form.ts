import { SHARED_ACTIONS, type SharedAction } from '../../change/actions/several.js'
import type { Fields } from '../page.js'

/** What the bar of the chosen items sends, as an action; null for anything else. */
export function toShared(kind: string, form: Fields): SharedAction | null {
  const simple = SHARED_ACTIONS.find((each) => each === kind)
  if (simple !== undefined) return { kind: simple }
  if (kind !== 'permissions') return null
  const permissions = (form.get('allPermissions') ?? '').split(/\r?\n/).map((each) => each.trim())
  return { kind, permissions: permissions.filter((each) => each !== ''), isAny: form.get('mode') === 'any' }
}

/** What the names of the fields begin with that choose an item. */
export const PICK = 'pick:'
/** What several items were given at once. */
export const ALL_KINDS: readonly SharedAction['kind'][] = [...SHARED_ACTIONS, 'move', 'permissions']
/** The buttons of the bar of the chosen items. */
export const OF_ALL: readonly string[] = [...SHARED_ACTIONS, 'permissions', 'place', 'transfer']
