import type { IncomingMessage } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import type { Log } from '../../service/log.js'
import type { Audit } from '../../store/audit.js'
import { createTally } from '../../store/audit-tally.js'
import { claimLink, LINK_MINUTES } from '../../store/one-time-links.js'
import type { Passwords } from '../../store/passwords.js'
import type { State } from '../../store/state.js'
import { LOCAL_USER, nextEpoch, type Users, type UsersFile, withUser } from '../../store/users.js'
import { type HttpProblem, refusal } from '../../web/problem-json.js'
import type { TrustedProxies } from '../../web/trusted-proxies.js'
import type { Attempts } from './attempts.js'
import type { Operator } from './operator.js'
import { judgeToken } from './same-origin.js'
import { ENDED_COOKIE, type Sessions } from './sessions.js'

/** Somebody who just signed in, with the Set-Cookie header of the answer. */
export interface SignedIn {
  readonly user: string
  readonly cookie: string
}

/** Begins and ends sessions. */
export interface SignIn {
  readonly byPassword: (
    request: IncomingMessage,
    name: string,
    password: string,
  ) => Promise<Result<SignedIn, HttpProblem>>
  readonly byLink: (request: IncomingMessage, token: string) => Promise<Result<SignedIn, HttpProblem>>
  /**
   * Ends all sessions of an operator; answers the Set-Cookie header that ends the one of this browser. `field` is the token
   * of the form.
   */
  readonly out: (
    request: IncomingMessage,
    operator: Operator,
    field: string | null,
  ) => Promise<Result<string, HttpProblem>>
}

export interface SignInDeps {
  /** The users there are now; the fault is an answer. */
  readonly users: () => Result<Users, HttpProblem>
  readonly usersFile: UsersFile
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly sessions: Sessions
  readonly state: State | null
  readonly proxies: TrustedProxies
  /** Milliseconds of Unix time. */
  readonly now: () => number
  readonly log: Log
  readonly audit: Audit
}

/** More than any password manager makes; a longer text is not worth a hash. */
const MAX_PASSWORD = 1_024

export function createSignIn(deps: SignInDeps): SignIn {
  const { users, usersFile, passwords, attempts, sessions, state, proxies, now, log, audit } = deps
  const tally = createTally(audit)
  const begin = (user: string, epoch: number, address: string, by: string): SignedIn => {
    log.info('signed_in', { user, by, address })
    audit.record({ user, via: by, address, action: 'signed-in' })
    return { user, cookie: sessions.toCookie({ user, issued: now(), seen: now(), epoch }) }
  }
  const refuse = (user: string | null, address: string, by: string): void => {
    log.warn('sign_in_failed', { user, by, address })
    tally('sign-in-failed', { user, via: by, address, action: 'sign-in-failed' })
  }
  return {
    byPassword: async (request, name, password) => {
      const address = proxies.clientAddress(request)
      const { value, fault } = users()
      if (fault !== null) return failed(fault)
      const wait = attempts.take(name, address)
      if (wait > 0) return failed(toLimited(wait))
      const user = value.get(name) ?? null
      const isTooLong = password.length > MAX_PASSWORD
      // An unknown name costs the same work.
      const judged = await passwords.matches(isTooLong ? '' : password, user?.hash ?? null)
      if (judged.fault !== null) {
        attempts.giveBack(name, address)
        return failed(BUSY)
      }
      if (user === null || isTooLong || !judged.value) {
        // People type passwords in the place of names: only names that exist are logged.
        refuse(user?.name ?? null, address, 'password')
        return failed(WRONG_PASSWORD)
      }
      attempts.giveBack(name, address)
      attempts.welcome(name, address)
      return done(begin(user.name, user.epoch, address, 'password'))
    },
    byLink: async (request, token) => {
      const address = proxies.clientAddress(request)
      const wait = attempts.take(null, address)
      if (wait > 0) return failed(toLimited(wait))
      const { value, fault } = users()
      if (fault !== null) return failed(fault)
      if (state !== null && claimLink(state, token, now())) {
        attempts.giveBack(null, address)
        return done(begin(LOCAL_USER, value.get(LOCAL_USER)?.epoch ?? 0, address, 'link'))
      }
      refuse(null, address, 'link')
      return failed(WRONG_LINK)
    },
    out: async (request, { id, via, csrf }, field) => {
      const why = judgeToken(request, csrf, field)
      if (why !== null) return failed(why)
      if (via !== 'session') return done(ENDED_COOKIE)
      const { fault } = await usersFile.change((all) => {
        const user =
          all.get(id) ?? (id === LOCAL_USER ? { name: id, role: 'edit' as const, hash: null } : null)
        return done(user === null ? all : withUser(all, { ...user, epoch: nextEpoch(all.get(id)) }))
      })
      const address = proxies.clientAddress(request)
      if (fault === null) {
        log.info('signed_out', { user: id, address })
        audit.record({ user: id, via, address, action: 'signed-out' })
      } else log.error('sign_out_failed', { user: id, address, reason: fault })
      return fault === null ? done(ENDED_COOKIE) : failed(NOT_SIGNED_OUT)
    },
  }
}

/** RFC 6585, section 4. */
function toLimited(seconds: number): HttpProblem {
  const detail = `Too many attempts to sign in. Try again in ${seconds} seconds.`
  return refusal(429, 'too-many-attempts', detail, { 'retry-after': String(seconds) })
}

const BUSY: HttpProblem = refusal(
  429,
  'sign-in-busy',
  'Too many people sign in at the moment. Try again in a few seconds.',
  { 'retry-after': '3' },
)

const WRONG_PASSWORD: HttpProblem = refusal(401, 'wrong-password', 'The name or the password is wrong.')

const WRONG_LINK: HttpProblem = refusal(
  401,
  'wrong-link',
  `The link was used, or is older than ${LINK_MINUTES} minutes. "menuscript link" prints a new one.`,
)

/** The browser drops the cookie in any case, but a copy of it stays valid. */
const NOT_SIGNED_OUT: HttpProblem = refusal(
  503,
  'not-signed-out',
  'This browser is signed out. Sessions elsewhere go on, because the users file cannot be written.',
  { 'set-cookie': ENDED_COOKIE },
)
