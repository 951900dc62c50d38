/** Visitors choose what is logged: at most this many different keys are known, and at most this much of each. */
const MAX_KEYS = 1_000
const MAX_LENGTH = 300

/** Whether a key comes for the first time. Beyond the first thousand, none does. */
export type Once = (key: string) => boolean

/** For what would be logged again with every request. */
export function createOnce(): Once {
  const known = new Set<string>()
  return (key) => {
    const short = key.slice(0, MAX_LENGTH)
    if (known.size >= MAX_KEYS || known.has(short)) return false
    known.add(short)
    return true
  }
}
