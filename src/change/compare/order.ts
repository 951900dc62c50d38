/**
 * The places of a longest increasing run of numbers: the entries of a reordered list that can be taken to have stayed while
 * all others moved. Numbers that occur once.
 */
export function stayingPlaces(numbers: readonly number[]): ReadonlySet<number> {
  const lengths = runLengths(numbers)
  const staying = new Set<number>()
  let length = longestOf(lengths)
  // Of the runs up to here, the nearest that is shorter by one ends with a smaller number.
  for (const [place, each] of [...lengths.entries()].reverse()) {
    if (each !== length) continue
    staying.add(place)
    length--
  }
  return staying
}

/**
 * The places of the numbers that are in no longest increasing run: whichever entries of a reordered list stayed, these have
 * moved. Numbers that occur once.
 */
export function definitelyMoved(numbers: readonly number[]): ReadonlySet<number> {
  const upTo = runLengths(numbers)
  const from = runLengths(numbers.map((number) => -number).reverse()).reverse()
  const longest = longestOf(upTo)
  const isOutside = (place: number): boolean => (upTo[place] ?? 0) + (from[place] ?? 0) - 1 < longest
  return new Set([...numbers.keys()].filter(isOutside))
}

/** The length of the longest increasing run that ends at each place. */
function runLengths(numbers: readonly number[]): number[] {
  /** The smallest number that ends a run of each length. */
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

function longestOf(lengths: readonly number[]): number {
  return lengths.reduce((longest, length) => Math.max(longest, length), 0)
}

type Run = readonly [before: readonly number[], after: readonly number[]]

/**
 * The runs between the entries of a list that stayed, given for each later entry its earlier place: what was there, and what
 * is there now. Those that went elsewhere are in neither.
 */
export function openRuns(length: number, kept: readonly (number | null)[]): readonly Run[] {
  const known = kept.filter((place) => place !== null)
  const staying = stayingPlaces(known)
  const stays = new Set<number | null>(known.filter((_, index) => staying.has(index)))
  const taken = new Set(known)
  const runs = Array.from({ length: stays.size + 1 }, (): [number[], number[]] => [[], []])
  // Those that stayed are in the same order before and after.
  let run = 0
  for (let place = 0; place < length; place++) {
    if (stays.has(place)) run++
    else if (!taken.has(place)) runs[run]?.[0].push(place)
  }
  run = 0
  for (const [index, place] of kept.entries()) {
    if (stays.has(place)) run++
    else if (place === null) runs[run]?.[1].push(index)
  }
  return runs
}
