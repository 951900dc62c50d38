import { done, failed, type Result } from '../model/result.js'

/** Runs a task as soon as it is its turn. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

/** The same, unless too many wait, or it takes too long. */
export type BoundedTurns = <T>(task: () => Promise<T>) => Promise<Result<T, 'busy'>>

/** Lets up to `most` tasks run at a time; the others wait, first come, first served. */
export function createTurns(most: number): Turns {
  const inTurn = createBoundedTurns(most)
  return async <T>(task: () => Promise<T>) => (await inTurn(task)).value as T
}

/** The same; up to `maxWaiting` of the others wait, for up to `patience` milliseconds. */
export function createBoundedTurns(
  most: number,
  maxWaiting: number = Number.POSITIVE_INFINITY,
  patience: number | null = null,
): BoundedTurns {
  const waiting: (() => void)[] = []
  let running = 0
  /** Whether it is one's turn; false once that takes too long. */
  const turn = (): Promise<boolean> =>
    new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(begin), 1)
        resolve(false)
      }
      const timer = patience === null ? undefined : setTimeout(giveUp, patience)
      waiting.push(begin)
    })
  return async (task) => {
    if (running < most) running++
    else if (waiting.length >= maxWaiting || !(await turn())) return failed('busy')
    try {
      return done(await task())
    } finally {
      // The next one takes over the place.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
