import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { isGone } from './entry.js'
import { contentHash } from './hash.js'
import { inFolder } from './inside.js'
import { isValidAt } from './lifetime.js'
import type { State } from './state.js'
import { toUserKey } from './user-names.js'
import type { User, Users } from './users.js'

/** Minutes for which a one-time link is valid. */
export const LINK_MINUTES = 15
/** Hours for which the link is valid that leads a user to a new password. */
export const PASSWORD_LINK_HOURS = 24

/** What links are for: where they are kept, and for how many milliseconds. */
interface LinkKind {
  readonly folder: string
  readonly lifetime: number
}

const SIGN_IN: LinkKind = { folder: 'links', lifetime: LINK_MINUTES * 60_000 }
const PASSWORD: LinkKind = { folder: 'password-links', lifetime: PASSWORD_LINK_HOURS * 3_600_000 }

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * Makes the token of a one-time link. Only its hash is kept, as the name of a file in the state folder, with the time of its
 * end, so reading the folder lets no one sign in. `name` is that of the person whom it signs in; `''` is the user `local`.
 * `now` is in milliseconds of Unix time. Throws file system errors.
 */
export function createLink(state: State, now: number, name: string = ''): string {
  return create(state, SIGN_IN, name, now)
}

/** Makes the token of the link by which a user sets a password, the only one of that user: their earlier ones are removed. */
export function createPasswordLink(state: State, user: User, now: number): string {
  return create(state, PASSWORD, toSubject(user), now)
}

/** Whom a token lets set a password; null for none. A link ends when the password of its user changes. */
export function findPasswordLink(state: State, token: string, users: Users, now: number): User | null {
  if (!TOKEN.test(token)) return null
  const subject = validLinks(state, PASSWORD, [toName(token)], now)[0]
  const user = users.get(subject?.split(' ')[0] ?? '')
  return user !== undefined && toSubject(user) === subject ? user : null
}

/** Of which users a link to a new password is valid. */
export function withPasswordLinks(state: State, users: Users, now: number): ReadonlySet<User> {
  const subjects = new Set(validLinks(state, PASSWORD, null, now))
  return new Set([...users.values()].filter((user) => subjects.has(toSubject(user))))
}

function create(state: State, { folder, lifetime }: LinkKind, subject: string, now: number): string {
  const token = randomBytes(32).toString('base64url')
  const own = toName(token)
  state.write(`${folder}/${own}`, `${now + lifetime} ${subject}`.trim())
  inFolder(state.dir, folder, (at) => {
    for (const name of readdirSync(at('.'))) {
      if (name.startsWith('.') || name === own) continue
      const link = readLink(at(name))
      const isReplaced = folder === PASSWORD.folder && link.subject.split(' ')[0] === subject.split(' ')[0]
      if (isReplaced || !isValid(link.end, now, lifetime)) remove(at(name))
    }
  })
  return token
}

/** The subjects of the links of these names that are valid; null means all. */
function validLinks(
  state: State,
  { folder, lifetime }: LinkKind,
  names: readonly string[] | null,
  now: number,
): readonly string[] {
  try {
    return inFolder(state.dir, folder, (at) =>
      (names ?? readdirSync(at('.')))
        .map((name) => readLink(at(name)))
        .filter(({ end }) => isValid(end, now, lifetime))
        .map(({ subject }) => subject),
    )
  } catch (thrown) {
    if (isGone(thrown)) return []
    throw thrown
  }
}

/** A user with the password of now: once it is another one, or the user is somebody else, that is no longer the subject. */
function toSubject({ name, hash }: User): string {
  return `${toUserKey(name)} ${contentHash(hash ?? '')}`
}

/**
 * The name of the person whom the link with a token signs in; null where it is none. Then it is used up: for one caller alone, of
 * all processes. Throws file system errors.
 */
export function takeLink(state: State, token: string, now: number): string | null {
  if (!TOKEN.test(token)) return null
  try {
    return inFolder(state.dir, SIGN_IN.folder, (at) => {
      const place = at(toName(token))
      const { end, subject } = readLink(place)
      return remove(place) && isValid(end, now, SIGN_IN.lifetime) ? subject : null
    })
  } catch (thrown) {
    if (isGone(thrown)) return null
    throw thrown
  }
}

/** Since when sessions by links with this name are valid, as it was signed out: they are in no users file. */
export function linkEpoch({ dir }: State, user: string): number {
  try {
    return inFolder(dir, ENDED, (at) => Number(readFileSync(at(toName(user)), 'utf8')))
  } catch (thrown) {
    if (isGone(thrown)) return 0
    throw thrown
  }
}

/** Ends all sessions by links with this name. */
export function endLinkSessions(state: State, user: string, now: number): void {
  state.write(`${ENDED}/${toName(user)}`, String(Math.max(now, linkEpoch(state, user) + 1)))
}

const ENDED = 'ended-links'

function toName(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isValid(end: number, now: number, lifetime: number): boolean {
  return isValidAt(now, end - lifetime, lifetime)
}

/** When a link ends, not a number where that cannot be read, and for whom it is. */
function readLink(place: string): { readonly end: number; readonly subject: string } {
  try {
    const [, end, subject = ''] = /^(\d+)(?: (.*))?$/.exec(readFileSync(place, 'utf8')) ?? []
    return { end: Number(end ?? Number.NaN), subject }
  } catch {
    return { end: Number.NaN, subject: '' }
  }
}

/** Whether this call removed a file: of several at once, one does. */
function remove(place: string): boolean {
  try {
    unlinkSync(place)
    return true
  } catch (thrown) {
    if (isGone(thrown)) return false
    throw thrown
  }
}
