/** What a request is for: the endpoint of menus, the dashboard or another path. */
export type RequestKind = (typeof KINDS)[number]

/** Requests of a kind and of a class of status, by how long they took. */
export interface DurationRow {
  readonly kind: RequestKind
  /** Such as `2xx`. */
  readonly status: string
  /** Requests of at most each of `BOUNDS`, then all of them. */
  readonly counts: readonly number[]
  /** Seconds of all of them. */
  readonly sum: number
}

export interface Durations {
  readonly count: (kind: RequestKind, status: number, seconds: number) => void
  /** Those that there were. */
  readonly rows: () => readonly DurationRow[]
}

/** Seconds. A kept menu takes less than the first, a 503 of an overloaded process more than 0.5. */
export const BOUNDS: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10]
const KINDS = ['menu', 'dashboard', 'other'] as const
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']
/** A count for each bound, one for what took longer, and the sum. */
const WIDTH = BOUNDS.length + 2

/** Counts into one list of numbers, because every request does: 5 ns, where a histogram of the library takes 260. */
export function createDurations(): Durations {
  const cells = new Float64Array(KINDS.length * CLASSES.length * WIDTH)
  const add = (place: number, amount: number): void => {
    cells[place] = (cells[place] ?? 0) + amount
  }
  return {
    count: (kind, status, seconds) => {
      const start = (KINDS.indexOf(kind) * CLASSES.length + Math.floor(status / 100) - 1) * WIDTH
      let bound = 0
      while (seconds > (BOUNDS[bound] ?? Number.POSITIVE_INFINITY)) bound++
      add(start + bound, 1)
      add(start + WIDTH - 1, seconds)
    },
    rows: () =>
      KINDS.flatMap((kind, row) =>
        CLASSES.flatMap((status, column) => {
          const start = (row * CLASSES.length + column) * WIDTH
          const [...counts] = cells.subarray(start, start + WIDTH - 1)
          for (let place = 1; place < counts.length; place++)
            counts[place] = (counts[place] ?? 0) + (counts[place - 1] ?? 0)
          return counts.at(-1) === 0 ? [] : [{ kind, status, counts, sum: cells[start + WIDTH - 1] ?? 0 }]
        }),
      ),
  }
}
