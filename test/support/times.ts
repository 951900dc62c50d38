import * as assert from 'uvu/assert'
import { figure } from './figures.js'

const TRIES = 4

/** The time that a work takes of this process, in milliseconds: of the clock or of the processor, which is less on a busy machine. */
export function timeOf(work: () => void): number {
  const [start, used] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(used)
  return Math.min(performance.now() - start, (user + system) / 1_000)
}

/**
 * Holds a time against ten times what is promised, and tells it as a figure. A time that is too long is taken again a
 * few times: what else runs on the machine can only make it longer.
 */
export function assertTime(what: string, promised: number, measure: () => number): void {
  let least = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && least > promised * 10; left--) least = Math.min(least, measure())
  figure(what, `${least.toFixed(1)} ms`, `${promised} ms`)
  assert.ok(least <= promised * 10, `${what}: ${Math.round(least)} ms`)
}
