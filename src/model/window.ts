import type { RawMap } from './json.js'

/** When a menu or an item is visible: from one time, inclusive, until another, exclusive, in RFC 3339; null is no limit. */
export interface Window {
  readonly visibleFrom: string | null
  readonly visibleUntil: string | null
}

/** As in the schema of menus: RFC 3339, section 5.6, with capital letters. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * A time in milliseconds since 1970; null for a text without an offset, or one that no calendar or clock has.
 *
 *     parseTime('2026-12-01T00:00:00+01:00') // 1796079600000
 *     parseTime('2026-02-30T00:00:00Z') // null
 */
export function parseTime(text: string): number | null {
  const [, local] = TIME.exec(text) ?? []
  if (local === undefined) return null
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day.
  const read = Date.parse(`${local}Z`)
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(local) ? Date.parse(text) : null
}

/** Whether a window in a file ends before it begins, or at once. */
export function isEmptyWindow({ visibleFrom: from, visibleUntil: until }: RawMap): boolean {
  const times = [from, until].map((time) => (typeof time === 'string' ? parseTime(time) : null))
  return times[0] != null && times[1] != null && times[0] >= times[1]
}

/** Whether something is visible at a time; without a time, windows do not matter. */
export function isOpen({ visibleFrom, visibleUntil }: Window, now: number | null): boolean {
  if (now === null) return true
  if (visibleFrom !== null && now < Date.parse(visibleFrom)) return false
  return visibleUntil === null || now < Date.parse(visibleUntil)
}

/** Most menus have none, and share this list. */
const NO_TIMES: readonly number[] = /* @__PURE__ */ Object.freeze([])

/** Something with a window, and what is below it. */
interface Timed extends Window {
  readonly children?: readonly Timed[]
}

/** The times, in order, at which windows open or close, in milliseconds since 1970. */
export function boundariesOf(all: Timed): readonly number[] {
  const times = new Set<number>()
  const add = ({ visibleFrom, visibleUntil, children }: Timed): void => {
    if (visibleFrom !== null) times.add(Date.parse(visibleFrom))
    if (visibleUntil !== null) times.add(Date.parse(visibleUntil))
    children?.forEach(add)
  }
  add(all)
  return times.size === 0 ? NO_TIMES : [...times].sort((a, b) => a - b)
}

/** A window in words: `from 2026-12-01T00:00:00Z until 2027-01-01T00:00:00Z`; empty where there is none. */
export function describeWindow({ visibleFrom, visibleUntil }: Window): string {
  const [from, until] = [visibleFrom && `from ${visibleFrom}`, visibleUntil && `until ${visibleUntil}`]
  return [from, until].filter((part) => part !== null).join(' ')
}
