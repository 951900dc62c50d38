import type { IncomingMessage } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import type { Log } from '../../service/log.js'
import type { Audit } from '../../store/audit.js'
import { createTally } from '../../store/audit-tally.js'
import { contentHash } from '../../store/hash.js'
import {
  endLinkSessions,
  findPasswordLink,
  LINK_MINUTES,
  linkEpoch,
  takeLink,
} from '../../store/one-time-links.js'
import { createPasswords, MAX_PASSWORD } from '../../store/passwords.js'
import type { State } from '../../store/state.js'
import { type AccountFault, changeUsers, endSessions } from '../../store/user-accounts.js'
import { LOCAL_USER, toUserKey } from '../../store/user-names.js'
import { nextEpoch, type User, type Users, type UsersFile, withUser } from '../../store/users.js'
import { toNetwork } from '../../web/network.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'
import { Refusal } from '../refusal.js'
import { createAttempts } from './attempts.js'
import { createDevices } from './devices.js'
import { hasSession, LOCAL, type Operator } from './operator.js'
import { isFromOwnPage, isRead, needToken, type OwnHost } from './same-origin.js'
import { ENDED_COOKIE, type Sessions } from './sessions.js'

/** Somebody who just signed in, with the Set-Cookie headers of the response. */
export interface SignedIn {
  readonly user: string
  readonly cookies: readonly string[]
  /** The token that pages of the session send with what they write. */
  readonly csrf: string
}

/** Begins and ends sessions; throws a Refusal for what cannot be. */
export interface SignIn {
  readonly byPassword: (request: IncomingMessage, name: string, password: string) => Promise<SignedIn>
  readonly byLink: (request: IncomingMessage, token: string) => Promise<SignedIn>
  /** Whom a link to a new password is for; null where it was used, is too old, or never was one. */
  readonly userOfLink: (token: string) => string | null
  /** Sets the password of the user of such a link, which ends it and their sessions, and signs them in. */
  readonly byNewPassword: (request: IncomingMessage, token: string, password: string) => Promise<SignedIn>
  /**
   * Ends all sessions of an operator of the users file; returns the Set-Cookie header that ends the one of this browser.
   * `field` is the token of the form.
   */
  readonly out: (request: IncomingMessage, operator: Operator, field: string | null) => Promise<string>
}

export interface SignInDeps {
  /** The name under which a request that is for us came; throws for any other. */
  readonly hostOf: (request: IncomingMessage) => OwnHost
  /** The users there are now; throws where they cannot be read. */
  readonly users: () => Users
  readonly usersFile: UsersFile
  readonly sessions: Sessions
  /** Signs the cookies of devices. */
  readonly secret: string
  readonly state: State | null
  readonly proxies: TrustedProxies
  /** Milliseconds of Unix time. */
  readonly now: () => number
  readonly log: Log
  readonly audit: Audit
}

/**
 * Passwords of one account, from one network, and from all devices that are not known, that are hashed or wait for it at the
 * same time, of twelve. Two places are reserved for known devices.
 */
const OF_ACCOUNT = 2
const OF_NETWORK = 5
const OF_UNKNOWN = 10

