import { createSeenTime } from '../service/seen-time.js'

/** Takes requests one after another, so that the process can do what else there is to do in between. */
export interface Load {
  /** Has a request answered, now or soon; `refuse` answers it when it would have to wait for too long. */
  readonly take: (answer: () => void, refuse: () => void) => void
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

export function createLoad(): Load {
  // Since when, in time that was seen.
  const waiting: { readonly since: number; readonly answer: () => void; readonly refuse: () => void }[] = []
  let turn: number | null = null
  let isHeld = false
  const seen = createSeenTime(STEP_MS)

  const endTurn = (): void => {
    turn = null
    if (waiting.length === 0 || isHeld) return
    const begun = beginTurn()
    while (performance.now() - begun < TURN_MS) {
      const next = waiting.shift()
      if (next === undefined) return
      if (seen(performance.now()) - next.since > PATIENCE_MS) next.refuse()
      else next.answer()
    }
  }
  const beginTurn = (): number => {
    if (turn !== null) return turn
    setImmediate(endTurn)
    turn = performance.now()
    return turn
  }

  return {
    take: (answer, refuse) => {
      const begun = beginTurn()
      const now = performance.now()
      if (waiting.length === 0 && now - begun < TURN_MS && !isHeld) answer()
      else waiting.push({ since: seen(now), answer, refuse })
    },
    hold: () => {
      isHeld = true
      return () => {
        isHeld = false
        beginTurn()
      }
    },
  }
}
