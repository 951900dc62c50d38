import { constants, existsSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { done, failed, type Result } from '../model/result.js'
import { ROLES, type Role } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { isGone, toSignature } from './entry.js'
import { contentHash } from './hash.js'
import { inFolder } from './inside.js'
import { isPasswordHash } from './passwords.js'
import { FileBusyError, putFile } from './publish/atomic-file.js'
import { keepOwner } from './publish/write-file.js'
import { readOpened } from './read-file.js'
import { isReserved, LOCAL_USER, toUserKey, USER_NAME } from './user-names.js'

/** A user of the dashboard. */
export interface User {
  /** As it was added. */
  readonly name: string
  readonly role: Role
  /** A session is valid while it has the epoch of its user. */
  readonly epoch: number
  /** Null for a user who cannot sign in by a password. */
  readonly hash: string | null
}

/** By the keys of their names. */
export type Users = ReadonlyMap<string, User>

/** The users file: a line `NAME ROLE EPOCH HASH` each; blank lines, and lines that begin with `#`, are ignored. */
export interface UsersFile {
  readonly file: string
  /** Its path in a repository, where it is changed; null for a file that the service changes. */
  readonly path: string | null
  /**
   * The users that there are now, none where there is no file. The fault says in one sentence what is wrong, by its line. Users
   * of a repository stay as they last were while there is a fault.
   */
  readonly read: () => Result<Users, string>
  /** What is wrong with the file now, even if earlier users stay; null for nothing. */
  readonly fault: () => UsersFault | null
  /**
   * Reads the users, and writes those that `change` answers; it is asked again when another process wrote in between. The
   * faults are those of both.
   */
  readonly change: (change: (users: Users) => Result<Users, string>) => Promise<Result<Users, string>>
}

export interface UsersFault {
  /** 1 for the file as a whole. */
  readonly line: number
  /** One sentence, with the line and the file. */
  readonly what: string
}

const MAX_BYTES = 1_048_576
/** Milliseconds between two tries to write what another process is writing; fifteen seconds in all. */
const RETRY_MS = 20
const TRIES = 750
const LINE = /^(\S+) (\S+) (\d{1,15}) (\S+)$/
const HEAD = '# NAME ROLE EPOCH HASH; changed by "menuscript user" and the dashboard'

interface Contents {
  readonly version: string
  readonly comments: readonly string[]
  readonly users: Users
}

const NO_CONTENTS: Contents = { version: '', comments: [HEAD], users: new Map() }

/** Milliseconds in which git may not have written all of a file of a repository. */
const SETTLED_MS = 1_000

/** @param path the path of the file in a repository that is checked out; null for a file that the service changes */
export function openUsers(file: string, path: string | null = null): UsersFile {
  let kept: { readonly signature: string; readonly read: Result<Contents, UsersFault> } | null = null
  let lastGood: Users | null = null
  let goneSince: number | null = null
  const isSettling = (since: number): boolean => path !== null && Math.abs(Date.now() - since) < SETTLED_MS
  const readContents = (): Result<Contents, UsersFault> => {
    try {
      const stats = statSync(file)
      goneSince = null
      if (kept !== null && (kept.signature === toSignature(stats) || isSettling(stats.mtimeMs)))
        return kept.read
      const opened = readOpened(openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), MAX_BYTES)
      const read =
        opened.size > MAX_BYTES ? atWhole(`${file} is larger than 1 MB`) : parse(file, opened.bytes)
      kept = { signature: opened.signature, read }
      return read
    } catch (thrown) {
      if (isGone(thrown)) {
        // Git deletes a file before it writes it anew.
        goneSince ??= Date.now()
        if (kept !== null && isSettling(goneSince)) return kept.read
      }
      return isGone(thrown) ? done(NO_CONTENTS) : atWhole(`${file} cannot be read: ${toReason(thrown)}`)
    }
  }
  return {
    ...{ file, path },
    read: () => {
      const { value, fault } = readContents()
      // Any commit may break it, and an operator could not publish until another one is pushed.
      if (fault !== null) return path !== null && lastGood !== null ? done(lastGood) : failed(fault.what)
      lastGood = value.users
      return done(lastGood)
    },
    fault: () => readContents().fault,
    change: async (change) => {
      if (path !== null) return failed(`the users come from ${path} in the repository`)
      try {
        for (let tries = 0; tries < TRIES; tries++) {
          if (tries > 0) await sleep(RETRY_MS)
          const { value: before, fault } = readContents()
          if (fault !== null) return failed(fault.what)
          const changed = change(before.users)
          if (changed.fault !== null || write(file, before, changed.value)) return changed
        }
        return failed(`${file} cannot be written: other processes keep changing it`)
      } catch (thrown) {
        return failed(`${file} cannot be written: ${toReason(thrown)}`)
      }
    },
  }
}

