import { closeSync } from 'node:fs'
import { toVisible } from '../document/source.js'
import { createInk, type Paint, toPaint } from '../review/ink.js'
import { EXIT } from './exit-codes.js'

/** Where a command writes: results on `out`, messages on `err`. */
export interface Terminal {
  readonly out: (text: string) => void
  /** Writes the bytes of a text as they are, without a line break behind them; for a terminal, in characters that it shows. */
  readonly write: (bytes: Uint8Array) => void
  /** Writes lines for people: only what `paintErr` painted reaches the terminal as more than text. */
  readonly err: (text: string) => void
  readonly paintOut: Paint
  readonly paintErr: Paint
  /** Shows how far a long work has come, on a terminal only; null takes the line away. */
  readonly progress: (text: string | null) => void
  /** From now on, what cannot be written is lost and ends nothing: a service is worth more than its log. */
  readonly outlive: () => void
}

/** Milliseconds for which a work is not long. */
const PATIENCE_MS = 300

export function createTerminal(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Terminal {
  // `menuscript lint | head` closes the pipe before we are done: that changes neither the work nor its exit code.
  let outlives = false
  for (const stream of [out, err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (outlives && error.code === 'EIO') process.off('exit', letGoOfTerminal).on('exit', letGoOfTerminal)
      if (outlives || error.code === 'EPIPE') return
      err.write(`error: the output cannot be written: ${error.message}\n`)
      process.exit(EXIT.configuration)
    })
  }
  const ink = createInk(hasColors(err))
  const start = performance.now()
  let shown = false
  return {
    out: (text) => out.write(`${text}\n`),
    write: (bytes) => out.write(out.isTTY === true ? toShownText(bytes) : bytes),
    err: (text) => err.write(`${ink.toShown(text)}\n`),
    paintOut: toPaint(hasColors(out)),
    paintErr: ink.paint,
    progress: (text) => {
      if (!err.isTTY || (text !== null && performance.now() - start < PATIENCE_MS)) return
      if (text === null && !shown) return
      shown = text !== null
      err.write(`\r\x1b[K${text ?? ''}`)
    },
    outlive: () => {
      outlives = true
    },
  }
}

/** A file as people see it: each terminal control character is a dot. */
function toShownText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).split(/\r?\n/).map(toVisible).join('\n')
}

/** Node aborts on exit if it cannot reset a terminal that is gone; it ignores closed descriptors. */
function letGoOfTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor)
    } catch {
      // It is closed.
    }
  }
}

function hasColors(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true
  return stream.isTTY === true && TERM !== 'dumb'
}
