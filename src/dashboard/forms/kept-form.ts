import { CSRF_FIELD } from '../access/same-origin.js'
import type { Fields } from '../page.js'

/** The field of each form that names the operator to whom its page was shown. */
export const BY_FIELD = 'by'
/** Bytes of a form that a page keeps. */
export const MAX_KEPT = 196_608
/** Fields that say where a form belongs, not typed by users. */
const OWN: readonly string[] = [BY_FIELD, 'state', 'toState', 'was', 'version', 'item', 'do', 'from']

/**
 * A form that was not taken, as a page shows it: its fields are in that page and nowhere else, and are sent again only when
 * the operator who filled it in presses a button.
 */
export interface KeptForm {
  /** Where it is sent: a path of the dashboard. */
  readonly path: string
  /** Who filled it in; null where it does not say. */
  readonly by: string | null
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** What the user typed or chose. */
  readonly typed: readonly (readonly [name: string, value: string])[]
}

/** Without its token: the page that sends it again has one of its own. `unread` for a form that only the browser has. */
export function keepForm(path: string, form: Fields | null): KeptForm | 'unread' {
  const fields = [...(form ?? [])].filter(([name]) => name !== CSRF_FIELD)
  const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (form === null || length > MAX_KEPT) return 'unread'
  const typed = fields.filter(([name, value]) => !OWN.includes(name) && value.trim() !== '')
  return { path, by: form.get(BY_FIELD) ?? null, fields, typed }
}
