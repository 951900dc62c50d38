import { toNearest } from '../document/nearest.js'
import type { Log } from './log.js'

/** Milliseconds between two lines. */
const EVERY = 60_000
/** Visitors choose codes: at most this many of the latest are logged beside the last one, and at most this much of each. */
const MAX_OTHERS = 10
const MAX_TOLD = 100

/** Takes note of a code that no menu has; `known` are those that there are. */
export type UnknownCodes = (code: string, known: Iterable<string>) => void

/** Logs unknown codes, at most one line a minute: the first at once, then what came since the last line. `now` is in milliseconds. */
export function createUnknownCodes(log: Log, now: () => number = () => performance.now()): UnknownCodes {
  let next = Number.NEGATIVE_INFINITY
  let requests = 0
  // A set keeps the order in which its members came: the first is the oldest.
  let latest = new Set<string>()
  return (asked, known) => {
    const code = asked.slice(0, MAX_TOLD)
    requests++
    latest.delete(code)
    if (now() < next) {
      latest.add(code)
      if (latest.size > MAX_OTHERS) latest.delete([...latest][0] ?? '')
      return
    }
    const others = [...latest].reverse()
    log.info('menu_unknown', {
      code,
      suggestion: toNearest(code, known),
      requests,
      ...(others.length > 0 && { others }),
    })
    next = now() + EVERY
    requests = 0
    latest = new Set()
  }
}
