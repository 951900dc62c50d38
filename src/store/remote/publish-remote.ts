import { done, failed } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import type { CommitOutcome } from '../git/commit.js'
import { isBefore } from '../git/log.js'
import type { Edit } from '../publish/plan.js'
import {
  createPublishQueue,
  type Publication,
  type Publisher,
  type PublishOutcome,
  type PublishRequest,
} from '../publish/queue.js'
import type { Versions } from '../publish/versions.js'
import { type CommitDeps, planCommit } from './planned-commit.js'
import type { Remote } from './remote.js'

export interface RemotePublisherDeps extends CommitDeps {
  readonly versions: Versions
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
  request: PublishRequest,
): Promise<Tried> {
  const { remote, store, versions } = deps
  const ended = (outcome: PublishOutcome): Tried => ({ kind: 'ended', outcome })
  const { value: planned, fault } = await planCommit(deps, wanted, request)
  if (fault !== null) return ended(failed(fault))
  const { files, problems, changed, edits, parent, commit } = planned
  if (commit === null) return ended(done({ files, problems, commit }))
  const path = changed[0]?.path ?? ''
  for (const { path: each, before } of changed)
    if (before !== null) versions.keep(each, before.bytes, request.author)
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

/** Whether the branch that was fetched has the commit of a publication. */
async function hasCommit({ repository, state }: Remote, { commit }: Publication): Promise<boolean> {
  return commit?.kind === 'committed' && isBefore(repository, commit.commit, state().commit)
}
