import type { HttpProblem } from '../../web/problem-json.js'
import type { KeptForm } from '../forms/kept-form.js'
import { toDetail } from '../forms/trouble.js'
import type { PageReply, Visit } from '../page.js'
import type { Texts } from '../texts/language.js'

/**
 * The page for a response that is a fault; `again` is where to try once more, null where that makes no sense. `sent` is the form
 * that was not taken: null for none, `unread` where only the browser has it.
 */
export function errorPage(
  { t, operator }: Visit,
  fault: HttpProblem,
  again: string | null,
  sent: KeptForm | 'unread' | null = null,
): PageReply {
  const { status, members = {}, headers = {} } = fault
  const titles: Readonly<Record<number, string>> = t.errors.titles
  const kept = sent === 'unread' || sent?.fields.length === 0 ? null : sent
  const model = {
    title: titles[status] ?? t.errors.titles[status < 500 ? 400 : 500],
    current: null,
    code: status,
    detail: toDetail(t, fault),
    id: members['id'] ?? null,
    again: headers['retry-after'] === undefined ? null : again,
    isUnauthorized: status === 401,
    kept,
    isOwn: operator !== null && (kept?.by ?? operator.id) === operator.id,
    unsent: sent === null ? null : toUnsent(t, kept, operator?.id ?? null),
  }
  return { template: 'error', model, status, headers }
}

/** What becomes of a form that was not taken. */
function toUnsent(t: Texts, kept: KeptForm | null, operator: string | null): string {
  if (kept === null) return operator === null ? t.kept.tooLong : t.kept.reload
  if (operator === null) return t.kept.signedOut
  return kept.by === null || kept.by === operator ? t.kept.here : t.fill(t.kept.of, { user: kept.by })
}
