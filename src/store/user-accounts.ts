import { done, failed, type Result } from '../model/result.js'
import type { Role } from '../service/hooks.js'
import { isReserved, toUserKey, USER_NAME } from './user-names.js'
import { nextEpoch, type User, type Users, type UsersFile, withUser } from './users.js'

/** Why users cannot be changed as somebody wants: the name of a new one, or who is meant. */
export type AccountFault = 'bad-name' | 'reserved' | 'taken' | 'missing'

/** Adds a user, who cannot sign in by a password where `hash` is null. */
export function addAccount(
  users: Users,
  { name, role, hash }: Pick<User, 'name' | 'role' | 'hash'>,
): Result<Users, AccountFault> {
  if (!USER_NAME.test(name)) return failed('bad-name')
  if (isReserved(name)) return failed('reserved')
  if (users.has(toUserKey(name))) return failed('taken')
  return done(withUser(users, { name, role, epoch: nextEpoch(undefined), hash }))
}

/** Gives a user another role. */
export function setRole(users: Users, name: string, role: Role): Result<Users, AccountFault> {
  return changeAccount(users, name, (user) => ({ ...user, role }))
}

/** Ends all sessions of a user; with a `hash`, by a new password. */
export function endSessions(users: Users, name: string, hash?: string): Result<Users, AccountFault> {
  return changeAccount(users, name, (user) => ({
    ...user,
    epoch: nextEpoch(user),
    ...(hash !== undefined && { hash }),
  }))
}

export function removeAccount(users: Users, name: string): Result<Users, AccountFault> {
  return changeAccount(users, name, () => null)
}

/** The users without the one of one-time links, who is in the file for their epoch alone. */
export function peopleIn(users: Users): readonly User[] {
  return [...users.values()].filter(({ name }) => !isReserved(name))
}

/** Changes a users file, and tells a fault of the change, by its reason, from one of the file, in a sentence. */
export async function changeUsers<Reason extends string>(
  file: UsersFile,
  change: (users: Users) => Result<Users, Reason>,
): Promise<Result<Users, { readonly reason: Reason | null; readonly what: string }>> {
  let reason: Reason | null = null
  const { value, fault } = await file.change((users) => {
    const changed = change(users)
    reason = changed.fault
    return changed
  })
  return fault === null ? done(value) : failed({ reason, what: fault })
}

function changeAccount(
  users: Users,
  name: string,
  change: (user: User) => User | null,
): Result<Users, AccountFault> {
  const key = toUserKey(name)
  const user = users.get(key)
  if (user === undefined || isReserved(key)) return failed('missing')
  const changed = change(user)
  return done(changed ? withUser(users, changed) : new Map([...users].filter(([each]) => each !== key)))
}
