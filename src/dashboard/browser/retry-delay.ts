/** Waits longer each time, from a second up to 30, but no longer than until the network or the operator is back. */
export function waitFor(attempt: number): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = (): void => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, Math.min(30_000, 1_000 * 2 ** attempt))
    for (const name of ['online', 'focus']) addEventListener(name, end, { signal: over.signal })
  })
}
