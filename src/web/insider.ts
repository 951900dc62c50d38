import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { AdminCheck } from './admin.js'

/** Whether a request may learn what is inside, such as file names and the version. */
export type InsiderCheck = (request: IncomingMessage) => boolean

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** This machine by a name that no DNS can give to another: a page of `evil.example` that resolves to it is not asked by us. */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** What proxies add to a request that they pass on, whatever it says. */
const FORWARDING = [
  ...['forwarded', 'via', 'x-forwarded', 'x-real-', 'x-original-', 'x-client-', 'x-cluster-', 'x-envoy-'],
  ...['x-appengine-', 'true-client-', 'cf-', 'fastly-'],
]

/**
 * The one rule for who is an insider: whoever carries the admin token, and whoever asks on this machine, under a local
 * name and through no proxy. No header makes anybody one, be the proxy that wrote it trusted or not.
 */
export function createInsiderCheck(isAdmin: AdminCheck): InsiderCheck {
  return (request) => isAdmin(request) || isLocal(request)
}

function isLocal({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.some((begin) => name.startsWith(begin)))
  )
}

function isLoopback(address: string): boolean {
  // An IPv4 address that came in over IPv6 begins so.
  const rest = address.startsWith('::ffff:') ? address.slice(7) : address
  const plain = isIP(rest) === 4 ? rest : address
  return isIP(plain) !== 0 && LOOPBACK.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
