import type { FoundFolder, Listing } from './listing.js'

/** What the last scan found, folder by folder: the next one lists only the folders that may have changed. */
export interface ScanMemory {
  /** Notes that a folder, by its real path, may have changed; null: any folder. */
  readonly doubt: (real: string | null) => void
  readonly begin: () => ScanTurn
}

/** The memory during one scan: what is neither recalled nor kept is forgotten. */
export interface ScanTurn {
  /** What is in a folder; null when it has to be listed. */
  readonly recall: (folder: FoundFolder) => Listing | null
  readonly keep: (folder: FoundFolder, listing: Listing) => void
}

interface Known {
  readonly folder: FoundFolder
  readonly listing: Listing
}

export function createScanMemory(): ScanMemory {
  let listings = new Map<string, Known>()
  let doubted = new Set<string | null>()
  return {
    doubt: (real) => void doubted.add(real),
    begin: () => {
      // A change from now on is for the next scan: this one may be past it.
      const [before, changed, kept] = [listings, doubted, new Map<string, Known>()]
      listings = kept
      doubted = new Set()
      return {
        recall: (folder) => {
          const known = before.get(folder.path)
          if (known === undefined || changed.has(null) || changed.has(folder.real)) return null
          const { identity, signature } = known.folder
          return identity === folder.identity && signature === folder.signature ? known.listing : null
        },
        keep: (folder, listing) => {
          // These may change without an event in the folder.
          if (!listing.hasLinks && listing.refused.size === 0) kept.set(folder.path, { folder, listing })
        },
      }
    },
  }
}
