/** Milliseconds by which the clocks of two machines may differ, and by which a clock is set right. */
const SKEW_MS = 60_000

/**
 * Whether what was issued for some time is valid now, all in milliseconds. What was issued in the future is not: some clock
 * was wrong, and it would be valid for longer than intended.
 */
export function isValidAt(now: number, issued: number, lifetime: number): boolean {
  return issued <= now + SKEW_MS && now < issued + lifetime
}
