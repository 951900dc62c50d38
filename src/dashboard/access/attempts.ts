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

/** Counts attempts to sign in, before any hash is computed. Failing slows clients down but locks no one out. */
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
const MAX_KEPT = 30_000

/** What an attempt counts for. */
interface Count extends Allowance {
  readonly key: string
  /** How many attempts must be left to others then; a negative number where none need to be. */
  readonly rest: number
}

/** `now` is in milliseconds, of a monotonic clock. */
export function createAttempts(now: () => number): Attempts {
  /** When all attempts of a key may be made again; each one puts that off. */
  const kept = new LRUCache<string, number>({ max: MAX_KEPT })
  const debtOf = (key: string): number => Math.max(0, (kept.get(key) ?? 0) - now())
  /** Milliseconds until one more may be made; 0 for now. */
  const waitOf = ({ key, most, every, rest }: Count): number =>
    Math.max(0, debtOf(key) + (1 + rest - most) * every)
  const countsFor = ({ account, network, device }: Client): readonly Count[] => {
    if (device !== null) return [{ ...OF_NETWORK, key: `device ${device}`, rest: 0 }]
    if (account === null) return [{ ...OF_NETWORK, key: `link ${network}`, rest: 0 }]
    // A part of a name would keep the whole of it in memory, of any length.
    const who = contentHash(account)
    const pair = { ...AS_OTHER, key: `pair ${network} ${who}`, rest: 0 }
    return [
      { ...OF_NETWORK, key: `network ${network}`, rest: 0 },
      { ...OF_ACCOUNT, key: `account ${who}`, rest: waitOf(pair) === 0 ? 0 : FOR_OTHERS },
      { ...pair, rest: Number.NEGATIVE_INFINITY },
    ]
  }
  const add = (counts: readonly Count[], attempts: number): void => {
    for (const { key, most, every } of counts) {
      const debt = Math.min(most * every, debtOf(key) + attempts * every)
      kept.set(key, now() + Math.max(0, debt))
    }
  }
  return {
    take: (client) => {
      const counts = countsFor(client)
      const wait = Math.max(...counts.map(waitOf))
      if (wait === 0) add(counts, 1)
      return Math.ceil(wait / 1000)
    },
    giveBack: (client) => add(countsFor(client), -1),
  }
}
