import { done, failed, type Result } from '../../model/result.js'
import { linesOf } from '../git/repository.js'
import { PROPOSALS } from './branch-name.js'
import type { Remote } from './remote.js'

/** The branches of proposals with their commits, the one that was changed last first. */
export type Branches = ReadonlyMap<string, string>

const TRACKED = 'refs/remotes/origin/'

/** The branches of proposals that the remote has now; the fault says why it cannot be reached. */
export async function fetchBranches(remote: Remote): Promise<Result<Branches, string>> {
  const { fault } = await remote.fetch(`+refs/heads/${PROPOSALS}*:${TRACKED}${PROPOSALS}*`)
  return fault === null ? done(await knownBranches(remote)) : failed(fault)
}

/** Notes a branch that was pushed, so that it is known even if the remote cannot be asked. */
export async function noteBranch({ repository }: Remote, branch: string, commit: string): Promise<void> {
  await repository.run(['update-ref', `${TRACKED}${branch}`, commit])
}

/** The branches that the remote had when it was asked last. */
export async function knownBranches({ repository }: Remote): Promise<Branches> {
  const format = '--format=%(objectname) %(refname)'
  const asked = ['for-each-ref', '--sort=-committerdate', format, `${TRACKED}${PROPOSALS}`]
  const lines = await linesOf(repository, asked)
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(' ')
      return [line.slice(at + 1 + TRACKED.length), line.slice(0, at)]
    }),
  )
}
