import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { contentHash } from '../../store/hash.js'

/** Counts attempts to sign in, before any hash is computed. An account of null is that of a link, which names none. */
export interface Attempts {
  /** Seconds until the next attempt may be made; 0 counts one. */
  readonly take: (account: string | null, address: string) => number
  /** Takes back an attempt that does not count: the password was right, or was never checked. */
  readonly giveBack: (account: string | null, address: string) => void
  /** Remembers that a user signs in from an address: attempts from elsewhere do not keep them out. */
  readonly welcome: (account: string, address: string) => void
}

/** Milliseconds that the right password waits at most. */
const WINDOW_MS = 5 * 60_000
/** Wrong passwords in that time: from one address, for one account from all addresses. */
const PER_ADDRESS = 10
const PER_ACCOUNT = 30
/** How many accounts, addresses and pairs are remembered, the latest ones. */
const MAX_KEPT = 10_000

/** `now` is in milliseconds, of a monotonic clock. */
export function createAttempts(now: () => number): Attempts {
  const addresses = createCounts(PER_ADDRESS, now)
  const accounts = createCounts(PER_ACCOUNT, now)
  const welcomed = new LRUCache<string, true>({ max: MAX_KEPT })
  const keysOf = (account: string | null, address: string) => {
    // A part of a name would keep the whole of it in memory, of any length.
    const who = account === null ? null : contentHash(account.toLowerCase())
    const where = toNetwork(address)
    return { who, where, both: `${where} ${who}` }
  }
  const add = (account: string | null, address: string, count: number): void => {
    const { who, where } = keysOf(account, address)
    addresses.add(where, count)
    if (who !== null) accounts.add(who, count)
  }
  return {
    take: (account, address) => {
      const { who, where, both } = keysOf(account, address)
      const isFree = who === null || welcomed.has(both)
      const wait = Math.max(addresses.wait(where), isFree ? 0 : accounts.wait(who))
      if (wait > 0) return Math.ceil(wait / 1000)
      add(account, address, 1)
      return 0
    },
    giveBack: (account, address) => add(account, address, -1),
    welcome: (account, address) => void welcomed.set(keysOf(account, address).both, true),
  }
}

interface Counts {
  /** Milliseconds until a key may be counted again; 0 for now. */
  readonly wait: (key: string) => number
  readonly add: (key: string, count: number) => void
}

/** Counts by key, each from its first one on for a window. */
function createCounts(most: number, now: () => number): Counts {
  const kept = new LRUCache<string, { readonly count: number; readonly end: number }>({ max: MAX_KEPT })
  const current = (key: string): { readonly count: number; readonly end: number } => {
    const found = kept.get(key)
    return found !== undefined && found.end > now() ? found : { count: 0, end: now() + WINDOW_MS }
  }
  return {
    wait: (key) => {
      const { count, end } = current(key)
      return count < most ? 0 : end - now()
    },
    add: (key, more) => {
      const { count, end } = current(key)
      kept.set(key, { count: Math.max(0, count + more), end })
    },
  }
}

/** What one client has for itself: an IPv4 address, or the /64 of an IPv6 one. */
function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [start = '', end = ''] = address.toLowerCase().split('::')
  const [before, after] = [start, end].map((part) => part.split(':').filter((group) => group !== ''))
  const groups = [...(before ?? [])]
  while (groups.length + (after?.length ?? 0) < 8) groups.push('0')
  return [...groups, ...(after ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .join(':')
}
