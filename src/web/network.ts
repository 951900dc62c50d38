import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/** RFC 4291, section 2.5.5.2. */
const MAPPED = '::ffff:'

/** An address without its scope, which names an interface of this machine. An IPv4 address that came in over IPv6 is itself. */
export function toPlainAddress(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const known = new SocketAddress({ address: plain, family: 'ipv6' }).address
  const mapped = known.startsWith(MAPPED) ? known.slice(MAPPED.length) : ''
  return isIPv4(mapped) ? mapped : known
}

/**
 * The network that one client has for itself, as a key: an IPv4 address, or the /64 of an IPv6 address (RFC 6177). Any other
 * text is its own network.
 */
export function toNetwork(address: string): string {
  const plain = toPlainAddress(address)
  if (!isIPv6(plain)) return plain
  const [start = [], end = []] = plain
    .split('::')
    .map((part) => part.split(':').filter((each) => each !== ''))
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}
