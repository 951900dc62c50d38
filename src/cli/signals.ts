import { EXIT } from './exit-codes.js'

/** The signals to a service. */
export interface Signals {
  /** The first signal. Until this is asked for, a signal ends the process at once: there is nothing to bring to an end. */
  readonly first: () => Promise<NodeJS.Signals>
  /**
   * Calls back for each SIGHUP, at once where one came before; on a terminal, where it says that the terminal is gone,
   * it still ends the process.
   */
  readonly onHangUp: (reload: () => void) => void
}

/** Terminals and process managers send a signal to a process and to its group: within these milliseconds, it counts once. */
const ONE_WISH_MS = 500

/** Listens for SIGTERM, SIGINT and SIGHUP. A second signal does not wait for the work that the first one lets finish. */
export function createSignals(): Signals {
  let onFirst: ((signal: NodeJS.Signals) => void) | null = null
  let wish: 'none' | 'first' | 'over' = 'none'
  // In a stalled process, timers fire before waiting signals: those still count as the same one.
  const end = (): void =>
    void setImmediate(() => {
      wish = 'over'
    })
  const onSignal = (signal: NodeJS.Signals): void => {
    if (onFirst === null) process.exit(EXIT.fine)
    else if (wish === 'none') {
      wish = 'first'
      setTimeout(end, ONE_WISH_MS).unref()
      onFirst(signal)
    } else if (wish === 'over') process.exit(EXIT.findings)
  }
  let reload: (() => void) | null = null
  let hungUp = false
  const onHangUp = (): void => {
    if (reload === null) hungUp = true
    else reload()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (!process.stdout.isTTY) process.on('SIGHUP', onHangUp)
  return {
    first: () =>
      new Promise((resolve) => {
        onFirst = resolve
      }),
    onHangUp: (callBack) => {
      reload = callBack
      if (hungUp) callBack()
    },
  }
}
