import type { Menu } from './menu.js'
import type { Place, Problem } from './problem.js'
import type { ProblemCode } from './problem-codes.js'

/** A comment that keeps a problem between files from being reported. */
export interface Disable {
  readonly code: ProblemCode
  /** The 1-based line of what is hidden. */
  readonly line: number
  /** What is reported where there is nothing to hide. */
  readonly unused: Problem
}

/** The content of one file: a menu, or the errors that withhold it. */
export interface MenuFile {
  /** Relative to the menus folder, with `/`. */
  readonly path: string
  /** The content hash of the bytes; `''` when they could not be read. */
  readonly version: string
  readonly menu: Menu | null
  readonly problems: readonly Problem[]
  /** How many more problems there are than are listed. Default: none. */
  readonly omitted?: number
  /** How many of those are errors. */
  readonly omittedErrors?: number
  /** The number of problems of each code, where they have words. */
  readonly omittedByCode?: Readonly<Partial<Record<ProblemCode, number>>>
  /** Where its context is; null when it has none. */
  readonly contextPlace?: Place | null
  /** Comments that keep problems between files from being reported. */
  readonly disables?: readonly Disable[]
}
