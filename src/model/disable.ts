import type { Problem } from './problem.js'
import type { ProblemCode } from './problem-codes.js'

/** A comment that keeps a problem between files from being told. */
export interface Disable {
  readonly code: ProblemCode
  /** The 1-based line of what is hidden. */
  readonly line: number
  /** What is told where there is nothing to hide. */
  readonly unused: Problem
}
