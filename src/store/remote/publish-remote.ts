import { isError, type Problem } from '../../model/problem.js'
import { done, failed } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import type { Rules } from '../../service/project-rules.js'
import type { CommitOutcome } from '../git/commit.js'
import { menuTreePath } from '../git/commit-tree.js'
import { type Edit, type MenusPlace, type Published, planEdits } from '../publish/plan.js'
import { type Judging, problemsOf } from '../publish/publish.js'
import {
  createPublishQueue,
  type Occasion,
  type Publication,
  type Publisher,
  type PublishOutcome,
  type PublishRequest,
} from '../publish/queue.js'
import type { Versions } from '../publish/versions.js'
import { LOCAL_USER } from '../user-names.js'
import { type Committer, makeCommit } from './new-commit.js'
import type { Remote } from './remote.js'

export interface RemotePublisherDeps extends MenusPlace {
  readonly remote: Remote
  readonly committer: Committer
  readonly rules: Rules
  readonly store: Judging
  readonly versions: Versions
  /** The message of the commit of some files. */
  readonly toMessage: (files: readonly Published[], occasion: Occasion) => Promise<string>
  readonly log: Log
}

/** Tries to push a commit while others push theirs. */
const TRIES = 20

/**
 * Publishes by compare-and-swap: edits become a commit on the branch of the remote and, once the remote has accepted it, are
 * served. Where somebody else pushed first, their commit is fetched, and the edits are merged with it.
 */
export function createRemotePublisher(deps: RemotePublisherDeps): Publisher {
  return createPublishQueue((edits, request) => publishNow(deps, edits, request))
}

async function publishNow(
  deps: RemotePublisherDeps,
  edits: readonly Edit[],
  request: PublishRequest,
): Promise<PublishOutcome> {
  const { remote } = deps
  const path = edits[0]?.path ?? ''
  let tried: Tried = { kind: 'stale' }
  for (let tries = 0; tries < TRIES; tries++) {
    tried = await remote.inTurn(() => tryOnce(deps, edits, request))
    if (tried.kind === 'ended') return tried.outcome
    const { fault } = await remote.follow()
    if (tried.kind === 'unknown' && fault === null && (await hasCommit(remote, tried.publication)))
      return done(tried.publication)
    if (fault !== null) return failed({ reason: 'unreachable', path, what: fault })
  }
  return failed({ reason: 'busy', path, what: 'others push all the time' })
}

/** `stale`: another commit came first. `unknown`: the connection broke, and the remote may have the commit. */
type Tried =
  | { readonly kind: 'ended'; readonly outcome: PublishOutcome }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown'; readonly publication: Publication }

async function tryOnce(
  deps: RemotePublisherDeps,
  wanted: readonly Edit[],
  { author, isDry = false, occasion }: PublishRequest,
): Promise<Tried> {
  const { remote, store, versions } = deps
  const ended = (outcome: PublishOutcome): Tried => ({ kind: 'ended', outcome })
  const { value: files, fault } = await planEdits(deps, wanted)
  if (fault !== null) return ended(failed(fault))
  const changed = files.filter(({ before, after }) => before !== after)
  const edits = new Map(changed.map(({ path, after }) => [path, after]))
  const problems: readonly Problem[] = await problemsOf(deps, edits)
  if (problems.some(isError)) return ended(failed({ reason: 'invalid', problems }))
  if (isDry || changed.length === 0) return ended(done({ files, problems, commit: null }))
  const isMerged = changed.some((file) => file.isMerged === true)
  const message = await deps.toMessage(changed, occasion ?? { kind: isMerged ? 'merge' : 'edit' })
  const parent = remote.state().commit
  const path = changed[0]?.path ?? ''
  let commit: string
  try {
    // Who signed in by a link has no other name.
    const named = author === LOCAL_USER ? deps.committer : { name: author, email: null }
    commit = await makeCommit(
      remote.repository,
      { parent, files: inRepository(deps, changed), author: named, message },
      deps.committer,
    )
  } catch (thrown) {
    return ended(failed({ reason: 'failed', path, what: toReason(thrown) }))
  }
  for (const { path: each, before } of changed) if (before !== null) versions.keep(each, before.bytes, author)
  const publication = { files, problems, commit: toOutcome(commit, remote) }
  const pushed = await remote.push([{ ref: `refs/heads/${remote.branch}`, commit, expected: parent }])
  if (pushed.kind === 'stale') return { kind: 'stale' }
  if (pushed.kind === 'unreachable') return { kind: 'unknown', publication }
  if (pushed.kind === 'denied') return ended(failed({ reason: 'denied', path, what: pushed.reason }))
  try {
    await store.write(edits, () => remote.moveTo(commit))
  } catch (thrown) {
    // The remote has it: the next look at the branch checks it out.
    deps.log.error('remote_not_followed', { reason: toReason(thrown) })
  }
  return ended(done(publication))
}

function toOutcome(commit: string, { branch }: Remote): CommitOutcome {
  return { kind: 'committed', commit, branch, left: [] }
}

/** Files by their paths from the top of the repository. Throws for one that is not in it. */
function inRepository(
  deps: RemotePublisherDeps,
  files: readonly Published[],
): readonly (readonly [path: string, bytes: Uint8Array | null])[] {
  return files.map(({ path, after }) => {
    const inTree = menuTreePath(deps.remote.repository, deps, path)
    if (inTree === null) throw new Error(`${JSON.stringify(path)} is not in the repository`)
    return [inTree, after === null ? null : after.bytes]
  })
}

/** Whether the branch that was fetched has the commit of a publication. */
async function hasCommit({ repository, state }: Remote, { commit }: Publication): Promise<boolean> {
  if (commit?.kind !== 'committed') return false
  const { code } = await repository.run(['merge-base', '--is-ancestor', commit.commit, state().commit])
  return code === 0
}
