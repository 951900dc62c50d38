import type { IncomingMessage } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import { type AskedHooks, isIdentity } from '../../service/ask-hooks.js'
import type { Role } from '../../service/hooks.js'
import { LOCAL_USER, type Users } from '../../store/users.js'
import { type HttpProblem, refusal } from '../../web/problem-json.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'
import { RENEW_MS, type Sessions } from './sessions.js'

/** Who works in the dashboard with a request. */
export interface Operator {
  /** Names the operator in the log, in drafts and in commits. */
  readonly id: string
  readonly name: string
  readonly role: Role
  /** What says so: the admin token, the cookie of a session, a trusted proxy or the hook `resolveOperator`. */
  readonly via: 'token' | 'session' | 'proxy' | 'hook'
  /** The address of the client, for the log. */
  readonly address: string
  /** The token that pages send with what they write; null where none is needed. */
  readonly csrf: string | null
  /** The Set-Cookie header of an answer, which renews a session; null for none. */
  readonly cookie: string | null
}

export interface OperatorSources {
  readonly isAdmin: (request: IncomingMessage) => boolean
  readonly sessions: Sessions
  /** The users there are now; the fault is an answer. */
  readonly users: () => Result<Users, HttpProblem>
  readonly proxies: TrustedProxies
  /** The header in which a trusted proxy names the user, in lower case; null for none. */
  readonly proxyHeader: string | null
  readonly hooks: AskedHooks
  /** Milliseconds of Unix time. */
  readonly now: () => number
}

/** Somebody, wherever they are. */
type Known = Omit<Operator, 'address'>
type Found = Result<Known | null, HttpProblem>

/** Whether a request is to be judged by its bearer token, whatever cookies it has. */
export function hasBearer({ headers }: IncomingMessage): boolean {
  return /^Bearer(?:\s|$)/i.test(headers.authorization ?? '')
}

/**
 * Finds the operator of a request: by its bearer token alone where it has one; else by its session, its proxy or the hook,
 * the first that knows somebody. Throws HookError when the hook fails.
 */
export function createOperators(
  sources: OperatorSources,
): (request: IncomingMessage) => Promise<Result<Operator, HttpProblem>> {
  const { isAdmin, hooks, proxies } = sources
  const find = async (request: IncomingMessage): Promise<Result<Known, HttpProblem>> => {
    if (hasBearer(request)) return isAdmin(request) ? done(ADMIN) : failed(UNAUTHORIZED)
    for (const findBy of [bySession, byProxy]) {
      const { value: operator, fault } = findBy(sources, request)
      if (fault !== null) return failed(fault)
      if (operator !== null) return done(operator)
    }
    if (hooks.policies.resolveOperator === undefined) return failed(UNAUTHORIZED)
    await hooks.prepare(request)
    const known = hooks.operator(request)
    if (known === null) return failed(UNAUTHORIZED)
    const { id, role, name = id } = known
    return done({ id, name, role, via: 'hook', csrf: sources.sessions.toToken(`hook ${id}`), cookie: null })
  }
  return async (request) => {
    const { value: known, fault } = await find(request)
    return fault === null ? done({ ...known, address: proxies.clientAddress(request) }) : failed(fault)
  }
}

const ADMIN: Known = { id: 'token', name: 'token', role: 'edit', via: 'token', csrf: null, cookie: null }

function bySession({ sessions, users, now }: OperatorSources, request: IncomingMessage): Found {
  const session = sessions.read(request, now())
  if (session === null) return done(null)
  const { value, fault } = users()
  if (fault !== null) return failed(fault)
  const name = session.user
  const user = value.get(name) ?? (name === LOCAL_USER ? { role: 'edit' as const, epoch: 0 } : null)
  if (user === null || user.epoch !== session.epoch) return done(null)
  const isOld = now() - session.seen >= RENEW_MS
  const cookie = isOld ? sessions.toCookie({ ...session, seen: now() }) : null
  return done({ id: name, name, role: user.role, via: 'session', csrf: sessions.toToken(session), cookie })
}

function byProxy(
  { proxies, proxyHeader, users, sessions }: OperatorSources,
  request: IncomingMessage,
): Found {
  if (proxyHeader === null || !proxies.sent(request)) return done(null)
  // A client may have sent one more, which the proxy passed on.
  const names = request.headersDistinct?.[proxyHeader] ?? []
  const [name = ''] = names
  if (names.length === 0) return done(null)
  if (names.length > 1 || !isIdentity(name)) return failed(BAD_PROXY_USER)
  const { value, fault } = users()
  if (fault !== null) return failed(fault)
  const role = value.get(name)?.role ?? 'edit'
  return done({ id: name, name, role, via: 'proxy', csrf: sessions.toToken(`proxy ${name}`), cookie: null })
}

const UNAUTHORIZED: HttpProblem = refusal(
  401,
  'unauthorized',
  'This needs an operator: sign in, or send "Authorization: Bearer" with the admin token.',
  { 'www-authenticate': 'Bearer' },
)

const BAD_PROXY_USER: HttpProblem = refusal(
  403,
  'bad-proxy-user',
  'The proxy names no user, or several, in its header.',
)
