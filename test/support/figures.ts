/** Whether the long sizes are wanted: `--long` of the runner says so. */
export const LONG: boolean = process.env['MENUSCRIPT_LONG'] === '1'

/** What repeats a run: `MENUSCRIPT_SEED`, else one of the clock's. */
export const SEED: number = Number(process.env['MENUSCRIPT_SEED'] ?? Date.now() % 2 ** 31)

/** How often something is tried: so often in every run, so often where there is time. */
export function sized(usual: number, long: number): number {
  return LONG ? long : usual
}

/** Prints a figure on a line of its own, beside what is promised. Tests assert ten times a promised time. */
export function figure(name: string, value: string, goal: string): void {
  // The reporter has no line break behind its dots.
  process.stdout.write(`\nfigure: ${name}: ${value} (goal ${goal})\n`)
}

/** Times from which on a 99th percentile is more than the longest, which a busy machine makes as long as it likes. */
const MANY = 100

/**
 * Prints how long something took at the median and at the 99th percentile; answers the latter, in milliseconds, and of
 * few times the median.
 */
export function timesFigure(name: string, times: readonly number[], goal: string): number {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  figure(name, `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms, of ${times.length}`, goal)
  return times.length < MANY ? p50 : p99
}

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
