import { rmSync, statSync } from 'node:fs'
import { done, failed, type Result } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import { type GitLimits, type GitOutput, toReasonOfGit } from '../git/process.js'
import { hashOf, type Repository } from '../git/repository.js'
import { createTurns, type Turns } from '../turns.js'
import { openClone, type RemotePlace, reaching } from './clone.js'
import { type PushOutcome, type RefUpdate, toPushCommand, toPushOutcome } from './push.js'

/** A remote repository that the service follows: its branch is what is served. */
export interface Remote {
  readonly repository: Repository
  readonly branch: string
  /** What is known of the remote now. */
  readonly state: () => RemoteState
  /** Fetches the branch and checks it out; the fault says why that is not possible now. Calls that wait share one. */
  readonly follow: () => Promise<Result<string, string>>
  /** Fetches other refs, by refspecs; what the remote no longer has goes. */
  readonly fetch: (...refspecs: readonly string[]) => Promise<Result<null, string>>
  /** Changes refs of the remote, all or none, each only where it still is what was expected. Waits for no turn. */
  readonly push: (updates: readonly RefUpdate[]) => Promise<PushOutcome>
  /** Runs what must not happen while the branch moves; `follow` is in turn already. */
  readonly inTurn: Turns
  /** Checks out a commit that the remote has accepted; in turn only. */
  readonly moveTo: (commit: string) => Promise<void>
  /** Has `load` run each checkout, and load the files after it. Follows the branch every few seconds, if that is wanted. */
  readonly start: (load: (checkout: () => Promise<void>) => Promise<void>, follows: boolean) => void
  readonly close: () => void
}

export interface RemoteState {
  /** The commit of the remote's branch that is checked out. */
  readonly commit: string
  /** Seconds since it was last known that the remote has no other one. */
  readonly behindSeconds: number
  /** Why the remote cannot be reached; null where it can. For operators only. */
  readonly fault: string | null
}

/** Milliseconds for a call that reaches the remote: the first one brings everything. */
const REMOTE_TIMEOUT_MS = 600_000
/** Seconds between two tries to reach a remote that is away, at most. */
const MAX_BACKOFF_SECONDS = 60
/** Milliseconds after which a lock in a clone that nobody else uses is what a killed process left. */
const STALE_LOCK_MS = 2_000

/**
 * Opens the clone of a remote and brings it up to date. The fault is a sentence: where the remote cannot be reached and there
 * is no clone yet.
 */
export async function openRemote(
  place: RemotePlace,
  { seconds, log, limits = {} }: { readonly seconds: number; readonly log: Log; readonly limits?: GitLimits },
): Promise<Result<Remote, string>> {
  const { value: repository, fault } = await openClone(place, { timeout: REMOTE_TIMEOUT_MS, ...limits })
  if (fault !== null) return failed(fault)
  const { branch, hasHistory } = place
  const ref = `refs/heads/${branch}`
  const tracked = `refs/remotes/origin/${branch}`
  const inTurn = createTurns(1)
  const reach = reaching(repository, place)
  const depth = hasHistory ? [] : ['--depth=1', '--filter=blob:none']
  let load = (checkout: () => Promise<void>): Promise<void> => checkout()
  /** What is checked out for sure. A process that was killed may have left a checkout half done. */
  let commit = ''
  let seen = performance.now()
  let away: string | null = null
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let following: Promise<Result<string, string>> | null = null

  /** Runs git; a lock that a killed process left in the clone goes. */
  const run = async (git: Repository['run'], args: readonly string[]): Promise<GitOutput> => {
    const output = await git(args)
    const [, lock = ''] = /Unable to create '([^'\n]+\.lock)': File exists/.exec(output.stderr) ?? []
    if (!lock.startsWith(`${repository.root}/.git/`) || !isStale(lock)) return output
    rmSync(lock, { force: true })
    log.warn('remote_lock_removed', { path: lock })
    return git(args)
  }
  const fetch = async (...refspecs: readonly string[]): Promise<Result<null, string>> => {
    try {
      const { code, stderr } = await run(reach, [...FETCH, ...depth, 'origin', ...refspecs])
      return code === 0 ? done(null) : failed(toReasonOfGit(stderr))
    } catch (thrown) {
      // The file of a token, for example, cannot be read.
      return failed(toReason(thrown))
    }
  }
  const checkOut = async (next: string): Promise<void> => {
    // Without history, contents are fetched with it.
    const git = hasHistory ? repository.run : reach
    const { code, stderr } = await run(git, ['reset', '--hard', '--quiet', next])
    if (code !== 0) throw new Error(`git reset: ${toReasonOfGit(stderr)}`)
    commit = next
  }
  const isAncestor = async (one: string, other: string): Promise<boolean> =>
    (await repository.run(['merge-base', '--is-ancestor', one, other])).code === 0

  const noteReached = (): void => {
    if (away !== null) log.info('remote_reachable', { seconds: Math.round(secondsSince(seen)) })
    seen = performance.now()
    away = null
    failures = 0
  }

  const followNow = async (): Promise<Result<string, string>> => {
    following = null
    const { fault: reason } = await fetch(`+${ref}:${tracked}`)
    if (reason !== null) {
      failures++
      if (away === null) log.error('remote_unreachable', { reason })
      away = reason
      return failed(reason)
    }
    const next = await hashOf(repository, tracked)
    if (next === null) return failed(`there is no branch ${branch}`)
    noteReached()
    if (next === commit) return done(next)
    const before = commit
    // Without history, that is not known.
    if (before !== '' && hasHistory && !(await isAncestor(before, next)))
      log.warn('remote_rewritten', { branch, before, commit: next })
    await load(() => checkOut(next))
    log.info('remote_followed', { branch, before, commit: next })
    return done(next)
  }
  const follow = (): Promise<Result<string, string>> => {
    // One that has begun may have fetched before the present call.
    following ??= Promise.resolve()
      .then(() => inTurn(followNow))
      .catch((thrown: unknown) => {
        const what = toReason(thrown)
        log.error('remote_not_followed', { reason: what })
        return failed(what)
      })
    return following
  }
  const schedule = (): void => {
    if (isClosed) return
    const wait = Math.max(seconds, Math.min(seconds * 2 ** failures, MAX_BACKOFF_SECONDS))
    // Replicas that start together do not ask together for ever.
    timer = setTimeout(() => follow().finally(schedule), wait * 1000 * (0.9 + 0.2 * Math.random()))
    timer.unref()
  }

  const { fault: reason } = await follow()
  if (reason !== null) {
    const known = await hashOf(repository, `${ref}^{commit}`)
    if (known === null) return failed(reason)
    await inTurn(() => checkOut(known))
  }
  return done({
    repository,
    branch,
    state: () => ({ commit, behindSeconds: secondsSince(seen), fault: away }),
    follow,
    fetch,
    push: async (updates) => {
      try {
        const outcome = toPushOutcome(await run(reach, toPushCommand(updates)))
        if (outcome.kind === 'pushed') noteReached()
        return outcome
      } catch (thrown) {
        return { kind: 'unreachable', reason: toReason(thrown) }
      }
    },
    moveTo: checkOut,
    inTurn,
    start: (given, follows) => {
      load = given
      if (follows) schedule()
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  })
}

const FETCH = [
  // It would go on in a process of its own.
  ...['-c', 'gc.autoDetach=false', '-c', 'maintenance.autoDetach=false'],
  ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--prune'],
]

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000
}

function isStale(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs >= STALE_LOCK_MS
  } catch {
    // It has gone.
    return true
  }
}
