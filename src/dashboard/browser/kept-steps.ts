import type { Kept } from './outbox.js'

/** Where the steps of a page that are not saved yet outlive its tab. */
export interface KeptSteps {
  readonly keep: (kept: Kept | null) => void
  /** Takes what other pages of the same file left behind, in the order in which they did. */
  readonly takeOver: () => readonly Kept[]
}

/**
 * Keeps steps in the storage of the browser, under a name of this page's own. A page that still lives may be taken over as
 * well: its steps have keys, and count once, no matter which tab sends them.
 */
export function createKeptSteps(storage: Storage, user: string, file: string): KeptSteps {
  const prefix = `menuscript unsent ${JSON.stringify([user, file])} `
  const own = `${prefix}${Date.now()} ${Math.random()}`
  return {
    keep: (kept) => {
      try {
        if (kept === null) storage.removeItem(own)
        else storage.setItem(own, JSON.stringify(kept))
      } catch {
        // Storage that is full or forbidden: the page itself still has the steps.
      }
    },
    takeOver: () => {
      const names = Object.keys(storage).filter((name) => name.startsWith(prefix) && name !== own)
      return names.sort().map((name) => {
        const kept = JSON.parse(storage.getItem(name) ?? 'null')
        storage.removeItem(name)
        return kept
      })
    },
  }
}
