import { performance } from 'node:perf_hooks'
import { createSeenTime } from '../service/seen-time.js'

/** Takes requests one after another, so that the process can do what else there is to do in between. */
export interface Load<Request> {
  /** Has a request answered, now or soon; it is refused when it would have to wait for too long. */
  readonly take: (request: Request) => void
  /** Has requests wait from now on; answers a function that lets them through. */
  readonly hold: () => () => void
}

/**
 * Milliseconds of answers in one turn of the event loop. New connections are accepted once a turn: in long turns they
 * wait for seconds, those that ask whether the process lives among them.
 */
const TURN_MS = 20
/** Milliseconds for which a request waits for others. Beyond that the process is overloaded. */
const PATIENCE_MS = 500
/** At most this many milliseconds count between two readings of the clock: a process that was held up is not overloaded. */
const STEP_MS = PATIENCE_MS / 2

export function createLoad<Request>(
  answer: (request: Request) => void,
  refuse: (request: Request) => void,
): Load<Request> {
  // Since when, in time that was seen.
  const waiting: { readonly since: number; readonly request: Request }[] = []
  // When a turn last began. A request that comes more than TURN_MS later may be in the same one, and waits for the next.
  let begun = 0
  let isHeld = false
  let isScheduled = false
  const seen = createSeenTime(STEP_MS)

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(answerWaiting)
  }
  const answerWaiting = (): void => {
    isScheduled = false
    if (isHeld) return
    begun = performance.now()
    while (waiting.length > 0 && performance.now() - begun < TURN_MS) {
      const next = waiting.shift()
      if (next === undefined) return
      if (seen(performance.now()) - next.since > PATIENCE_MS) refuse(next.request)
      else answer(next.request)
    }
    if (waiting.length > 0) schedule()
  }

  return {
    take: (request) => {
      const now = performance.now()
      if (waiting.length === 0 && now - begun < TURN_MS && !isHeld) return answer(request)
      waiting.push({ since: seen(now), request })
      schedule()
    },
    hold: () => {
      isHeld = true
      return () => {
        isHeld = false
        schedule()
      }
    },
  }
}
