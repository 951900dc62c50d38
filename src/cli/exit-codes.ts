/** The meaning of a command's exit code. */
export const EXIT: Readonly<Record<'fine' | 'findings' | 'usage' | 'configuration' | 'bug', number>> = {
  fine: 0,
  findings: 1,
  usage: 2,
  configuration: 3,
  bug: 70,
}
