import type { IncomingMessage } from 'node:http'
import { done, failed, type Result } from '../../model/result.js'
import { ROLES, type Role } from '../../service/hooks.js'
import type { AuditAction } from '../../store/audit.js'
import { createPasswordLink, withPasswordLinks } from '../../store/one-time-links.js'
import {
  type AccountFault,
  addAccount,
  changeUsers,
  endSessions,
  peopleIn,
  removeAccount,
  setRole,
} from '../../store/user-accounts.js'
import { toUserKey } from '../../store/user-names.js'
import type { Users } from '../../store/users.js'
import { Refusal } from '../refusal.js'
import { NO_MANAGER, needRole, type Operator } from './operator.js'
import { type SignInDeps, toUnwritten } from './sign-in.js'

/** A user, as managers see them. */
export interface Account {
  readonly key: string
  readonly name: string
  readonly role: Role
  readonly hasPassword: boolean
  /** Whether a link lets them set a password. */
  readonly hasLink: boolean
}

/** What a manager does to a user. */
export interface AccountWish {
  readonly deed: AccountDeed
  readonly name: string
  /** That of a new user, or the new one. */
  readonly role: string
}

export type AccountDeed = 'add' | 'role' | 'link' | 'sessions' | 'remove'
/** `self`: managers neither demote nor remove themselves, so there is always one. `elsewhere`: users come from a repository. */
export type AccountRefusal = AccountFault | 'self' | 'too-many' | 'bad-role' | 'elsewhere'

/** What managers do with users, as `menuscript user` does. Throws a Refusal for anyone else. */
export interface Accounts {
  /** The path in the repository where users are changed; null where they are changed here. */
  readonly path: string | null
  readonly list: () => readonly Account[]
  /** Gives the address of the page where the user sets a password, after `add` and `link`; else null. */
  readonly change: (
    request: IncomingMessage,
    operator: Operator,
    wish: AccountWish,
  ) => Promise<Result<string | null, AccountRefusal>>
}

/** The page where a user sets a password, below the prefix of the dashboard. */
export const PASSWORD_PATH = '/password'
/** Users up to which the page adds one. */
export const MAX_USERS = 1_000

const ACTIONS: Readonly<Record<AccountDeed, AuditAction>> = {
  ...{ add: 'user-added', role: 'role-changed', link: 'password-link-created' },
  ...{ sessions: 'sessions-ended', remove: 'user-removed' },
}

export function createAccounts(deps: SignInDeps, home: string): Accounts {
  const { hostOf, users, usersFile, state, now, log, audit } = deps
  const record = (operator: Operator, action: AuditAction, account: string, more: object = {}): void => {
    const { id: user, via, address } = operator
    log.info('user_managed', { user, address, action, account })
    audit.record({ user, via, address, action, account, ...more })
  }
  return {
    path: usersFile.path,
    list: () => {
      const all = users()
      const withLinks = state === null ? new Set() : withPasswordLinks(state, all, now())
      return peopleIn(all)
        .map((user) => ({
          key: toUserKey(user.name),
          name: user.name,
          role: user.role,
          hasPassword: user.hash !== null,
          hasLink: withLinks.has(user),
        }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    change: async (request, operator, { deed, name, role: wanted }) => {
      const host = hostOf(request)
      needRole(operator, 'manage')
      if (usersFile.path !== null) return failed('elsewhere')
      if (state === null) throw new Refusal('not-written')
      const account = toUserKey(name)
      const role = ROLES.find((each) => each === wanted)
      const { value, fault } = await changeUsers<AccountRefusal | 'demoted'>(usersFile, (all) => {
        // Two managers may demote each other at the same time; the role of others is in their session.
        if (operator.via === 'session' && all.get(operator.id)?.role !== 'manage') return failed('demoted')
        if (operator.id === account && (deed === 'role' || deed === 'remove')) return failed('self')
        if (role === undefined && (deed === 'add' || deed === 'role')) return failed('bad-role')
        return toUsers(all, deed, name, role ?? 'view')
      })
      if (fault?.reason === 'demoted') throw new Refusal(NO_MANAGER)
      if (fault?.reason != null) return failed(fault.reason)
      if (fault !== null) throw toUnwritten(log, fault.what)
      record(operator, ACTIONS[deed], account, deed === 'add' || deed === 'role' ? { role } : {})
      const user = value.get(account)
      if (user === undefined || (deed !== 'add' && deed !== 'link')) return done(null)
      const token = createPasswordLink(state, user, now())
      if (deed === 'add') record(operator, ACTIONS.link, account)
      const scheme = host.isHttps ? 'https' : 'http'
      return done(`${scheme}://${host.host}${home}${PASSWORD_PATH}?link=${token}`)
    },
  }
}

function toUsers(users: Users, deed: AccountDeed, name: string, role: Role): Result<Users, AccountRefusal> {
  switch (deed) {
    case 'add':
      if (peopleIn(users).length >= MAX_USERS) return failed('too-many')
      return addAccount(users, { name, role, hash: null })
    case 'role':
      return setRole(users, name, role)
    case 'link':
      return users.has(toUserKey(name)) ? done(users) : failed('missing')
    case 'sessions':
      return endSessions(users, name)
    case 'remove':
      return removeAccount(users, name)
  }
}
