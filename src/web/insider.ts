import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { hostOf, LOCAL_HOST } from './host.js'

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

/** What a plain client sends, such as curl or a probe. Browsers and most proxies send more. */
const PLAIN = ['host', 'user-agent', 'accept', 'accept-encoding', 'connection']

/**
 * Whether a request may learn what is inside, such as file names and the version. The one rule: insiders have the
 * admin token. Where only this machine can reach the service, so does a plain client on it that uses a local name. No header
 * makes a client an insider, whether or not the proxy that wrote it is trusted.
 */
export function createInsiderCheck(isAdmin: Check, isLocalOnly: boolean): Check {
  return isLocalOnly ? (request) => isAdmin(request) || isPlainLocal(request) : isAdmin
}

function isPlainLocal(request: IncomingMessage): boolean {
  const { socket, headers, httpVersion } = request
  const { remoteAddress = '' } = socket
  return (
    isIP(remoteAddress) !== 0 &&
    // An IPv4 address that came in over IPv6 is checked as the IPv4 address.
    LOOPBACK.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') &&
    LOCAL_HOST.test(hostOf(request) ?? '') &&
    // Some proxies, such as nginx without further settings, are known by nothing but their old version.
    httpVersion === '1.1' &&
    Object.keys(headers).every((name) => PLAIN.includes(name)) &&
    !/^mozilla/i.test(headers['user-agent'] ?? '')
  )
}
