import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

type Check = (request: IncomingMessage) => boolean

/** Whether a request carries the admin token; never where there is none. */
export function createAdminCheck(adminToken: string | null): Check {
  if (adminToken === null) return () => false
  return ({ headers }) => {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? []
    return token !== undefined && isSameSecret(token, adminToken)
  }
}

/** Whether two texts are equal, in a time that does not reveal how much of them is. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

/** Digests are of one length, which `timingSafeEqual` needs and which reveals nothing of the text's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** This machine by a name that no DNS can give to another: a page of `evil.example` that resolves to it is not asked by us. */
export const LOCAL_HOST: RegExp = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Headers that proxies add to a request, with any value. */
const FORWARDING = [
  ...['forwarded', 'via', 'x-forwarded', 'x-real-', 'x-original-', 'x-client-', 'x-cluster-', 'x-envoy-'],
  ...['x-appengine-', 'true-client-', 'cf-', 'fastly-'],
]

/**
 * Whether a request may learn what is inside, such as file names and the version. The one rule: insiders have the
 * admin token, or send their request on this machine, under a local name and through no proxy. No header makes a client
 * an insider, whether or not the proxy that wrote it is trusted.
 */
export function createInsiderCheck(isAdmin: Check): Check {
  return (request) => isAdmin(request) || isLocal(request)
}

function isLocal({ socket: { remoteAddress = '' }, headers }: IncomingMessage): boolean {
  return (
    isIP(remoteAddress) !== 0 &&
    // An IPv4 address that came in over IPv6 is checked as the IPv4 address.
    LOOPBACK.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.some((begin) => name.startsWith(begin)))
  )
}
