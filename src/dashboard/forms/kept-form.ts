import { CSRF_FIELD } from '../access/same-origin.js'
import type { Fields } from '../page.js'

/** The field of each form that names the operator to whom its page was shown. */
const BY_FIELD = 'by'
/** Bytes of a form that a page keeps. */
export const MAX_KEPT = 196_608
/** Fields that say where a form belongs: nobody typed them. */
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
  /** What somebody typed or chose. */
  readonly typed: readonly (readonly [name: string, value: string])[]
}

/** Whether a form is longer than a page keeps. */
export function isLong({ fields }: KeptForm): boolean {
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MAX_KEPT
}

/** Without its token: the page that sends it again has one of its own. */
export function keepForm(path: string, form: Fields): KeptForm {
  const fields = [...form].filter(([name]) => name !== CSRF_FIELD)
  const typed = fields.filter(([name, value]) => !OWN.includes(name) && value.trim() !== '')
  return { path, by: form.get(BY_FIELD) ?? null, fields, typed }
}
