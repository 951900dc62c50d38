import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isValidAt } from '../../store/lifetime.js'
import type { User } from '../../store/users.js'
import { createSign, createSignedCookie } from './signed-cookies.js'

/**
 * Recognizes the devices on which a user has signed in, by a cookie, so that wrong passwords from elsewhere do not slow
 * these down (OWASP: "Slow down online guessing attacks with device cookies").
 */
export interface Devices {
  /** Identifies the device of a request, if this user has signed in there with the password that they still have. */
  readonly find: (request: IncomingMessage, user: User, now: number) => string | null
  /** The Set-Cookie header by which this device is recognized from now on; `now` is in milliseconds of Unix time. */
  readonly toCookie: (user: User, now: number) => string
}

const DAYS = 180
const COOKIE = { name: '-device', use: 'device', seconds: DAYS * 86_400 }

export function createDevices(secret: string): Devices {
  const sign = createSign(secret)
  const cookie = createSignedCookie(sign, COOKIE)
  const subjectOf = ({ name, hash }: User): string => sign('device of', JSON.stringify([name, hash]))
  return {
    find: (request, user, now) => {
      const [id, subject, issued] = (cookie.read(request) ?? []) as [string, string, number]
      return isValidAt(now, issued, COOKIE.seconds * 1_000) && subject === subjectOf(user) ? id : null
    },
    toCookie: (user, now) => cookie.write([randomBytes(16).toString('base64url'), subjectOf(user), now]),
  }
}
