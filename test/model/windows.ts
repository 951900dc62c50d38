import fc from 'fast-check'
import type { MenuItem } from '../../src/model/menu.js'

// Times and windows for laws, which compare what they have written without the code under test.

const START = Date.UTC(2026, 11, 1)
/** Times at which windows open and close. */
const MARKS = [0, 1, 2, 3, 4].map((seconds) => START + seconds * 1000)

/** Times at, just before and between those of windows, in milliseconds since 1970. */
export const times: fc.Arbitrary<number> = fc
  .tuple(fc.constantFrom(...MARKS), fc.constantFrom(-1000, -1, 0, 1, 500))
  .map(([mark, more]) => mark + more)

/** A time in RFC 3339, as a clock that is some minutes ahead of UTC shows it. */
export function toRfc(milliseconds: number, minutes: number): string {
  const local = new Date(milliseconds + minutes * 60_000).toISOString().slice(0, 19)
  if (minutes === 0) return `${local}Z`
  const digits = (value: number): string => String(Math.trunc(value)).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`
}

export interface Limits {
  readonly visibleFrom: string | null
  readonly visibleUntil: string | null
}

/** Windows that are not empty; most have no limit on one side or both. */
export const windows: fc.Arbitrary<Limits> = fc
  .tuple(
    fc.subarray([0, 1, 2, 3, 4], { minLength: 2, maxLength: 2 }),
    fc.constantFrom('none', 'none', 'from', 'until', 'both'),
    fc.constantFrom(0, 60, -210, 840),
  )
  .map(([[from = 0, until = 0], kind, offset]) => ({
    visibleFrom: kind === 'from' || kind === 'both' ? toRfc(MARKS[from] ?? 0, offset) : null,
    visibleUntil: kind === 'until' || kind === 'both' ? toRfc(MARKS[until] ?? 0, -offset) : null,
  }))

/** Gives the items of lists windows. */
export function timed(lists: fc.Arbitrary<readonly MenuItem[]>): fc.Arbitrary<readonly MenuItem[]> {
  return fc.tuple(lists, fc.array(windows, { minLength: 1, maxLength: 12 })).map(([items, some]) => {
    let count = 0
    const give = (item: MenuItem): MenuItem => {
      const window = some[count++ % some.length]
      return item.type === 'divider'
        ? { ...item, ...window }
        : { ...item, ...window, children: item.children.map(give) }
    }
    return items.map(give)
  })
}

/** from ≤ now < until. */
export function isWithin({ visibleFrom, visibleUntil }: Limits, now: number): boolean {
  const isLater = (text: string): boolean => new Date(text).getTime() > now
  return (visibleFrom === null || !isLater(visibleFrom)) && (visibleUntil === null || isLater(visibleUntil))
}
