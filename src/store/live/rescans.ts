import { type Log, toReason } from '../../service/log.js'

/** One look after another: what is scheduled while one runs comes after it, once. */
export interface Looks {
  /** Has a look taken in so many milliseconds; an earlier one that is scheduled already will do. */
  readonly schedule: (ms: number, whole: boolean) => void
  /** Runs something between two looks; nothing any more once it is closed. */
  readonly run: (task: () => Promise<void>) => Promise<void>
  /** Ends it; waits for what runs. */
  readonly close: () => Promise<void>
}

export function createLooks(look: (whole: boolean) => Promise<void>, log: Log): Looks {
  let timer: NodeJS.Timeout | null = null
  let dueAt = Number.POSITIVE_INFINITY
  let wantsWhole = false
  let closed = false
  let tail: Promise<void> = Promise.resolve()

  const run = (task: () => Promise<void>): Promise<void> => {
    if (closed) return Promise.resolve()
    const result = tail.then(task)
    tail = result.catch((thrown: unknown) => log.error('look_failed', { reason: toReason(thrown) }))
    return result
  }
  const start = (): void => {
    timer = null
    dueAt = Number.POSITIVE_INFINITY
    // On a process that was held up, timers come before the events that wait: those have their turn first.
    setImmediate(() => {
      const whole = wantsWhole
      wantsWhole = false
      run(() => look(whole)).catch(() => {})
    })
  }
  return {
    schedule: (ms, whole) => {
      if (closed) return
      wantsWhole ||= whole
      const at = performance.now() + ms
      if (at >= dueAt) return
      if (timer !== null) clearTimeout(timer)
      dueAt = at
      timer = setTimeout(start, ms)
    },
    run,
    close: async () => {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await tail
    },
  }
}
