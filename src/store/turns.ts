/** Runs a task as soon as it is its turn. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

/** Lets up to `most` tasks run at a time; the others wait, first come, first served. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < most) running++
    else await new Promise<void>((begin) => void waiting.push(begin))
    try {
      return await task()
    } finally {
      // The next one takes over the place.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
