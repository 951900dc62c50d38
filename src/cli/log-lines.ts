import type { LogLevel } from '../config/options.js'
import { toPlainJson } from '../review/plain-json.js'
import { createLog, type Log, type LogFields } from '../service/log.js'
import type { Terminal } from './terminal.js'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export interface LogLinesOptions {
  readonly level: LogLevel
  /** JSON, one object a line; otherwise words for people. */
  readonly json: boolean
  readonly now: () => Date
}

/** A log on standard error: `{"time": …, "level": …, "event": …, …fields}` a line, or the same for people. */
export function createLogLines(terminal: Terminal, { level, json, now }: LogLinesOptions): Log {
  const least = LEVELS.indexOf(level)
  return createLog((name, event, fields = {}) => {
    if (LEVELS.indexOf(name) < least) return
    const time = now().toISOString()
    terminal.err(
      json
        ? toPlainJson({ time, level: name, event, ...fields })
        : toWords(terminal, time, name, event, fields),
    )
  })
}

function toWords(
  { paintErr: paint }: Terminal,
  time: string,
  level: LogLevel,
  event: string,
  fields: LogFields,
): string {
  const colour = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : paint.dim
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    // JSON, so that no value can begin a line of its own.
    .map(
      ([key, value]) =>
        `${paint.dim(`${key}=`)}${typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
  return `${paint.dim(time.slice(11, 19))} ${colour(event.padEnd(16))} ${pairs.join(' ')}`
}
