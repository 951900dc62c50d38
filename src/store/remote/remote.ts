import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { done, failed, type Result } from '../../model/result.js'
import { type Log, toReason } from '../../service/log.js'
import { isBefore } from '../git/log.js'
import { type GitLimits, type GitOutput, toReasonOfGit } from '../git/process.js'
import { hashOf, type Repository } from '../git/repository.js'
import { createTurns, type Turns } from '../turns.js'
import { openClone, type RemotePlace, reaching, toFetchCommand } from './clone.js'
import { isStale, openReached, removeLocks, takeFolder } from './clone-folder.js'
import { lockClone } from './clone-lock.js'
import { type PushOutcome, type RefUpdate, toPushCommand, toPushOutcome, toReasonOfRemote } from './push.js'

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
  /** Ends what runs in the clone. */
  readonly close: () => Promise<void>
}

/** Why a clone cannot be opened, in words for people. */
export interface OpenFault {
  readonly reason: string
  /** Whether there is no clone yet and none can be made now; otherwise its folder cannot be used. */
  readonly isAway: boolean
}

export interface RemoteState {
  /** The commit of the remote's branch that is checked out. */
  readonly commit: string
  /** Seconds since it was last known that the remote has no other one, also before a restart. */
  readonly behindSeconds: number
  /** Why the remote cannot be reached; null where it can. For operators only. */
  readonly fault: string | null
}

/** Milliseconds for a call that reaches the remote: the first one brings everything. */
const REMOTE_TIMEOUT_MS = 600_000
/** Milliseconds that a start waits for the remote, where there is a last state to serve. */
const START_PATIENCE_MS = 10_000
/** Seconds between two tries to reach a remote that is away, at most. */
const MAX_BACKOFF_SECONDS = 60

interface RemoteOptions {
  /** Seconds between two looks at the branch. */
  readonly seconds: number
  readonly log: Log
  readonly limits?: GitLimits
}

/**
 * Opens the clone of a remote and brings it up to date. There is a fault where the folder of the clone cannot be used, and where
 * the remote cannot be reached and there is no clone yet.
 */
export async function openRemote(
  place: RemotePlace,
  options: RemoteOptions,
): Promise<Result<Remote, OpenFault>> {
  const refusal = takeFolder(place.folder)
  if (refusal !== null) return unusable(refusal)
  const { value: unlock, fault } = await lockClone(place.folder)
  if (fault !== null) return unusable(fault)
  let opened: Result<Remote, OpenFault>
  try {
    for (const path of await removeLocks(place.folder)) options.log.warn('remote_lock_removed', { path })
    opened = await openLocked(place, options, unlock)
  } catch (thrown) {
    opened = unusable(toReason(thrown))
  }
  if (opened.fault !== null) unlock()
  return opened
}

