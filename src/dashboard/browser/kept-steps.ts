import type { Kept } from './outbox.js'

/** Keeps what is not saved yet, in place of what was kept before; null for nothing. */
export type Keep = (kept: Kept | null) => void

/** Where the steps of a page that are not saved yet outlive its tab. */
export interface KeptSteps {
  readonly keep: Keep
  /** Takes what other pages of the same file left behind, in the order in which they did, each with what keeps it from now on. */
  readonly adopt: () => readonly (readonly [Kept, Keep])[]
}

/**
 * Keeps steps in the storage of the browser, under a name of this page's own. Other services of the same origin share that
 * storage, at the same time or, on a local port, one after the other. A page that still lives may be taken over as
 * well: its steps have keys, and count once, no matter which tab sends them.
 */
export function createKeptSteps(service: string, user: string, file: string): KeptSteps {
  const prefix = `menuscript forms ${JSON.stringify([service, user, file])} `
  return {
    keep: keepAs(`${prefix}${Date.now()} ${Math.random()}`),
    adopt: () =>
      namesIn(prefix).flatMap((name) => {
        const kept = readKept(name)
        const keep = keepAs(name.slice(0, name.lastIndexOf(' ') + 1) + Math.random())
        keepAs(name)(null)
        keep(kept)
        return kept === null ? [] : [[kept, keep] as const]
      }),
  }
}

function keepAs(name: string): Keep {
  return (kept) => {
    try {
      if (kept === null) localStorage.removeItem(name)
      else localStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // Storage that is full or forbidden: the page itself still has the steps.
    }
  }
}

/** The names that begin so, the oldest first; none where storage is forbidden. */
function namesIn(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .sort()
  } catch {
    return []
  }
}

/** What is kept under a name; null where another tab was faster, or it was not kept by this version of the script. */
function readKept(name: string): Kept | null {
  try {
    const kept: Kept | null = JSON.parse(localStorage.getItem(name) ?? 'null')
    return typeof kept?.state === 'string' && Array.isArray(kept.unsent) ? kept : null
  } catch {
    return null
  }
}
