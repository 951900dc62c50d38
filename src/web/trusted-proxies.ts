import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { toPlainAddress } from './network.js'

/** What may be believed of the proxies in front: only those that the configuration names, and only what they added. */
export interface TrustedProxies {
  /** Whether a request comes from one of them. */
  readonly sent: (request: IncomingMessage) => boolean
  /** The address of the client: that of the connection, or the last one in X-Forwarded-For that is not a trusted proxy. */
  readonly clientAddress: (request: IncomingMessage) => string
  /** Whether a trusted proxy says that the client uses TLS. */
  readonly saysHttps: (request: IncomingMessage) => boolean
}

/** `networks` are addresses or CIDR networks, which the configuration has checked. */
export function createTrustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, kindOf(address))
    else list.addSubnet(address, Number(bits), kindOf(address))
  }
  const isTrusted = (address: string): boolean => isIP(address) !== 0 && list.check(address, kindOf(address))
  const sent = ({ socket }: IncomingMessage): boolean => isTrusted(toPlainAddress(socket.remoteAddress ?? ''))
  return {
    sent,
    clientAddress: ({ socket, headers }) => {
      let client = toPlainAddress(socket.remoteAddress ?? '')
      const hops = lastTo(headers['x-forwarded-for']).map(toPlainAddress)
      for (let next = hops.shift(); isTrusted(client) && next !== undefined; next = hops.shift()) {
        // No correctly configured proxy adds anything but an address: nothing further is trusted.
        if (isIP(next) === 0) break
        client = next
      }
      return client
    },
    saysHttps: (request) => sent(request) && lastTo(request.headers['x-forwarded-proto'])[0] === 'https',
  }
}

/** The members of a list header, the last one first: each proxy adds at the end. */
function lastTo(header: string | readonly string[] | undefined): string[] {
  const members = [header ?? []].flat().join(',').split(',')
  return members.map((each) => each.trim().toLowerCase()).reverse()
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
