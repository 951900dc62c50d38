import { dirname } from 'node:path'
import { toNearest } from '../document/nearest.js'
import { done, failed, type Result } from '../model/result.js'
import type { Site } from '../review/site.js'
import { toTable } from '../review/table.js'
import type { Role } from '../service/hooks.js'
import { type LogFields, SILENT_LOG } from '../service/log.js'
import { type AuditAction, commandUser, openAudit } from '../store/audit.js'
import { createPasswords } from '../store/passwords.js'
import { openState } from '../store/state.js'
import {
  nextEpoch,
  openUsers,
  RESERVED_NAMES,
  USER_NAME,
  type User,
  type Users,
  type UsersFile,
  withUser,
} from '../store/users.js'
import { type CommandContext, type Flags, fail, needConfig, note, print } from './command.js'
import { EXIT } from './exit-codes.js'
import { readPassword } from './password.js'

/** `menuscript user add`: adds a user with a password. */
export async function addUser(
  context: CommandContext,
  flags: Flags<'passwordStdin', 'role'>,
  name: string,
): Promise<number> {
  if (!USER_NAME.test(name)) {
    const rule = 'up to 64 letters, digits and . _ @ + -, with a letter or a digit first'
    fail(context, EXIT.usage, `${JSON.stringify(name)} cannot be the name of a user: ${rule}`)
  }
  if (RESERVED_NAMES.includes(name.toLowerCase()))
    fail(context, EXIT.usage, `${name} names somebody else in the log; choose another name`)
  const site = await needConfig(context, flags)
  const file = openUsers(site.usersFile)
  const before = needUsers(context, file)
  need(context, whyTaken(before, name))
  const hash = await hashNew(context, flags.passwordStdin)
  makeFolder(context, site)
  const user: User = { name, role: flags.role as Role, epoch: nextEpoch(undefined), hash }
  await change(context, file, (users) => whyTaken(users, name) ?? withUser(users, user))
  record(context, site, 'user-added', name)
  context.terminal.out(`added ${name}, role ${user.role}`)
  if (![...before.values()].some((each) => each.hash !== null))
    note(context, 'this is the first user: restart a service that started without a login')
  return EXIT.fine
}

/** `menuscript user passwd`: changes the password of a user, which ends all sessions of theirs. */
export async function changePassword(
  context: CommandContext,
  flags: Flags<'passwordStdin'>,
  name: string,
): Promise<number> {
  const site = await needConfig(context, flags)
  const file = openUsers(site.usersFile)
  need(context, whyMissing(needUsers(context, file), name))
  const hash = await hashNew(context, flags.passwordStdin)
  await change(context, file, (users) => {
    const user = users.get(name)
    return user === undefined
      ? (whyMissing(users, name) ?? users)
      : withUser(users, { ...user, hash, epoch: nextEpoch(user) })
  })
  record(context, site, 'password-changed', name)
  context.terminal.out(`changed the password of ${name}`)
  return EXIT.fine
}

/** `menuscript user remove`: removes a user, which ends all sessions of theirs. */
export async function removeUser(context: CommandContext, flags: Flags, name: string): Promise<number> {
  const site = await needConfig(context, flags)
  const file = openUsers(site.usersFile)
  need(context, whyMissing(needUsers(context, file), name))
  await change(
    context,
    file,
    (users) => whyMissing(users, name) ?? new Map([...users].filter(([each]) => each !== name)),
  )
  record(context, site, 'user-removed', name)
  context.terminal.out(`removed ${name}`)
  return EXIT.fine
}

/** `menuscript user list`: prints the users with their roles. */
export async function listUsers(context: CommandContext, flags: Flags<'json'>): Promise<number> {
  const file = openUsers((await needConfig(context, flags)).usersFile)
  const users = peopleIn(needUsers(context, file)).map(({ name, role }) => ({ name, role }))
  if (flags.json || users.length > 0)
    print(context, flags.json, { file: file.file, users }, () =>
      toTable([['NAME', 'ROLE'], ...users.map(({ name, role }) => [name, role])]).join('\n'),
    )
  if (users.length === 0) note(context, 'there is no user; add one with menuscript user add')
  return EXIT.fine
}

/** The users without the one of one-time links, who is in the file for their epoch alone. */
function peopleIn(users: Users): readonly User[] {
  return [...users.values()].filter(({ name }) => !RESERVED_NAMES.includes(name))
}

/** A sentence in place of a value says why there is none. */
function whyTaken(users: Users, name: string): string | null {
  const taken = [...users.keys()].find((each) => each.toLowerCase() === name.toLowerCase())
  return taken === undefined
    ? null
    : `${taken} is a user already; menuscript user passwd changes the password`
}

function whyMissing(users: Users, name: string): string | null {
  const names = peopleIn(users).map((user) => user.name)
  if (names.includes(name)) return null
  const meant = toNearest(name, names)
  return `${JSON.stringify(name)} is not a user${meant === null ? '' : `; did you mean ${meant}?`}`
}

function need(context: CommandContext, why: string | null): void {
  if (why !== null) fail(context, EXIT.findings, why)
}

function needUsers(context: CommandContext, file: UsersFile): Users {
  const { value, fault } = file.read()
  return fault === null ? value : fail(context, EXIT.configuration, fault)
}

async function hashNew(context: CommandContext, isFromInput: boolean): Promise<string> {
  const password = await readPassword(context, isFromInput)
  const { value, fault } = await createPasswords(SILENT_LOG).hash(password)
  return fault === null ? value : fail(context, EXIT.bug, fault)
}

/** The folder of the users file, where it is the state folder. */
function makeFolder(context: CommandContext, { usersFile, stateFolder, menusFolder }: Site): void {
  if (dirname(usersFile) !== stateFolder) return
  const { fault } = openState(stateFolder, menusFolder)
  if (fault !== null) fail(context, EXIT.configuration, fault)
}

/** Records in the audit log whose account was changed. */
function record(
  context: CommandContext,
  { stateFolder, menusFolder }: Site,
  action: AuditAction,
  account: string,
): void {
  const report = (reason: unknown): void => note(context, `the audit log has no line of this: ${reason}`)
  const { value: state, fault } = openState(stateFolder, menusFolder)
  const log = { ...SILENT_LOG, error: (_: string, fields?: LogFields) => report(fields?.['reason']) }
  if (fault !== null) report(fault)
  else openAudit(state.dir, log).record({ ...commandUser(), action, account })
}

/** Changes the users; a sentence is why they cannot be, as another process may have changed them. */
async function change(
  context: CommandContext,
  file: UsersFile,
  toUsers: (users: Users) => Users | string,
): Promise<void> {
  let why: string | null = null
  const { fault } = await file.change((users): Result<Users, string> => {
    const changed = toUsers(users)
    if (typeof changed !== 'string') return done(changed)
    why = changed
    return failed(changed)
  })
  need(context, why)
  if (fault !== null) fail(context, EXIT.configuration, fault)
}
