/** Numbers that look like chance and repeat from their seed. */
export interface Random {
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** A number between the two, small ones as likely as large ones of as many digits. */
  readonly scaled: (least: number, most: number) => number
}

/** The random numbers of one try: each can be repeated alone, by the seed of the run and its place in it (mulberry32). */
export function createRandom(seed: number, place: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    scaled: (least, most) => Math.round(least * (most / least) ** next()),
  }
}
