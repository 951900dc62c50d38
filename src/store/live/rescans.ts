import { type Log, toReason } from '../../service/log.js'

/** One rescan after another: a rescan scheduled while one runs comes after it, once. */
export interface Rescans {
  /** Schedules a rescan in `ms` milliseconds, unless an earlier one is scheduled; `whole` lists the folder. */
  readonly schedule: (ms: number, whole: boolean) => void
  /** When what runs now has begun, in milliseconds since 1970. */
  readonly begun: () => number
  /** Runs something between two rescans; does nothing once closed. */
  readonly run: (task: () => Promise<void>) => Promise<void>
  /** Ends it; waits for the running rescan. */
  readonly close: () => Promise<void>
}

export function createRescans(rescan: (whole: boolean) => Promise<void>, log: Log): Rescans {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let wantsWhole = false
  let closed = false
  let begun = 0
  let tail: Promise<void> = Promise.resolve()

  const run = (task: () => Promise<void>): Promise<void> => {
    if (closed) return Promise.resolve()
    const result = tail.then(() => {
      begun = Date.now()
      return task()
    })
    tail = result.catch((thrown: unknown) => log.error('rescan_failed', { reason: toReason(thrown) }))
    return result
  }
  const start = (): void => {
    dueAt = Number.POSITIVE_INFINITY
    // In a stalled process, timers fire before waiting events: those go first.
    setImmediate(() => {
      const whole = wantsWhole
      wantsWhole = false
      run(() => rescan(whole)).catch(() => {})
    })
  }
  return {
    schedule: (ms, whole) => {
      if (closed) return
      wantsWhole ||= whole
      const at = performance.now() + ms
      if (at >= dueAt) return
      clearTimeout(timer)
      dueAt = at
      timer = setTimeout(start, ms)
    },
    begun: () => begun,
    run,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await tail
    },
  }
}
