import { isMap } from '../../model/json.js'
import type { Reply, Unsent } from './outbox.js'

/** Milliseconds after which a request counts as lost. */
const PATIENCE = 30_000

/** How the page sends the forms of a menu. */
export interface Transport {
  /** Sends a form about the menu in a state. A form that is sent twice takes effect once. */
  readonly send: (state: string, unsent: Unsent) => Promise<Reply>
}

export interface TransportDeps {
  /** The address of the dashboard. */
  readonly home: string
  readonly file: string
  readonly user: string
  readonly csrf: string | null
  /** The message if another user is signed in. */
  readonly otherUser: string
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Statuses with which the same request may be answered otherwise later: 403 once the operator has the right again. */
const PASSING = [403, 408, 423, 425, 429]

export function createTransport({ home, file, user, csrf, otherUser }: TransportDeps): Transport {
  let token = csrf

  const ask = async (path: string, more: RequestInit = {}): Promise<Answer> => {
    const headers = { accept: 'application/json' }
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(home + path, { ...more, headers, signal, redirect: 'error' })
    // A proxy on the way answers with pages of its own, whatever its status.
    const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson ? JSON.parse(await response.text()) : {} }
  }
  /** Why a form was not taken, and whether it may be later. */
  const toReply = async ({ status, body }: Answer): Promise<Reply> => {
    if (status < 300) return { kind: 'later', reason: null }
    const reason = String(body['detail'] ?? body['title'] ?? status)
    if (status === 401) return { kind: 'later', reason, isSignedOut: true }
    if (body['code'] === 'bad-csrf-token') {
      // Signed in again, in another tab.
      const session = await ask('/api/session')
      if (session.body['user'] === undefined) return toReply(session)
      if (session.body['user'] !== user) return { kind: 'later', reason: otherUser, isSignedOut: true }
      token = String(session.body['csrf'])
      return { kind: 'later', reason: null }
    }
    const isPassing = status >= 500 || PASSING.includes(status)
    return isPassing ? { kind: 'later', reason } : { kind: 'refused', reason }
  }

  return {
    send: async (state, { key, form: { page, query, fields } }) => {
      try {
        const body = new URLSearchParams({ ...fields, state, key, ...(token !== null && { csrf: token }) })
        const answer = await ask(`/${page}?${new URLSearchParams({ file, ...query })}`, {
          method: 'POST',
          body,
        })
        const { state: next, changes, marks } = answer.body
        return typeof next === 'string'
          ? { kind: 'done', state: next, changes: Number(changes ?? 0), marks: isMap(marks) ? marks : {} }
          : await toReply(answer)
      } catch {
        return { kind: 'later', reason: null }
      }
    },
  }
}
