import type { HttpAnswer } from '../support/http.js'

type Asked = Readonly<Record<string, string>>
type Ask = (path: string, options: { readonly headers: Asked }) => Promise<HttpAnswer>

interface Stored {
  readonly asked: Asked
  readonly answer: HttpAnswer
}

/** Answers a request, and whether the cache could. */
export type GreedyCache = (
  path: string,
  headers: Asked,
) => Promise<{ readonly answer: HttpAnswer; readonly hit: boolean }>

/** A cache between a service and its visitors, as greedy as RFC 9111 allows: it keeps whatever it may, and answers from it as long as the stored Vary allows. */
export function createGreedyCache(ask: Ask): GreedyCache {
  const stored = new Map<string, Stored[]>()
  const fits =
    (headers: Asked) =>
    ({ asked, answer }: Stored) =>
      (answer.headers['vary'] ?? '')
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .every((name) => name !== '*' && asked[name] === headers[name])
  return async (path, headers) => {
    const kept = stored.get(path) ?? []
    const found = kept.find(fits(headers))
    if (found !== undefined) return { answer: found.answer, hit: true }
    const answer = await ask(path, { headers })
    if (mayKeep(answer)) stored.set(path, [...kept, { asked: headers, answer }])
    return { answer, hit: false }
  }
}

/** Whether a shared cache may give an answer to another visitor without asking again (RFC 9111, sections 3 and 4.2). */
function mayKeep({ headers }: HttpAnswer): boolean {
  const control = (headers['cache-control'] ?? '').split(',').map((each) => each.trim())
  if (control.some((each) => /^(private|no-store|no-cache)\b/.test(each))) return false
  const seconds = (name: string) =>
    control.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  return Number(seconds('s-maxage') ?? seconds('max-age') ?? 0) > 0
}
