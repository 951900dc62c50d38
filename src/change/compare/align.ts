/** The cost of treating two things as the same, less than `DEAR`; infinite where they cannot be. */
export type CostOf<T> = (a: T, b: T) => number

/** With more possible pairs than this, things are paired in order. */
const MANY = 250_000
/** More than all pairs together cost, so that as many as possible are paired. */
const LEFT_OUT_COST = 1e11

/**
 * Pairs the things of two lists without crossing: as many as possible, at the least cost; of equally good ways the one whose
 * pairs come first. Both directions give the same pairs.
 */
export function align<T>(
  olds: readonly T[],
  news: readonly T[],
  costOf: CostOf<T>,
): readonly (readonly [T, T])[] {
  if (olds.length * news.length > MANY) {
    return olds.flatMap((a, place) => {
      const b = news[place]
      return b !== undefined && Number.isFinite(costOf(a, b)) ? [[a, b] as const] : []
    })
  }
  const width = news.length + 1
  const costs = olds.map((a) => news.map((b) => costOf(a, b)))
  /** The least cost of the rest from a place of each list. */
  const least = new Float64Array((olds.length + 1) * width)
  const leastAt = (i: number, j: number): number => least[i * width + j] ?? 0
  const pairing = (i: number, j: number): number =>
    (costs[i]?.[j] ?? Number.POSITIVE_INFINITY) + leastAt(i + 1, j + 1)
  for (let i = olds.length; i >= 0; i--) {
    for (let j = news.length; j >= 0; j--) {
      const leaving = (olds.length - i + news.length - j) * LEFT_OUT_COST
      const isEnd = i === olds.length || j === news.length
      least[i * width + j] = isEnd
        ? leaving
        : Math.min(pairing(i, j), LEFT_OUT_COST + leastAt(i + 1, j), LEFT_OUT_COST + leastAt(i, j + 1))
    }
  }
  const pairs: (readonly [T, T])[] = []
  let [i, j] = [0, 0]
  while (i < olds.length && j < news.length) {
    if (pairing(i, j) <= leastAt(i, j)) pairs.push([olds[i++] as T, news[j++] as T])
    else if (leastAt(i + 1, j) <= leastAt(i, j + 1)) i++
    else j++
  }
  return pairs
}
