import type { Reply, Step, Unsent } from './outbox.js'

/** Milliseconds after which a request counts as lost. */
const PATIENCE = 30_000

/** How the page talks to the management API. */
export interface Transport {
  /** Takes a step of the draft of a file. */
  readonly send: (state: string, unsent: Unsent) => Promise<Reply>
}

export interface TransportDeps {
  /** The address of the management API. */
  readonly api: string
  readonly file: string
  readonly user: string
  readonly csrf: string | null
  /** What is said where somebody else is signed in. */
  readonly otherUser: string
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Statuses with which the same request may be answered otherwise later: 403 once the operator has the right again. */
const PASSING = [403, 408, 423, 425, 429]

export function createTransport({ api, file, user, csrf, otherUser }: TransportDeps): Transport {
  let token = csrf

  const ask = async (method: string, path: string, more: RequestInit = {}): Promise<Answer> => {
    const headers = { ...more.headers, ...(token !== null && { 'x-csrf-token': token }) }
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(api + path, { ...more, method, headers, signal, redirect: 'error' })
    // A proxy on the way answers with pages of its own, whatever its status.
    const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson ? JSON.parse(await response.text()) : {} }
  }
  /** Why a request was not done, and whether it may be later. */
  const toReply = async ({ status, body }: Answer): Promise<Reply> => {
    if (status < 300) return { kind: 'later', reason: null }
    const reason = String(body['detail'] ?? body['title'] ?? status)
    if (status === 401) return { kind: 'later', reason, isSignedOut: true }
    if (body['code'] === 'bad-csrf-token') {
      // Signed in again, in another tab.
      const session = await ask('GET', '/session')
      if (session.body['user'] === undefined) return toReply(session)
      if (session.body['user'] !== user) return { kind: 'later', reason: otherUser, isSignedOut: true }
      token = String(session.body['csrf'])
      return { kind: 'later', reason: null }
    }
    const isPassing = status >= 500 || PASSING.includes(status)
    return isPassing ? { kind: 'later', reason } : { kind: 'refused', reason }
  }
  /** The id of the draft and its revision: those of a state, else of the draft that is started for it. */
  const draftOf = async (state: string): Promise<readonly string[] | Answer> => {
    if (state.includes('.')) return state.split('.')
    // On the text that the page shows, whatever the file is by now: a publish merges both.
    const answer = await ask('POST', `/drafts?${new URLSearchParams({ file, version: state })}`)
    const { id, base } = answer.body
    if (id === undefined) return answer
    return base === state
      ? [String(id), '0']
      : { status: 412, body: { detail: 'Another tab changed the draft.' } }
  }

  return {
    send: async (state, { key, step }) => {
      try {
        const draft = await draftOf(state)
        if ('status' in draft) return await toReply(draft)
        const [id = '', revision = ''] = draft
        const { method, path, body } = toRequest(step)
        const headers = {
          'if-match': `"${revision}"`,
          'idempotency-key': key,
          ...(body !== null && { 'content-type': 'application/json-patch+json' }),
        }
        const answer = await ask(method, `/drafts/${id}${path}`, { headers, body })
        const { id: saved, revision: next } = answer.body
        return saved === undefined ? await toReply(answer) : { kind: 'done', state: `${saved}.${next}` }
      } catch {
        return { kind: 'later', reason: null }
      }
    },
  }
}

function toRequest(step: Step): {
  readonly method: string
  readonly path: string
  readonly body: string | null
} {
  return step.kind === 'edit'
    ? { method: 'PATCH', path: '', body: JSON.stringify(step.operations) }
    : { method: 'POST', path: `/${step.kind}`, body: null }
}