export function createSignIn(deps: SignInDeps): SignIn {
  const { hostOf, users, usersFile, sessions, state, proxies, now, log, audit } = deps
  const attempts = createAttempts(() => performance.now())
  const passwords = createPasswords(log)
  const devices = createDevices(deps.secret)
  const tally = createTally(audit)
  /** Throws if a request may not result in a cookie. */
  const needSafe = (request: IncomingMessage): void => {
    const host = hostOf(request)
    // A bearer token stops no page from sending this.
    if (isRead(request) || !isFromOwnPage(request, host)) throw new Refusal('cross-site')
    if (!host.isHttps && !host.isLocal) throw new Refusal('not-secure')
  }
  const begin = (
    { name, epoch }: Pick<User, 'name' | 'epoch'>,
    address: string,
    by: string,
    person: string | null = null,
  ): SignedIn => {
    const user = toUserKey(person ?? name)
    log.info('signed_in', { user, by, address })
    audit.record({ user, via: by, address, action: 'signed-in' })
    const session = { user: toUserKey(name), issued: now(), seen: now(), epoch, given: null, person }
    return { user, cookies: [sessions.toCookie(session)], csrf: sessions.toToken(session) }
  }
  const refuse = (user: string | null, address: string, by: string): void => {
    log.warn('sign_in_failed', { user, by, address })
    tally('sign-in-failed', { user, via: by, address, action: 'sign-in-failed' })
  }
  const ownerOf = (token: string, all: Users): User | null =>
    usersFile.path === null && state ? findPasswordLink(state, token, all, now()) : null
  return {
    byPassword: async (request, name, password) => {
      needSafe(request)
      const address = proxies.clientAddress(request)
      const account = toUserKey(name)
      const user = users().get(account) ?? null
      const network = toNetwork(address)
      const client = { account, network, device: user && devices.find(request, user, now()) }
      const wait = attempts.take(client)
      if (wait > 0) throw tooManyAttempts(wait)
      const isTooLong = password.length > MAX_PASSWORD
      // An unknown name costs the same work.
      const shares =
        client.device === null
          ? [
              { key: `account ${contentHash(account)}`, most: OF_ACCOUNT },
              { key: `network ${network}`, most: OF_NETWORK },
              { key: 'unknown', most: OF_UNKNOWN },
            ]
          : [{ key: `device ${client.device}`, most: OF_ACCOUNT }]
      const judged = await passwords.matches(isTooLong ? '' : password, user?.hash ?? null, shares)
      if (judged.fault !== null) {
        attempts.giveBack(client)
        throw new Refusal('sign-in-busy')
      }
      if (user === null || isTooLong || !judged.value) {
        // People type passwords in the place of names: only names that exist are logged.
        refuse(user && account, address, 'password')
        throw new Refusal('wrong-password')
      }
      attempts.giveBack(client)
      const begun = begin(user, address, 'password')
      return { ...begun, cookies: [...begun.cookies, devices.toCookie(user, now())] }
    },
    byLink: async (request, token) => {
      needSafe(request)
      const address = proxies.clientAddress(request)
      const client = { account: null, network: toNetwork(address), device: null }
      const wait = attempts.take(client)
      if (wait > 0) throw tooManyAttempts(wait)
      const local = users().get(LOCAL_USER) ?? LOCAL
      const person = state && takeLink(state, token, now())
      if (state !== null && person !== null && !users().has(toUserKey(person))) {
        attempts.giveBack(client)
        if (person === '') return begin(local, address, 'link')
        return begin({ ...local, epoch: linkEpoch(state, toUserKey(person)) }, address, 'link', person)
      }
      refuse(null, address, 'link')
      const what = `The link was used, or is older than ${LINK_MINUTES} minutes.`
      throw new Refusal('wrong-link', {}, `${what} "menuscript link" prints a new one.`)
    },
    userOfLink: (token) => ownerOf(token, users())?.name ?? null,
    byNewPassword: async (request, token, password) => {
      needSafe(request)
      const address = proxies.clientAddress(request)
      const client = { account: null, network: toNetwork(address), device: null }
      const wait = attempts.take(client)
      if (wait > 0) throw tooManyAttempts(wait)
      const owner = ownerOf(token, users())
      if (owner === null) {
        refuse(null, address, 'password-link')
        throw new Refusal('wrong-link')
      }
      const { value: hash, fault: busy } = await passwords.hash(password)
      attempts.giveBack(client)
      if (busy !== null) throw new Refusal('sign-in-busy')
      // Of two that use a link at once, the second finds another password by now, so it is no link any more.
      const { value, fault } = await changeUsers<AccountFault | 'wrong-link'>(usersFile, (all) => {
        const user = ownerOf(token, all)
        return user === null ? failed('wrong-link' as const) : endSessions(all, user.name, hash)
      })
      if (fault?.reason != null) throw new Refusal('wrong-link')
      if (fault !== null) throw toUnwritten(log, fault.what)
      const account = toUserKey(owner.name)
      audit.record({ user: account, via: 'password-link', address, action: 'password-changed', account })
      const user = value.get(account) ?? owner
      const begun = begin(user, address, 'password-link')
      return { ...begun, cookies: [...begun.cookies, devices.toCookie(user, now())] }
    },
    out: async (request, operator, field) => {
      const { id, via, csrf } = operator
      hostOf(request)
      needToken(request, csrf, field)
      if (!hasSession(operator)) return ENDED_COOKIE
      const endAll = (all: Users): Result<Users, string> => {
        const user = all.get(id) ?? (id === LOCAL_USER ? LOCAL : null)
        return done(user === null ? all : withUser(all, { ...user, epoch: nextEpoch(all.get(id)) }))
      }
      const isOfLink = via === 'session' && id !== LOCAL_USER && !users().has(id)
      if (isOfLink && state !== null) endLinkSessions(state, id, now())
      // The file has nothing of users of a provider, and that of a repository is not changed: other sessions go on.
      const isElsewhere = via === 'oidc' || isOfLink || usersFile.path !== null
      const { fault } = isElsewhere ? done(null) : await usersFile.change(endAll)
      const address = proxies.clientAddress(request)
      if (fault !== null) {
        log.error('sign_out_failed', { user: id, address, reason: fault })
        // The browser drops the cookie in any case, but a copy of it stays valid.
        throw new Refusal('not-signed-out', {}, undefined, { 'set-cookie': ENDED_COOKIE })
      }
      log.info('signed_out', { user: id, address })
      audit.record({ user: id, via, address, action: 'signed-out' })
      return ENDED_COOKIE
    },
  }
}

/** Why a change of the users was not written. */
export function toUnwritten(log: Log, reason: string): Refusal {
  log.error('users_not_written', { reason })
  return new Refusal('not-written')
}

/** The refusal of an attempt that comes too early. */
export function tooManyAttempts(seconds: number): Refusal {
  const detail = `Too many attempts to sign in from here. Try again in ${seconds} seconds.`
  return new Refusal('too-many-attempts', {}, detail, { 'retry-after': String(seconds) })
}
