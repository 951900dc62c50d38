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
