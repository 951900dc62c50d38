/** What a request is for: the endpoint of menus, the dashboard or another path. */
export type RequestKind = (typeof KINDS)[number]

/** How long requests took, by kind and by class of status, such as `2xx`. */
export interface Durations {
  readonly count: (kind: RequestKind, status: number, seconds: number) => void
  /** The values of a histogram with this name, as the Prometheus client passes them between processes. */
  readonly toValues: (name: string) => readonly { readonly metricName: string; readonly value: number }[]
}

/** Seconds. A kept menu takes less than the first, a 503 of an overloaded process more than 0.5. */
export const BOUNDS: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10]
const KINDS = ['menu', 'dashboard', 'other'] as const
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']
const ROWS = KINDS.flatMap((kind) => CLASSES.map((status) => ({ kind, status })))
/** A count for each bound, one for what took longer, and the sum. */
const WIDTH = BOUNDS.length + 2

/** Counts into one list of numbers, because every request does: 5 ns, where a histogram of the library takes 260. */
export function createDurations(): Durations {
  const cells = new Float64Array(ROWS.length * WIDTH)
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
    toValues: (name) =>
      ROWS.flatMap((labels, row) => {
        const [...counts] = cells.subarray(row * WIDTH, (row + 1) * WIDTH)
        const sum = counts.pop() ?? 0
        let count = 0
        const buckets = counts.map((own, place) => {
          count += own
          const le = BOUNDS[place] ?? '+Inf'
          return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
        })
        const totals = [
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: count },
        ]
        return count === 0 ? [] : [...buckets, ...totals]
      }),
  }
}
