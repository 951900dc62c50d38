import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before requests get their turn. */
const SLICE_MS = 1

/** Resolves when the last waiting work continues. */
let last: Promise<void> = Promise.resolve()

/** Waits for a turn of the event loop of its own: in one turn, the work of several requests would add up. */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/** Makes a function that lets requests through after enough work; it returns whether it did. */
export function createPause(): () => Promise<boolean> {
  let until = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < until) return false
    await nextTurn()
    until = performance.now() + SLICE_MS
    return true
  }
}

/** Runs some work that yields now and then to its end, with such pauses; answers what it returns. */
export async function inSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  const pause = createPause()
  let step = work.next()
  for (; step.done !== true; step = work.next()) await pause()
  return step.value
}