async function openLocked(
  place: RemotePlace,
  { seconds, log, limits = {} }: RemoteOptions,
  unlock: () => void,
): Promise<Result<Remote, OpenFault>> {
  const closing = new AbortController()
  const { value: repository, fault } = await openClone(place, {
    timeout: REMOTE_TIMEOUT_MS,
    signal: closing.signal,
    ...limits,
  })
  if (fault !== null) return unusable(fault)
  const { branch, path, hasHistory } = place
  const ref = `refs/heads/${branch}`
  const tracked = `refs/remotes/origin/${branch}`
  const inTurn = createTurns(1)
  /** One look at the branch at a time; it keeps nobody from publishing. */
  const inSequence = createTurns(1)
  const reach = reaching(repository, place)
  const fetching = toFetchCommand(place)
  let load = (checkout: () => Promise<void>): Promise<void> => checkout()
  /** What is checked out for sure. A process that was killed may have left a checkout half done. */
  let commit = ''
  const reached = openReached(place.folder)
  let away: string | null = null
  let failures = 0
  /** Whether the last fetch of other refs failed. */
  let isOut = false
  let timer: NodeJS.Timeout | undefined
  let following: Promise<Result<string, string>> | null = null

  /** Runs git; a lock that a killed process left in the clone goes. */
  const run = async (
    git: Repository['run'],
    args: readonly string[],
    input?: string | Uint8Array,
  ): Promise<GitOutput> => {
    const output = await git(args, input)
    const [, lock = ''] = /Unable to create '([^'\n]+\.lock)': File exists/.exec(output.stderr) ?? []
    if (!lock.startsWith(`${repository.root}/.git/`) || !isStale(lock)) return output
    rmSync(lock, { force: true })
    log.warn('remote_lock_removed', { path: lock })
    return git(args, input)
  }
  const fetch = async (...refspecs: readonly string[]): Promise<Result<null, string>> => {
    try {
      const { code, stderr } = await run(reach, [...fetching, 'origin', ...refspecs])
      return code === 0 ? done(null) : failed(toReasonOfRemote(stderr))
    } catch (thrown) {
      // The file of a token, for example, cannot be read.
      return failed(toReason(thrown))
    }
  }
  const checkOut = async (next: string): Promise<void> => {
    // Without history, contents are fetched with it.
    const git = hasHistory ? repository.run : reach
    for (const command of [
      ['reset', '--hard', '--quiet', next],
      // A checkout that was killed leaves files of which git does not know.
      ['clean', '-ffdxq', ...(path === '' ? [] : ['--', path])],
    ]) {
      let { code, stderr } = await run(git, command)
      if (code !== 0 && stderr.includes('index file')) {
        // A power cut may have damaged it; it is made from the commit.
        rmSync(`${repository.root}/.git/index`, { force: true })
        ;({ code, stderr } = await run(git, command))
      }
      if (code !== 0) throw new Error(`git ${command[0]}: ${toReasonOfGit(stderr)}`)
    }
    commit = next
  }
  const noteReached = (): void => {
    if (away !== null) log.info('remote_reachable', { seconds: Math.round(reached.seconds()) })
    reached.note()
    away = null
    failures = 0
  }
  const noteAway = (reason: string): void => {
    if (away === null && !closing.signal.aborted) log.error('remote_unreachable', { reason })
    away = reason
  }

  /** Takes over what was fetched. */
  const take = async (): Promise<Result<string, string>> => {
    const next = await hashOf(repository, tracked)
    if (next === null) return failed(`there is no branch ${branch}`)
    noteReached()
    if (next === commit) return done(next)
    const before = commit
    // Without history, that is not known.
    if (before !== '' && hasHistory && !(await isBefore(repository, before, next)))
      log.warn('remote_rewritten', { branch, before, commit: next })
    await load(() => checkOut(next))
    log.info('remote_followed', { branch, before, commit: next })
    return done(next)
  }
  const followNow = async (): Promise<Result<string, string>> => {
    following = null
    for (;;) {
      const before = commit
      const { fault: reason } = await fetch(`+${ref}:${tracked}`)
      if (reason !== null) {
        failures++
        noteAway(reason)
        return failed(reason)
      }
      // What was fetched is older than what was pushed meanwhile.
      const taken = await inTurn(async () => (commit === before ? take() : null))
      if (taken !== null) return taken
    }
  }
  const follow = (): Promise<Result<string, string>> => {
    // One that has begun may have fetched before the present call.
    following ??= Promise.resolve()
      .then(() => inSequence(followNow))
      .catch((thrown: unknown) => {
        const what = toReason(thrown)
        if (!closing.signal.aborted) log.error('remote_not_followed', { reason: what })
        return failed(what)
      })
    return following
  }
  const schedule = (): void => {
    if (closing.signal.aborted) return
    const patience = Math.min(2 ** failures, Math.max(seconds, MAX_BACKOFF_SECONDS))
    const wait = failures === 0 ? seconds : patience
    // Replicas that start together do not ask together for ever.
    timer = setTimeout(() => follow().finally(schedule), wait * 1000 * (0.9 + 0.2 * Math.random()))
    timer.unref()
  }
  const close = async (): Promise<void> => {
    clearTimeout(timer)
    closing.abort()
    await inSequence(async () => {})
    await inTurn(async () => {})
    unlock()
  }

  const known = await hashOf(repository, `${ref}^{commit}`)
  if (known !== null)
    // One that is damaged, or partly there, can still be brought up to date.
    await inTurn(() => checkOut(known)).catch((thrown: unknown) =>
      log.warn('remote_not_followed', { reason: toReason(thrown) }),
    )
  const first = follow()
  const late = failed('it does not respond')
  const { fault: reason } = await (commit === ''
    ? first
    : Promise.race([first, sleep(START_PATIENCE_MS, late, { ref: false })]))
  if (reason === late.fault) noteAway(reason)
  if (commit === '') {
    await close()
    return failed({ reason: reason ?? 'nothing is checked out', isAway: true })
  }
  return done({
    repository: { ...repository, run: (args, input) => run(repository.run, args, input) },
    branch,
    state: () => ({ commit, behindSeconds: reached.seconds(), fault: away }),
    follow,
    fetch: async (...refspecs) => {
      const fetched = await fetch(...refspecs)
      // It is back, sooner than the next try. If it was there all the time, only the branch is missing.
      if (fetched.fault === null && isOut && away !== null) follow()
      isOut = fetched.fault !== null
      return fetched
    },
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
    close,
  })
}

function unusable(reason: string): Result<never, OpenFault> {
  return failed({ reason, isAway: false })
}
