import { done, failed, type Result } from '../../model/result.js'
import { menuTreePath } from '../git/commit-tree.js'
import { isBefore } from '../git/log.js'
import { mergedTree } from '../git/merged-tree.js'
import { blobsAt } from '../git/objects.js'
import type { Edit, PublishFault } from '../publish/plan.js'
import { toBranchName } from './branch-name.js'
import type { Onto } from './new-commit.js'
import { type CommitDeps, type PlannedCommit, planCommit } from './planned-commit.js'
import { fetchBranches, noteBranch } from './proposed-branches.js'
import type { Remote } from './remote.js'

/** A branch, and the commit that somebody has seen of it. */
export interface SeenBranch {
  readonly branch: string
  readonly commit: string
}

/** What is to be proposed. */
export interface ProposeRequest {
  /** Who proposes, by the name that commits have. */
  readonly author: string
  /** The first line of the message. */
  readonly title: string
  /** What the message says below; empty for nothing. */
  readonly text: string
  /** The branch that is continued; null for a new one. One that is gone by now is made anew. */
  readonly seen: SeenBranch | null
  readonly isDry: boolean
}

/** What was pushed, or would be. */
export interface Proposed extends Pick<PlannedCommit, 'files' | 'problems' | 'commit'> {
  readonly branch: string
  readonly isUpdate: boolean
}

/** Why nothing was proposed. `moved`: somebody else has changed the same files on the branch. */
export type ProposeFault =
  | PublishFault
  | { readonly reason: 'unchanged'; readonly path: string }
  | { readonly reason: 'moved'; readonly path: string }

const TRIES = 20

/**
 * Pushes edits as a branch `menus/USER/TITLE`: a commit on what is served. A branch that is continued gets one more commit, on
 * top of all that others have pushed to it.
 */
export async function propose(
  deps: CommitDeps,
  edits: readonly Edit[],
  { author, title, text, seen, isDry }: ProposeRequest,
): Promise<Result<Proposed, ProposeFault>> {
  const { remote } = deps
  const path = edits[0]?.path ?? ''
  const committing: CommitDeps = {
    ...deps,
    toMessage: async (files, occasion) => {
      const [subject = '', ...changes] = (await deps.toMessage(files, occasion)).split('\n')
      const more = changes.length > 0 ? changes.join('\n').trim() : subject === title ? '' : subject
      return [title, text, more].filter((part) => part !== '').join('\n\n')
    },
  }
  const refused: string[] = []
  while (refused.length < TRIES) {
    const { value: branches, fault: away } = await fetchBranches(remote)
    if (away !== null) return failed({ reason: 'unreachable', path, what: away })
    const tip = seen === null ? null : (branches.get(seen.branch) ?? null)
    if (seen !== null && tip !== null && !(await isSame(deps, [seen.commit, tip], edits)))
      return failed({ reason: 'moved', path })
    const names = [...branches.keys(), ...refused]
    const isTaken = (name: string): boolean =>
      names.some((each) => each === name || each.startsWith(`${name}/`))
    const branch = seen !== null && tip !== null ? seen.branch : toBranchName(author, title, isTaken)
    const { value: planned, fault } = await remote.inTurn(() =>
      planCommit(committing, edits, { author, isDry }, (paths) => ontoOf(remote, tip, paths)),
    )
    if (fault !== null) return failed(fault)
    const { files, problems, commit, changed } = planned
    if (changed.length === 0) return failed({ reason: 'unchanged', path })
    const proposed = { branch, isUpdate: tip !== null, files, problems, commit }
    if (commit === null) return done(proposed)
    const pushed = await remote.push([{ ref: `refs/heads/${branch}`, commit, expected: tip }])
    if (pushed.kind === 'pushed') {
      await noteBranch(remote, branch, commit)
      return done(proposed)
    }
    if (pushed.kind === 'denied') return failed({ reason: 'denied', path, what: pushed.reason })
    if (pushed.kind === 'unreachable') {
      // The remote may have it.
      const { value: now } = await fetchBranches(remote)
      return now?.get(branch) === commit
        ? done(proposed)
        : failed({ reason: 'unreachable', path, what: pushed.reason })
    }
    refused.push(tip === null ? branch : '')
  }
  return failed({ reason: 'denied', path, what: 'it takes no branch of this name' })
}

/**
 * What a commit on a branch stands on. What is served is merged in where the branch lacks it, so that a conflict that an operator
 * has decided is none for the host any more; not where other files conflict, which are for the people of the branch.
 */
async function ontoOf(
  { repository, state }: Remote,
  tip: string | null,
  paths: readonly string[],
): Promise<Onto> {
  const { commit: served } = state()
  if (tip === null) return { parent: served }
  if (await isBefore(repository, served, tip)) return { parent: tip }
  const merged = await mergedTree(repository, tip, served)
  return merged?.conflicts.every((each) => paths.includes(each)) === true
    ? { parent: tip, merging: { parent: served, tree: merged.tree } }
    : { parent: tip }
}

/** Whether two commits have the same texts of the edited files. */
async function isSame(
  deps: CommitDeps,
  [one, other]: readonly [string, string],
  edits: readonly Edit[],
): Promise<boolean> {
  const { repository } = deps.remote
  const paths = edits.map(({ path }) => menuTreePath(repository, deps, path))
  const [before = [], now = []] = await Promise.all(
    [one, other].map((commit) =>
      blobsAt(
        repository,
        paths.map((path) => `${commit}:${path}`),
      ),
    ),
  )
  return before.every((each, place) => each?.blob === now[place]?.blob)
}
