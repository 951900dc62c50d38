import { LRUCache } from 'lru-cache'
import { contentHash } from '../../store/hash.js'

/** Who tries to sign in. */
export interface Client {
  /** The key of the name; null for a one-time link, which names nobody. */
  readonly account: string | null
  readonly network: string
  /** Identifies a device on which the account has signed in before; null elsewhere. */
  readonly device: string | null
}

/** Counts attempts to sign in, before any hash is computed. Who fails is slowed down, and nobody is locked out. */
export interface Attempts {
  /** Seconds until the next attempt may be made; 0 counts one. */
  readonly take: (client: Client) => number
  /** Removes an attempt: the password was right, or was never checked. */
  readonly giveBack: (client: Client) => void
}

/** How many attempts may be made at once, and after how many milliseconds there is one more. */
interface Allowance {
  readonly most: number
  readonly every: number
}

/** Of one network, for all accounts and links; a device that is known has as much for itself. */
const OF_NETWORK: Allowance = { most: 10, every: 30_000 }
/** For one account, from all devices that are not known. */
const OF_ACCOUNT: Allowance = { most: 30, every: 10_000 }
/** How many of these are for networks that have hardly failed for the account: a few that guess leave the others room. */
const FOR_OTHERS = 10
/** From one network for one account, as one of the others. */
const AS_OTHER: Allowance = { most: 3, every: 100_000 }
/** How many accounts, networks, pairs and devices are remembered, the latest ones. */
const MAX_KEPT = 10_000

/** `now` is in milliseconds, of a monotonic clock. */
export function createAttempts(now: () => number): Attempts {
  const [networks, links, devices] = [OF_NETWORK, OF_NETWORK, OF_NETWORK].map((each) =>
    createCounts(each, now),
  ) as [Counts, Counts, Counts]
  const accounts = createCounts(OF_ACCOUNT, now)
  const pairs = createCounts(AS_OTHER, now)
  /** What an attempt counts for, and how much of each it must leave to others. */
  const countsFor = ({ account, network, device }: Client): readonly Count[] => {
    if (device !== null) return [{ counts: devices, key: device, rest: 0 }]
    if (account === null) return [{ counts: links, key: network, rest: 0 }]
    // A part of a name would keep the whole of it in memory, of any length.
    const who = contentHash(account)
    const pair = `${network} ${who}`
    const rest = pairs.wait(pair, 0) === 0 ? 0 : FOR_OTHERS
    return [
      { counts: networks, key: network, rest: 0 },
      { counts: accounts, key: who, rest },
      { counts: pairs, key: pair, rest: Number.NEGATIVE_INFINITY },
    ]
  }
  return {
    take: (client) => {
      const all = countsFor(client)
      const wait = Math.max(...all.map(({ counts, key, rest }) => counts.wait(key, rest)))
      if (wait > 0) return Math.ceil(wait / 1000)
      for (const { counts, key } of all) counts.add(key, 1)
      return 0
    },
    giveBack: (client) => {
      for (const { counts, key } of countsFor(client)) counts.add(key, -1)
    },
  }
}

interface Count {
  readonly counts: Counts
  readonly key: string
  /** How many attempts must be left then; a negative number where none need to be. */
  readonly rest: number
}

interface Counts {
  /** Milliseconds until a key may be counted again, if it must leave a rest; 0 for now. */
  readonly wait: (key: string, rest: number) => number
  readonly add: (key: string, count: number) => void
}

function createCounts({ most, every }: Allowance, now: () => number): Counts {
  /** When all attempts of a key may be made again; each one puts that off. */
  const kept = new LRUCache<string, number>({ max: MAX_KEPT })
  const debtOf = (key: string): number => Math.max(0, (kept.get(key) ?? 0) - now())
  return {
    wait: (key, rest) => Math.max(0, debtOf(key) + (1 + rest - most) * every),
    add: (key, count) => {
      const debt = Math.min(most * every, debtOf(key) + count * every)
      kept.set(key, now() + Math.max(0, debt))
    },
  }
}
