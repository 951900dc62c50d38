import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A writer that was held up for so long did not write less than 100 ms apart: a part of a file may be served then. */
const TOO_LONG = 95
const TRIES = 10
const PATIENCE_MS = 120_000

/**
 * Tries something, anew each time, until the machine did not hold up the writer; answers what that try came to. A try
 * is told its number, from 0 on; it tells the longest pause of its writer in milliseconds and, for whoever checks it,
 * what there is to check.
 */
export async function whenQuick<T>(
  attempt: (turn: number) => Promise<{ readonly longest: number; readonly result: T }>,
): Promise<T> {
  const start = performance.now()
  let turn = 0
  for (; turn < TRIES || performance.now() - start < PATIENCE_MS; turn++) {
    const { longest, result } = await attempt(turn)
    if (isQuick(longest)) return result
  }
  throw new Error(`In none of ${turn} tries this machine wrote less than 100 ms apart.`)
}

/** In how many pieces a try writes: in fewer the more often the machine held it up, and in some always. */
export function fewer(pieces: number, turn: number): number {
  return Math.max(4, Math.ceil(pieces / (1 + Math.floor(turn / 3))))
}

/** Whether a writer whose longest pause this was never gave a reason to take a part for the whole. */
export function isQuick(longest: number): boolean {
  return longest < TOO_LONG
}

/**
 * Writes a text in so many pieces over a file, with a pause in milliseconds between two of them; answers the longest
 * pause that it became. `w` empties the file first, `r+` cuts it off at the end.
 */
export async function inPieces(
  file: string,
  text: string,
  flags: 'w' | 'r+',
  pieces: number,
  pause = 20,
): Promise<number> {
  // A pause counts from before the change at its beginning to after the one at its end: at no time it was longer.
  let before = performance.now()
  const descriptor = fs.openSync(file, flags)
  const bytes = Buffer.from(text)
  const size = Math.ceil(bytes.length / pieces)
  let longest = 0
  for (let at = 0; at < bytes.length; at += size) {
    if (at > 0) await sleep(pause)
    const start = performance.now()
    fs.writeSync(descriptor, bytes, at, Math.min(size, bytes.length - at), at)
    if (at + size >= bytes.length) fs.ftruncateSync(descriptor, bytes.length)
    longest = Math.max(longest, performance.now() - before)
    before = start
  }
  fs.closeSync(descriptor)
  return longest
}

/**
 * Looks at a file all the time while something saves it; answers the longest time in milliseconds for which it may have
 * stood still as something else than what it was and what it became. It never was longer, and was hardly shorter.
 */
export async function longestPart(file: string, save: () => Promise<void>): Promise<number> {
  const old = textOf(file)
  let present = old
  let [lastSeen, otherSeen] = [performance.now(), performance.now()]
  let longest = 0
  let over = false
  const saving = save().finally(() => {
    over = true
  })
  // Heard of below, after the last look.
  saving.catch(() => {})
  for (;;) {
    const isLast = over
    const start = performance.now()
    const text = textOf(file)
    if (text !== present) {
      longest = Math.max(longest, performance.now() - (present === old ? lastSeen : otherSeen))
      otherSeen = lastSeen
      present = text
    }
    lastSeen = start
    if (isLast) break
    await sleep(2)
  }
  await saving
  return longest
}

function textOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
