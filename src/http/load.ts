/** Whether the process has more to do than it can. */
export interface Load {
  readonly isOver: () => boolean
  readonly close: () => void
}

const EVERY_MS = 100
/** A timer that is so late, twice in a row, says that requests wait for longer than their clients will. */
const LATE_MS = 500
/** Requests that came together are answered one after another: those behind so many milliseconds would wait too long. */
const TURN_MS = 200

/** Watches how late timers are. One long step alone, such as reading a large file, is no overload. */
export function createLoad(): Load {
  let expected = performance.now() + EVERY_MS
  let late = 0
  let turn: number | null = null
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - expected > LATE_MS ? late + 1 : 0
    expected = now + EVERY_MS
  }, EVERY_MS)
  timer.unref()
  const isLateInTurn = (): boolean => {
    const now = performance.now()
    if (turn === null) {
      turn = now
      setImmediate(() => {
        turn = null
      })
    }
    return now - turn > TURN_MS
  }
  return { isOver: () => isLateInTurn() || late > 1, close: () => clearInterval(timer) }
}
