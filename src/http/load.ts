/**
 * Takes requests one after another, so that the process can do what else there is to do in between. None begins before everything
 * has been taken that came with it in one read.
 */
export interface Load<Request> {
  /** Has a request answered soon; it is refused when it would have to wait for too long. */
  readonly take: (request: Request) => void
  /** Has requests wait from now on; returns a function that lets them through. */
  readonly hold: () => () => void
}

/** Milliseconds of responses in one turn of the event loop, which accepts one connection. */
const TURN_MS = 5
/** Milliseconds and turns for which a request waits for others. A process that was held up has had few turns, and is not overloaded. */
const PATIENCE_MS = 500
const PATIENCE_TURNS = 10

export function createLoad<Request>(
  answer: (request: Request) => void,
  refuse: (request: Request) => void,
): Load<Request> {
  const waiting: { readonly since: number; readonly turn: number; readonly request: Request }[] = []
  let [turn, begun] = [0, 0]
  let [isReading, isScheduled, isHeld] = [false, false, false]
  const answerWaiting = (): void => {
    isReading = false
    for (let now = performance.now(); !isHeld && now - begun < TURN_MS; now = performance.now()) {
      const next = waiting.shift()
      if (next === undefined) return
      const isOverdue = now - next.since > PATIENCE_MS && turn - next.turn > PATIENCE_TURNS
      if (isOverdue) refuse(next.request)
      else answer(next.request)
    }
  }
  const schedule = (): void => {
    isScheduled = true
    begun = performance.now()
    setImmediate(() => {
      isScheduled = false
      if (isHeld) return
      turn++
      begun = performance.now()
      answerWaiting()
      if (waiting.length > 0) schedule()
    })
  }
  return {
    take: (request) => {
      if (!isScheduled) schedule()
      waiting.push({ since: performance.now(), turn, request })
      if (isReading) return
      isReading = true
      queueMicrotask(answerWaiting)
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
