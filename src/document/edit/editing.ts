import type { Entry, GroupSpot, Spot } from './layout.js'
import type { Styles } from './styles.js'

/** An edit in progress: its sources, and its writers, which need one another. */
export interface Editing {
  readonly eol: string
  readonly styles: Styles
  /**
   * Whether changed values are rewritten as a whole, and blank lines between entries are left out: a text that ends in line
   * breaks would take them in.
   */
  readonly isCoarse: boolean
  /** Whether a value is an item that, with all below it, is the one that was there before, unchanged. */
  readonly isStill: (spot: Spot) => boolean
  /** The entry from which an item takes its text; null for a new one. */
  readonly sourceOf: (spot: Spot) => Entry | null
  /** Writes the lines of a list or a map with entries. */
  readonly blockLines: WriteGroup
  /** Writes a list or a map in brackets. */
  readonly flowText: WriteGroup
}

/**
 * Writes a list or a map in place of the value of an entry, or a new one like that of another entry; its lines begin at a
 * column.
 */
type WriteGroup = (
  editing: Editing,
  entry: Entry | null,
  spot: GroupSpot,
  column: number,
  like: Entry | null,
) => string
