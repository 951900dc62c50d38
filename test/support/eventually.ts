import { setTimeout as sleep } from 'node:timers/promises'

export interface EventuallyOptions {
  /** How long it may take, in milliseconds. Default: 30,000, since a busy machine may hold us up again and again. */
  readonly within?: number
  /** The pause between two tries, in milliseconds. Default: 10. */
  readonly every?: number
}

/** Tries again and again until the function does not throw, and gives what it returns; out of time, throws what it threw last. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { within = 30_000, every = 10 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = performance.now() + within
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() >= deadline) throw error
    }
    await sleep(every)
  }
}
