/** What the exit code of a command says. */
export const EXIT: Readonly<Record<'fine' | 'findings' | 'usage' | 'configuration' | 'bug', number>> = {
  fine: 0,
  findings: 1,
  usage: 2,
  configuration: 3,
  bug: 70,
}
