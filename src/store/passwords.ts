import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { failed, type Result } from '../model/result.js'
import type { Log } from '../service/log.js'
import { createBoundedTurns } from './turns.js'

/**
 * Computes the hashes of passwords: two at a time, because each takes one of the four threads that also read files; ten
 * more wait for some seconds, and any other is answered `busy`.
 */
export interface Passwords {
  /** A new hash, as the users file holds it. */
  readonly hash: (password: string) => Promise<Result<string, 'busy'>>
  /** Whether a password has this hash. Without a hash it has not, and the work is the same. */
  readonly matches: (
    password: string,
    hash: string | null,
    shares?: readonly Share[],
  ) => Promise<Result<boolean, 'busy'>>
}

/** A group of attempts, such as those of one account. At most `most` of them run at a time; the next gets `busy`. */
export interface Share {
  readonly key: string
  readonly most: number
}

const AT_ONCE = 2
const MAX_WAITING = 10
/** Milliseconds for which one waits; a server cuts off those who get no answer for three times as long. */
const PATIENCE_MS = 5_000
const SALT_BYTES = 16
const KEY_BYTES = 32
/** What one hash may take, in bytes: four times what ours take. */
const MAX_MEMORY = 64 * 1_048_576

/** The cost of a hash (RFC 7914): N is 2^ln. */
interface Cost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { ln: 14, r: 8, p: 5 }
/** In the PHC string format, which others read as well. */
const HASH = /^\$scrypt\$ln=(1[0-5]),r=([1-9]),p=([1-9]\d?)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Characters; longer ones are worth more than odd ones (NIST SP 800-63B). */
export const MIN_PASSWORD = 12
/** More than any password manager makes; a longer text is not worth a hash. */
export const MAX_PASSWORD = 1_024

/** Whether a new password is long enough, and not too long. */
export function isPassword(text: string): boolean {
  return [...text].length >= MIN_PASSWORD && text.length <= MAX_PASSWORD
}

/** Whether a text is a hash that passwords can be compared with. */
export function isPasswordHash(text: string): boolean {
  return HASH.test(text)
}

/** `patience` is in milliseconds. */
export function createPasswords(log: Log, patience: number = PATIENCE_MS): Passwords {
  const gated = createBoundedTurns(AT_ONCE, MAX_WAITING, patience)
  const shared = createShares()
  const compute = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> => {
    log.debug('password_hashed')
    return derive(password, salt, cost)
  }
  return {
    hash: (password) =>
      gated(async () => {
        const salt = randomBytes(SALT_BYTES)
        const { ln, r, p } = COST
        const key = await compute(password, salt, COST)
        return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(key)}`
      }),
    matches: (password, hash, shares = []) =>
      shared(shares, () =>
        gated(async () => {
          const [, ln, r, p, salt = '', key = ''] = HASH.exec(hash ?? '') ?? []
          const cost = ln === undefined ? COST : { ln: Number(ln), r: Number(r), p: Number(p) }
          const computed = await compute(password, Buffer.from(salt, 'base64'), cost)
          return ln !== undefined && timingSafeEqual(computed, Buffer.from(key, 'base64'))
        }),
      ),
  }
}

/** Limits everyone to their share of the places. */
function createShares(): <T>(
  shares: readonly Share[],
  work: () => Promise<Result<T, 'busy'>>,
) => Promise<Result<T, 'busy'>> {
  const held = new Map<string, number>()
  const add = (key: string, count: number): void => {
    const all = (held.get(key) ?? 0) + count
    if (all === 0) held.delete(key)
    else held.set(key, all)
  }
  return async (shares, work) => {
    if (shares.some(({ key, most }) => (held.get(key) ?? 0) >= most)) return failed('busy')
    for (const { key } of shares) add(key, 1)
    try {
      return await work()
    } finally {
      for (const { key } of shares) add(key, -1)
    }
  }
}

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  // One keyboard composes letters, another one does not (RFC 8265, section 4.2).
  return scryptKey(password.normalize('NFC'), salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY })
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
