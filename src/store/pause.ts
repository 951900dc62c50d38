import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before requests get their turn. */
const SLICE_MS = 4

/** Makes a function that lets requests through after enough work; it answers whether it did. */
export function createPause(): () => Promise<boolean> {
  let until = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < until) return false
    await setImmediate()
    until = performance.now() + SLICE_MS
    return true
  }
}
