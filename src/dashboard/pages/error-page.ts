import type { HttpProblem } from '../../web/problem-json.js'
import type { KeptForm } from '../forms/kept-form.js'
import type { PageReply } from '../page.js'
import type { Texts } from '../texts/language.js'

type ByName = Readonly<Record<string | number, string>>

/**
 * The page for an answer that is a fault; `again` is where to try once more, null where that makes no sense. `sent` is the form
 * that was not taken: null for none, `unread` where only the browser has it.
 */
export function errorPage(
  { errors }: Texts,
  fault: HttpProblem,
  again: string | null,
  sent: KeptForm | 'unread' | null = null,
): PageReply {
  const { status, code, detail, members = {}, headers = {} } = fault
  const [titles, details]: readonly ByName[] = [errors.titles, errors.details]
  const { id = null } = members
  const model = {
    title: titles?.[status] ?? errors.titles[status < 500 ? 400 : 500],
    status,
    // What has no text of its own is in English.
    detail: details?.[code] ?? null,
    fallback: detail,
    id,
    again: headers['retry-after'] === undefined ? null : again,
    isUnauthorized: status === 401,
    kept: sent === 'unread' ? null : sent,
    isSent: sent !== null,
  }
  return { template: 'error', model, status, headers }
}
