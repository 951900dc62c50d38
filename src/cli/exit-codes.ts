import type { RefusalReason } from '../review/refusal.js'

/** How a command ends where nothing is refused; one that returns nothing is fine. */
export type Ending = 'fine' | 'findings' | 'configuration'

/** The meaning of a command's exit code. */
export const EXIT: Readonly<Record<'fine' | RefusalReason, number>> = {
  fine: 0,
  findings: 1,
  usage: 2,
  configuration: 3,
  bug: 70,
}
