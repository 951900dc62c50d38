import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type HookCalls, isIdentity } from '../../service/hook-calls.js'
import { allows, type Role } from '../../service/hooks.js'
import { isReserved, LOCAL_USER, TOKEN_USER, toUserKey } from '../../store/user-names.js'
import type { User, Users } from '../../store/users.js'
import { headerValues } from '../../web/host.js'
import { type HttpProblem, NOT_FOUND } from '../../web/problem-json.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'
import { Refusal } from '../refusal.js'
import { RENEW_MS, type Sessions } from './sessions.js'

/** Who works in the dashboard with a request. */
export interface Operator {
  /** Identifies the operator everywhere, and names them in the log and in drafts: the key of a name. */
  readonly id: string
  /** Names the operator in commits and versions: the same name, as the users file has it, or as it was given. */
  readonly author: string
  /** Names the operator on their own pages. */
  readonly name: string
  readonly role: Role
  /**
   * What says so: the admin token, the cookie of a session of the users file or of an OpenID Connect provider, a trusted
   * proxy or the hook `resolveOperator`.
   */
  readonly via: 'token' | 'session' | 'oidc' | 'proxy' | 'hook'
  /** The address of the client, for the log. */
  readonly address: string
  /** The token that pages send with what they write; null where none is needed. */
  readonly csrf: string | null
  /** The Set-Cookie header of a response, which renews a session; null for none. */
  readonly cookie: string | null
}

export interface OperatorSources {
  readonly isAdmin: (request: IncomingMessage) => boolean
  readonly sessions: Sessions
  /** That of sessions of users of an OpenID Connect provider; null for no provider. */
  readonly oidcEpoch: number | null
  /** The users there are now; throws where they cannot be read. */
  readonly users: () => Users
  readonly proxies: TrustedProxies
  /** The header in which a trusted proxy names the user, in lower case; null for none. */
  readonly proxyHeader: string | null
  /** For users named by a proxy but not by the users file. */
  readonly proxyRole: Role
  readonly hooks: HookCalls
  /** The epoch of people whose one-time links have this name. */
  readonly epochOf: (id: string) => number
  /** Milliseconds of Unix time. */
  readonly now: () => number
}

/** Somebody, wherever they are. */
type Person = Omit<Operator, 'address'>

/** Whether a request is to be judged by its bearer token, whatever cookies it has. */
export function hasBearer({ headers }: IncomingMessage): boolean {
  return /^Bearer(?:\s|$)/i.test(headers.authorization ?? '')
}

/**
 * Finds the operator of a request: by its bearer token alone where it has one; else by its session, its proxy or the hook,
 * the first that identifies one. Throws a Refusal if none does, and HookError if the hook fails.
 */
export function createOperators(sources: OperatorSources): (request: IncomingMessage) => Promise<Operator> {
  const { isAdmin, hooks, proxies } = sources
  const find = async (request: IncomingMessage): Promise<Person> => {
    if (hasBearer(request)) {
      if (!isAdmin(request)) throw new Refusal('unauthorized')
      return ADMIN
    }
    const person = bySession(sources, request) ?? byProxy(sources, request)
    if (person !== null) return person
    if (hooks.policies.resolveOperator === undefined) throw new Refusal('unauthorized')
    await hooks.prepare(request)
    const known = hooks.operator(request)
    if (known === null) throw new Refusal('unauthorized')
    const { id: author, role, name = author } = known
    if (isReserved(author)) throw new Refusal('reserved-user')
    const id = toUserKey(author)
    const csrf = sources.sessions.toToken(`hook ${id}`)
    return { id, author, name, role, via: 'hook', csrf, cookie: null }
  }
  return async (request) => {
    const person = await find(request)
    return { ...person, address: proxies.clientAddress(request) }
  }
}

/** Of pages alone: the management API has no users. */
export const NO_MANAGER: HttpProblem = {
  status: 403,
  code: 'role-edit',
  detail: 'This needs the role "manage".',
}

/** Whether an operator has a session, which ends. Others come with each request, and manage nothing. */
export function hasSession({ via }: Operator): boolean {
  return via === 'session' || via === 'oidc'
}

/** Throws where an operator does not have a role. */
export function needRole(operator: Operator, needed: Role): void {
  const { role } = operator
  if (needed === 'manage' && !hasSession(operator)) throw new Refusal(NOT_FOUND)
  if (!allows(role, needed)) throw new Refusal(needed === 'manage' ? NO_MANAGER : 'role-view')
}

const ADMIN: Person = {
  ...{ id: TOKEN_USER, author: TOKEN_USER, name: TOKEN_USER },
  ...{ role: 'edit', via: 'token', csrf: null, cookie: null },
}

/** The user of one-time links, as long as the users file has none. */
export const LOCAL: User = { name: LOCAL_USER, role: 'edit', epoch: 0, hash: null }

function bySession(
  { sessions, users, oidcEpoch, epochOf, now }: OperatorSources,
  request: IncomingMessage,
): Person | null {
  const session = sessions.read(request, now())
  if (session === null) return null
  const account = toUserKey(session.user)
  const isOld = now() - session.seen >= RENEW_MS
  const cookie = isOld ? sessions.toCookie({ ...session, seen: now() }) : null
  const csrf = sessions.toToken(session)
  if (session.given !== null) {
    if (session.epoch !== oidcEpoch) return null
    return { id: account, author: session.user, ...session.given, via: 'oidc', csrf, cookie }
  }
  const user = users().get(account) ?? (account === LOCAL_USER ? LOCAL : null)
  const { person = null } = session
  const id = person === null ? account : toUserKey(person)
  // A user of that name is somebody else, even one who was added since.
  const isTaken = person !== null && (users().has(id) || isReserved(id))
  if (user === null || isTaken) return null
  if (session.epoch !== (person === null ? user.epoch : epochOf(id))) return null
  const name = person ?? user.name
  return { id, author: name, name, role: user.role, via: 'session', csrf, cookie }
}

function byProxy(
  { proxies, proxyHeader, proxyRole, users, sessions }: OperatorSources,
  request: IncomingMessage,
): Person | null {
  if (proxyHeader === null || !proxies.sent(request)) return null
  // A client may have sent one more, which the proxy passed on.
  const names = headerValues(request, proxyHeader)
  const name = toText(names[0] ?? '')
  if (names.length === 0) return null
  if (names.length > 1 || !isIdentity(name)) throw new Refusal('bad-proxy-user')
  if (isReserved(name)) throw new Refusal('reserved-user')
  const id = toUserKey(name)
  const { name: author, role } = users().get(id) ?? { name, role: proxyRole }
  const csrf = sessions.toToken(`proxy ${id}`)
  return { id, author, name: author, role, via: 'proxy', csrf, cookie: null }
}

/** A header in UTF-8, of which Node makes a character a byte (RFC 9110, section 5.5); any other stays as it is. */
function toText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
