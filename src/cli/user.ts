import { dirname } from 'node:path'
import { toNearest } from '../document/did-you-mean.js'
import { done, failed, type Result } from '../model/result.js'
import { refuse } from '../review/refusal.js'
import type { Site } from '../review/site.js'
import { toTable } from '../review/table.js'
import type { Role } from '../service/hooks.js'
import { type LogFields, SILENT_LOG } from '../service/log.js'
import { type AuditAction, commandUser, openAudit } from '../store/audit.js'
import { createPasswords } from '../store/passwords.js'
import { openState } from '../store/state.js'
import { isReserved, toUserKey, USER_NAME } from '../store/user-names.js'
import { nextEpoch, openUsers, type User, type Users, type UsersFile, withUser } from '../store/users.js'
import { type CommandContext, type Flags, needConfig, note, print } from './command.js'
import { readPassword } from './password.js'

/** `menuscript user add`: adds a user with a password. */
export async function addUser(
  context: CommandContext,
  flags: Flags<'passwordStdin', 'role'>,
  name: string,
): Promise<undefined> {
  if (!USER_NAME.test(name)) {
    const rule = 'up to 64 letters, digits and . _ @ + -, with a letter or a digit first'
    refuse('usage', `${JSON.stringify(name)} cannot be the name of a user: ${rule}`)
  }
  if (isReserved(name)) refuse('usage', `${name} is reserved; choose another name`)
  const role = flags.role as Role
  const before = await edit(context, flags, name, {
    action: 'user-added',
    refusal: whyTaken,
    isFromInput: flags.passwordStdin,
    toUsers: (users, hash) => withUser(users, { name, role, epoch: nextEpoch(undefined), hash }),
  })
  context.terminal.out(`added ${name}, role ${role}`)
  if (![...before.values()].some((each) => each.hash !== null))
    note(context, 'this is the first user: restart a service that started without a login')
}

/** `menuscript user passwd`: changes the password of a user, which ends all sessions of theirs. */
export async function changePassword(
  context: CommandContext,
  flags: Flags<'passwordStdin'>,
  name: string,
): Promise<undefined> {
  await edit(context, flags, name, {
    action: 'password-changed',
    refusal: whyMissing,
    isFromInput: flags.passwordStdin,
    toUsers: (users, hash) => {
      const user = users.get(toUserKey(name))
      return user === undefined ? users : withUser(users, { ...user, hash, epoch: nextEpoch(user) })
    },
  })
  context.terminal.out(`changed the password of ${name}`)
}

/** `menuscript user remove`: removes a user, which ends all sessions of theirs. */
export async function removeUser(context: CommandContext, flags: Flags, name: string): Promise<undefined> {
  await edit(context, flags, name, {
    action: 'user-removed',
    refusal: whyMissing,
    isFromInput: null,
    toUsers: (users) => new Map([...users].filter(([key]) => key !== toUserKey(name))),
  })
  context.terminal.out(`removed ${name}`)
}

/** `menuscript user list`: prints the users with their roles. */
export async function listUsers(context: CommandContext, flags: Flags<'json'>): Promise<undefined> {
  const file = openUsers((await needConfig(context, flags)).usersFile)
  const users = peopleIn(needUsers(file)).map(({ name, role }) => ({ name, role }))
  if (flags.json || users.length > 0)
    print(context, flags.json, { file: file.file, users }, () =>
      toTable([['NAME', 'ROLE'], ...users.map(({ name, role }) => [name, role])]).join('\n'),
    )
  if (users.length === 0) note(context, 'there is no user; add one with menuscript user add')
}

/** The users without the one of one-time links, who is in the file for their epoch alone. */
function peopleIn(users: Users): readonly User[] {
  return [...users.values()].filter(({ name }) => !isReserved(name))
}

interface Edit {
  readonly action: AuditAction
  /** Why a user of this name cannot be edited so; null where that is possible. */
  readonly refusal: (users: Users, name: string) => string | null
  /** Where a new password comes from: standard input or the terminal; null where none is needed. */
  readonly isFromInput: boolean | null
  readonly toUsers: (users: Users, hash: string) => Users
}

/** Edits the users, and records whose account it was; gives the users before. */
async function edit(
  context: CommandContext,
  flags: Flags,
  name: string,
  { action, refusal, isFromInput, toUsers }: Edit,
): Promise<Users> {
  const site = await needConfig(context, flags)
  const file = openUsers(site.usersFile)
  const before = needUsers(file)
  const early = refusal(before, name)
  if (early !== null) refuse('findings', early)
  const hash = isFromInput === null ? '' : await hashNew(isFromInput)
  if (action === 'user-added') makeFolder(site)
  // Another process may have changed them meanwhile.
  let late: string | null = null
  const { fault } = await file.change((users): Result<Users, string> => {
    late = refusal(users, name)
    return late === null ? done(toUsers(users, hash)) : failed(late)
  })
  if (fault !== null) refuse(late === null ? 'configuration' : 'findings', fault)
  record(context, site, action, name)
  return before
}

function whyTaken(users: Users, name: string): string | null {
  const taken = users.get(toUserKey(name))
  return taken === undefined
    ? null
    : `${taken.name} already exists; menuscript user passwd changes the password`
}

function whyMissing(users: Users, name: string): string | null {
  if (users.has(toUserKey(name)) && !isReserved(name)) return null
  const meant = toNearest(
    name,
    peopleIn(users).map((user) => user.name),
  )
  return `${JSON.stringify(name)} is not a user${meant === null ? '' : `; did you mean ${meant}?`}`
}

function needUsers(file: UsersFile): Users {
  const { value, fault } = file.read()
  return fault === null ? value : refuse('configuration', fault)
}

async function hashNew(isFromInput: boolean): Promise<string> {
  const password = await readPassword(isFromInput)
  const { value, fault } = await createPasswords(SILENT_LOG).hash(password)
  return fault === null ? value : refuse('bug', fault)
}

/** The folder of the users file, where it is the state folder. */
function makeFolder({ usersFile, stateFolder, menusFolder }: Site): void {
  if (dirname(usersFile) !== stateFolder) return
  const { fault } = openState(stateFolder, menusFolder)
  if (fault !== null) refuse('configuration', fault)
}

/** Records in the audit log whose account was changed. */
function record(
  context: CommandContext,
  { stateFolder, menusFolder }: Site,
  action: AuditAction,
  account: string,
): void {
  const report = (reason: unknown): void => note(context, `this is missing from the audit log: ${reason}`)
  const { value: state, fault } = openState(stateFolder, menusFolder)
  const log = { ...SILENT_LOG, error: (_: string, fields?: LogFields) => report(fields?.['reason']) }
  if (fault !== null) report(fault)
  else openAudit(state.dir, log).record({ ...commandUser(), action, account: toUserKey(account) })
}
