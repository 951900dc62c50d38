import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Who is at the other end of a request, proxies that are trusted aside. */
export interface Client {
  readonly address: string
  /** Whether the client is on this machine, for all that can be told. */
  readonly isLoopback: boolean
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Reads clients; X-Forwarded-For counts only as far as it was written by trusted proxies, from the right. */
export function createClientOf(trusted: BlockList): (request: IncomingMessage) => Client {
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '')
    const chain = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    const hops = chain.map((each) => plain(each.trim())).filter((each) => each !== '')
    const isNamed = hops.length > 0
    while (hops.length > 0 && contains(trusted, address)) {
      const hop = hops.pop() ?? ''
      if (isIP(hop) === 0) return { address, isLoopback: false }
      address = hop
    }
    // Something stands between and is not trusted: whoever it speaks for may be anywhere.
    const signs = isNamed ? ['forwarded'] : ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for']
    const known = hops.length === 0 && signs.every((name) => request.headers[name] === undefined)
    return { address, isLoopback: known && contains(LOOPBACK, address) }
  }
}

/** An IPv4 address that came in over IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
