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

/**
 * The places of the numbers that no longest increasing run has: whatever entries of a reordered list are said to have
 * stayed, these have moved. Numbers that occur once.
 */
export function definitelyMoved(numbers: readonly number[]): ReadonlySet<number> {
  const upTo = runLengths(numbers)
  const from = runLengths(numbers.map((number) => -number).reverse()).reverse()
  const longest = Math.max(0, ...upTo)
  const isOutside = (place: number): boolean => (upTo[place] ?? 0) + (from[place] ?? 0) - 1 < longest
  return new Set([...numbers.keys()].filter(isOutside))
}

/** How long the longest increasing run is that ends at each place. */
function runLengths(numbers: readonly number[]): number[] {
  const ends: number[] = []
  return numbers.map((number) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ends[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    ends[low] = number
    return low + 1
  })
}

type Run = readonly [before: readonly number[], after: readonly number[]]

/**
 * The runs between the entries of a list that stayed, given for each entry after the place that it had before: what was
 * there, and what is there now. Those that went to another place are in neither.
 */
export function openRuns(length: number, kept: readonly (number | null)[]): readonly Run[] {
  const known = kept.flatMap((place) => (place === null ? [] : [place]))
  const staying = stayingPlaces(known)
  const stays = new Set(known.filter((_, index) => staying.has(index)))
  const taken = new Set(known)
  const runs: [number[], number[]][] = [[[], []]]
  const runOf: number[] = []
  let run = 0
  for (let place = 0; place < length; place++) {
    if (stays.has(place)) {
      run++
      runs.push([[], []])
    }
    runOf[place] = run
    if (!taken.has(place)) runs[run]?.[0].push(place)
  }
  run = 0
  for (const [index, place] of kept.entries()) {
    if (place !== null && stays.has(place)) run = runOf[place] ?? run
    else if (place === null) runs[run]?.[1].push(index)
  }
  return runs.filter(([before, after]) => before.length > 0 && after.length > 0)
}
