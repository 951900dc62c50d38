import type { LogLevel } from '../config/options.js'
import { toPlainJson } from '../model/plain-json.js'
import { createLog, type Log } from '../service/log.js'
import type { Terminal } from './terminal.js'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export interface LogLinesOptions {
  readonly level: LogLevel
  /** JSON, one object a line; otherwise words for people. */
  readonly json: boolean
  readonly now: () => Date
}

/** A log on standard error: `{"time": …, "level": …, "event": …, …fields}` a line, or the same for people. */
export function createLogLines(terminal: Terminal, { level: least, json, now }: LogLinesOptions): Log {
  const { paintErr: paint } = terminal
  return createLog((level, event, fields = {}) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
    const time = now().toISOString()
    if (json) return terminal.err(toPlainJson({ time, level, event, ...fields }))
    const colour = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : paint.dim
    const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
    const words = pairs.map(([key, value]) => {
      const isPlain = typeof value === 'string' && /^[\w./:-]+$/.test(value)
      // JSON, so that no value can begin a line of its own.
      return `${paint.dim(`${key}=`)}${isPlain ? value : JSON.stringify(value)}`
    })
    terminal.err(`${paint.dim(time.slice(11, 19))} ${colour(event.padEnd(16))} ${words.join(' ')}`)
  })
}
