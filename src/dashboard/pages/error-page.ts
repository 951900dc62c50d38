import type { HttpProblem } from '../../web/problem-json.js'
import type { PageReply } from './page.js'
import type { Texts } from './texts/en.js'

type ByName = Readonly<Record<string | number, string>>

/** What a fault says, in the language of the page where it has a text of its own. */
export function toDetail(
  { errors }: Texts,
  { code, detail }: HttpProblem,
): { readonly text: string; readonly isTranslated: boolean } {
  const own = (errors.details as ByName)[code]
  return { text: own ?? detail, isTranslated: own !== undefined }
}

/** The page for an answer that is a fault; `again` is where to try once more, null where that makes no sense. */
export function errorPage({ errors }: Texts, fault: HttpProblem, again: string | null): PageReply {
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
  }
  return { template: 'error', model, status, headers }
}