/** The users with one more, or with one in the place of that name. */
export function withUser(users: Users, user: User): Users {
  return new Map([...users, [toUserKey(user.name), user]])
}

/** An epoch beyond all that a user of this name ever had, so that no old session is valid again. */
export function nextEpoch(user: User | undefined): number {
  return Math.max((user?.epoch ?? 0) + 1, Date.now())
}

/** The line of a user in a users file. */
export function toLine({ name, role, epoch, hash }: User): string {
  return `${name} ${role} ${epoch} ${hash ?? '-'}`
}

function atWhole(what: string): Result<never, UsersFault> {
  return failed({ line: 1, what })
}

function parse(file: string, bytes: Uint8Array): Result<Contents, UsersFault> {
  const users = new Map<string, User>()
  const comments: string[] = []
  for (const [place, line] of Buffer.from(bytes).toString('utf8').split(/\r?\n/).entries()) {
    if (line.startsWith('#')) comments.push(line)
    if (line.trim() === '' || line.startsWith('#')) continue
    const user = parseLine(line)
    // The line itself may hold a hash, or a password written there by mistake.
    const fail = (what: string): Result<never, UsersFault> =>
      failed({ line: place + 1, what: `line ${place + 1} of ${file} ${what}` })
    if (user === null) return fail('is not "NAME ROLE EPOCH HASH"')
    const key = toUserKey(user.name)
    if (users.has(key)) return fail('has the name of another line, in any case')
    // The user of one-time links is in the file for their epoch alone.
    if (isReserved(key) && (key !== LOCAL_USER || user.hash !== null || user.role === 'manage'))
      return fail('has a reserved name')
    users.set(key, user)
  }
  return done({ version: contentHash(bytes), comments, users })
}

function parseLine(line: string): User | null {
  const [, name = '', role, epoch, hash = ''] = LINE.exec(line) ?? []
  if (!USER_NAME.test(name) || !ROLES.some((each) => each === role)) return null
  if (hash !== '-' && !isPasswordHash(hash)) return null
  return { name, role: role as Role, epoch: Number(epoch), hash: hash === '-' ? null : hash }
}

/** Whether the file was still as it had been read, and was written. */
function write(file: string, before: Contents, users: Users): boolean {
  const lines = [...users.values()].map(toLine)
  const text = `${[...before.comments, ...lines].join('\n')}\n`
  const isNew = before.version === ''
  const real = isNew ? file : realpathSync.native(file)
  return inFolder(dirname(real), '', (at) => {
    const name = basename(real)
    const isMeant = (aside: string): boolean => {
      // Root may change the file of a service that is not root's.
      const { uid, gid } = statSync(at(isNew ? '.' : name))
      keepOwner(aside, uid, gid)
      if (isNew) return !existsSync(at(name))
      return contentHash(readOpened(openSync(at(name), 'r'), MAX_BYTES).bytes) === before.version
    }
    try {
      return putFile(at, name, { text, mode: 0o600 }, isMeant)
    } catch (thrown) {
      if (thrown instanceof FileBusyError) return false
      throw thrown
    }
  })
}
