import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { isGone } from './entry.js'
import { inFolder } from './inside.js'
import { isValidAt } from './lifetime.js'
import type { State } from './state.js'

/** Minutes for which a one-time link is valid. */
export const LINK_MINUTES = 15
const LINK_MS = LINK_MINUTES * 60_000

const FOLDER = 'links'
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * Makes the token of a one-time link. Only its hash is kept, as the name of a file in the state folder, with the time of its
 * end, so reading the folder lets no one sign in. `now` is in milliseconds of Unix time. Throws file system errors.
 */
export function createLink(state: State, now: number): string {
  const token = randomBytes(32).toString('base64url')
  state.write(`${FOLDER}/${toName(token)}`, String(now + LINK_MS))
  inFolder(state.dir, FOLDER, (at) => {
    for (const name of readdirSync(at('.')))
      if (!name.startsWith('.') && !isValid(readEnd(at(name)), now)) remove(at(name))
  })
  return token
}

/** Whether a token is that of a link; then it is used up: for one caller alone, of all processes. Throws file system errors. */
export function claimLink(state: State, token: string, now: number): boolean {
  if (!TOKEN.test(token)) return false
  try {
    return inFolder(state.dir, FOLDER, (at) => {
      const place = at(toName(token))
      const end = readEnd(place)
      return remove(place) && isValid(end, now)
    })
  } catch (thrown) {
    if (isGone(thrown)) return false
    throw thrown
  }
}

function toName(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isValid(end: number, now: number): boolean {
  return isValidAt(now, end - LINK_MS, LINK_MS)
}

/** When a link ends; not a number where that cannot be read. */
function readEnd(place: string): number {
  try {
    return Number(readFileSync(place, 'utf8') || Number.NaN)
  } catch {
    return Number.NaN
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
