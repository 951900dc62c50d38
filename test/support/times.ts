import * as assert from 'uvu/assert'
import { figure } from './figures.js'

const TRIES = 6
/** Ten times what is promised, on a machine that does half as much because other tests run beside. */
const MOST = 20

/** The time that a work takes of this process, in milliseconds: of the clock or of the processor, which is less on a busy machine. */
export function timeOf(work: () => void): number {
  const [start, used] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(used)
  return Math.min(performance.now() - start, (user + system) / 1_000)
}

/**
 * Holds a time against what is promised, and tells it as a figure: what grows faster than it may is far beyond. A time that is too long is taken again a
 * few times: what else runs on the machine can only make it longer.
 */
export function assertTime(what: string, promised: number, measure: () => number): void {
  let least = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && least > promised * MOST; left--) least = Math.min(least, measure())
  figure(what, `${least.toFixed(1)} ms`, `${promised} ms`)
  assert.ok(least <= promised * MOST, `${what}: ${Math.round(least)} ms`)
}

/** Holds a work against another one of the same run, so that a slow machine slows both; what goes beyond is measured again. */
export function assertRatio(
  what: string,
  most: number,
  { measured, baseline }: { readonly measured: () => void; readonly baseline: () => void },
): void {
  let least = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && least > most; left--) {
    least = Math.min(least, timeOf(measured) / timeOf(baseline))
  }
  figure(what, `${least.toFixed(2)} of the baseline`, `${most}`)
  assert.ok(least <= most, `${what}: ${least.toFixed(2)} of the baseline`)
}
