import { dirname } from 'node:path'
import { toNearest } from '../document/did-you-mean.js'
import type { Result } from '../model/result.js'
import { refuse } from '../review/refusal.js'
import type { Site } from '../review/site.js'
import { toTable } from '../review/table.js'
import type { Role } from '../service/hooks.js'
import { type LogFields, SILENT_LOG } from '../service/log.js'
import { type AuditAction, commandUser, openAudit } from '../store/audit.js'
import { createPasswords } from '../store/passwords.js'
import { openState } from '../store/state.js'
import {
  type AccountFault,
  addAccount,
  changeUsers,
  endSessions,
  peopleIn,
  removeAccount,
} from '../store/user-accounts.js'
import { toUserKey } from '../store/user-names.js'
import { openUsers, toLine, type Users, type UsersFile } from '../store/users.js'
import { type CommandContext, type Flags, needConfig, note, print } from './command.js'
import { readPassword } from './password.js'

/** `menuscript user add`: adds a user with a password. */
export async function addUser(
  context: CommandContext,
  flags: Flags<'passwordStdin', 'role'>,
  name: string,
): Promise<undefined> {
  const role = flags.role as Role
  const before = await edit(context, flags, name, {
    action: 'user-added',
    isFromInput: flags.passwordStdin,
    toUsers: (users, hash) => addAccount(users, { name, role, hash }),
  })
  if (before === null) return
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
  const before = await edit(context, flags, name, {
    action: 'password-changed',
    isFromInput: flags.passwordStdin,
    toUsers: (users, hash) => endSessions(users, name, hash),
  })
  if (before !== null) context.terminal.out(`changed the password of ${name}`)
}

/** `menuscript user remove`: removes a user, which ends all sessions of theirs. */
export async function removeUser(context: CommandContext, flags: Flags, name: string): Promise<undefined> {
  await edit(context, flags, name, {
    action: 'user-removed',
    isFromInput: null,
    toUsers: (users) => removeAccount(users, name),
  })
  context.terminal.out(`removed ${name}`)
}

/** `menuscript user list`: prints the users with their roles. */
export async function listUsers(context: CommandContext, flags: Flags<'json'>): Promise<undefined> {
  const file = openUsersOf(await needConfig(context, flags))
  const users = peopleIn(needUsers(file)).map(({ name, role }) => ({ name, role }))
  if (flags.json || users.length > 0)
    print(context, flags.json, { file: file.file, users }, () =>
      toTable([['NAME', 'ROLE'], ...users.map(({ name, role }) => [name, role])]).join('\n'),
    )
  if (users.length === 0) note(context, 'there is no user; add one with menuscript user add')
}

interface Edit {
  readonly action: AuditAction
  /** Where a new password comes from: standard input or the terminal; null where none is needed. */
  readonly isFromInput: boolean | null
  readonly toUsers: (users: Users, hash: string) => Result<Users, AccountFault>
}

/**
 * Edits the users, and records whose account it was; gives the users before. Null where they come from a repository: it prints
 * the line that has to be committed there.
 */
async function edit(
  context: CommandContext,
  flags: Flags,
  name: string,
  { action, isFromInput, toUsers }: Edit,
): Promise<Users | null> {
  const site = await needConfig(context, flags)
  const file = openUsersOf(site)
  const before = needUsers(file)
  const refuseIf = (reason: AccountFault | null): void => {
    if (reason !== null) refuse(...toReasons(before, name)[reason])
  }
  refuseIf(toUsers(before, '').fault)
  const hash = isFromInput === null ? '' : await hashNew(isFromInput)
  if (file.path !== null) {
    const user = toUsers(before, hash).value?.get(toUserKey(name))
    if (user === undefined)
      return refuse(
        'findings',
        `users come from the repository: delete the line of ${name} from ${file.path}`,
      )
    context.terminal.out(toLine(user))
    note(context, `users come from the repository: commit this line to ${file.path}`)
    return null
  }
  if (action === 'user-added') makeFolder(site)
  // Another process may have changed them meanwhile.
  const { fault } = await changeUsers(file, (users) => toUsers(users, hash))
  refuseIf(fault?.reason ?? null)
  if (fault !== null) refuse('configuration', fault.what)
  record(context, site, action, name)
  return before
}

/** What is wrong with a name, by the reason: whether the command was wrong, and the sentence. */
function toReasons(
  users: Users,
  name: string,
): Readonly<Record<AccountFault, readonly ['usage' | 'findings', string]>> {
  const quoted = JSON.stringify(name)
  const rule = 'up to 64 letters, digits and . _ @ + -, with a letter or a digit first'
  const taken = users.get(toUserKey(name))?.name ?? name
  const known = peopleIn(users).map((user) => user.name)
  const meant = toNearest(name, known)
  return {
    'bad-name': ['usage', `${quoted} cannot be the name of a user: ${rule}`],
    reserved: ['usage', `${name} is reserved; choose another name`],
    taken: ['findings', `${taken} already exists; menuscript user passwd changes the password`],
    missing: ['findings', `${quoted} is not a user${meant === null ? '' : `; did you mean ${meant}?`}`],
  }
}

function openUsersOf({ usersFile, usersPath }: Site): UsersFile {
  return openUsers(usersFile, usersPath)
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
