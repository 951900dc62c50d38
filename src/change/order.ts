/**
 * The places of a longest increasing run of numbers: of a list that was put in another order, the entries that can be
 * said to have stayed while all others moved. Numbers that occur once.
 */
export function stayingPlaces(numbers: readonly number[]): ReadonlySet<number> {
  /** Of the runs of each length, the place where the one with the smallest end ends. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [place, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[place] = ends[low - 1]
    ends[low] = place
  }
  const staying = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) staying.add(place)
  return staying
}
