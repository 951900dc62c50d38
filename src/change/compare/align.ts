/** What it costs to take two things for the same: how strange their surroundings are, then how far they are apart. */
export interface Cost {
  readonly strangers: number
  readonly distance: number
}

/** Null where two things cannot be the same. */
export type CostOf<T> = (a: T, b: T) => Cost | null

/** Beyond so many possible pairs, things are taken in their order. */
const MANY = 250_000
const FAR = 10_000
const STRANGER_COST = 1e7
/** More than any pair costs: as many pairs as can be. */
const LEFT_OUT_COST = 1e11

/**
 * Pairs the things of two lists without crossing: as many as can be, at the least cost; of equally good ways the one
 * whose pairs come first. Both directions give the same pairs.
 */
export function align<T>(
  olds: readonly T[],
  news: readonly T[],
  costOf: CostOf<T>,
): readonly (readonly [T, T])[] {
  if (olds.length * news.length > MANY) return zip(olds, news, costOf)
  const width = news.length + 1
  const costs = olds.map((a) => news.map((b) => toNumber(costOf(a, b))))
  /** The least cost of what begins at a place of each list. */
  const least = new Float64Array((olds.length + 1) * width)
  const leastAt = (i: number, j: number): number => least[i * width + j] ?? 0
  for (let i = olds.length; i >= 0; i--) {
    for (let j = news.length; j >= 0; j--) {
      const pairing = (costs[i]?.[j] ?? Number.POSITIVE_INFINITY) + leastAt(i + 1, j + 1)
      const leaving = (olds.length - i + news.length - j) * LEFT_OUT_COST
      const ways = [i === olds.length || j === news.length ? leaving : pairing]
      if (i < olds.length) ways.push(LEFT_OUT_COST + leastAt(i + 1, j))
      if (j < news.length) ways.push(LEFT_OUT_COST + leastAt(i, j + 1))
      least[i * width + j] = Math.min(...ways)
    }
  }
  const pairs: (readonly [T, T])[] = []
  let [i, j] = [0, 0]
  while (i < olds.length && j < news.length) {
    const [a, b] = [olds[i] as T, news[j] as T]
    const pairing = (costs[i]?.[j] ?? Number.POSITIVE_INFINITY) + leastAt(i + 1, j + 1)
    if (pairing <= leastAt(i, j)) {
      pairs.push([a, b])
      i++
      j++
    } else if (leastAt(i + 1, j) <= leastAt(i, j + 1)) i++
    else j++
  }
  return pairs
}

function toNumber(cost: Cost | null): number {
  if (cost === null) return Number.POSITIVE_INFINITY
  return cost.strangers * STRANGER_COST + Math.min(cost.distance, FAR)
}

function zip<T>(olds: readonly T[], news: readonly T[], costOf: CostOf<T>): readonly (readonly [T, T])[] {
  const pairs: (readonly [T, T])[] = []
  for (const [place, a] of olds.entries()) {
    const b = news[place]
    if (b !== undefined && costOf(a, b) !== null) pairs.push([a, b])
  }
  return pairs
}
