import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Result } from '../../model/result.js'
import type { Log } from '../../service/log.js'
import { createTurns } from '../turns.js'
import type { DraftMirror } from './draft-mirror.js'

/** When the drafts of a service and those in its remote are brought together. */
export interface DraftSync {
  /**
   * Brings what others have pushed, before a request of a user. The request waits for a moment, unless the last look was just
   * now, or the user has just changed a draft here. Never rejects.
   */
  readonly ready: (user: string) => Promise<void>
  /** A user changed a draft here, or it has gone. */
  readonly note: (name: string, user: string, isGone: boolean) => void
  /** Pushes what waits, for a few seconds at most. */
  readonly close: () => Promise<void>
}

export interface DraftSyncDeps {
  readonly mirror: DraftMirror
  /** Seconds between two looks at the remote while nobody is here. */
  readonly seconds: number
  /** Whether an operator has a page open. */
  readonly isWatched: () => boolean
  /** Called after a pull that changed a draft. */
  readonly onChange: () => void
  readonly log: Log
}

/** Milliseconds after the last change of a draft: a pause in typing. */
const PAUSE_MS = 1_200
/** Milliseconds after the first change, for those who type without a pause. */
const LONGEST_MS = 5_000
/** Milliseconds after a draft has gone: others must not go on with it. */
const GONE_MS = 50
/** Milliseconds in which what was pulled counts as present. */
const FRESH_MS = 1_000
/** Milliseconds after a change in which a user is taken to be at this replica: as long as a push can take. */
const HERE_MS = LONGEST_MS
/** Milliseconds that requests wait for one look at the remote. */
const PATIENCE_MS = 4_000
/** Milliseconds between two looks while an operator has a page open. */
const WATCHED_MS = 5_000
const MAX_BACKOFF_MS = 60_000
/** Milliseconds that the end of the service waits for the remote. */
const AT_END_MS = 5_000
/** Users whose last change is remembered. */
const MAX_USERS = 1_000

export function createDraftSync({ mirror, seconds, isWatched, onChange, log }: DraftSyncDeps): DraftSync {
  const { waiting } = mirror
  const inTurn = createTurns(1)
  const changedAt = new LRUCache<string, number>({ max: MAX_USERS })
  const failures = { pull: 0, push: 0 }
  let pulledAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let pulling: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let since: number | null = null
  let hasGone = false

  const noteOutcome = (kind: 'pull' | 'push', { fault }: Result<unknown, string>): void => {
    const wasAway = failures.pull + failures.push > 0
    failures[kind] = fault === null ? 0 : failures[kind] + 1
    // The host may let us read, and refuse what we push; never the other way round.
    if (kind === 'push' && fault === null) failures.pull = 0
    const isAway = failures.pull + failures.push > 0
    if (!wasAway && isAway) log.error('drafts_not_mirrored', { reason: fault })
    if (wasAway && !isAway) log.info('drafts_mirrored')
  }
  const backoff = (kind: 'pull' | 'push', ms: number): number =>
    failures[kind] === 0 ? 0 : Math.min(ms * 2 ** failures[kind], MAX_BACKOFF_MS)

  const pull = (): Promise<void> => {
    if (pulling !== null) return pulling
    askedAt = performance.now()
    pulling = inTurn(async () => {
      pulledAt = performance.now()
      const pulled = await mirror.pull()
      pulling = null
      noteOutcome('pull', pulled)
      if (pulled.value === true) onChange()
      if (waiting.size > 0) plan()
    })
    return pulling
  }
  const isDue = (ms: number): boolean =>
    performance.now() - pulledAt >= Math.max(ms, backoff('pull', FRESH_MS))
  const push = (): Promise<void> =>
    inTurn(async () => {
      clearTimeout(timer)
      timer = undefined
      since = null
      hasGone = false
      if (waiting.size === 0) return
      const pushed = await mirror.push([...waiting])
      noteOutcome('push', pushed)
      // A push that others were before pulls.
      onChange()
      if (waiting.size > 0) plan()
    })
  const plan = (): void => {
    const now = performance.now()
    since ??= now
    const pause = hasGone ? GONE_MS : Math.max(0, Math.min(PAUSE_MS, since + LONGEST_MS - now))
    // While the remote is away, no change makes the next try earlier or later.
    if (timer !== undefined && failures.push > 0) return
    clearTimeout(timer)
    timer = setTimeout(push, Math.max(pause, backoff('push', PAUSE_MS)))
    timer.unref()
  }
  const clock = setInterval(() => {
    const isSoon = isWatched() || failures.pull > 0
    if (isDue(isSoon ? WATCHED_MS : seconds * 1_000)) void pull()
  }, WATCHED_MS)
  clock.unref()
  void pull()

  return {
    ready: async (user) => {
      const now = performance.now()
      const isHere = now - (changedAt.get(user) ?? Number.NEGATIVE_INFINITY) < HERE_MS
      if (pulling === null && isDue(isHere ? WATCHED_MS : FRESH_MS)) void pull()
      // A remote that is away slows nobody down, and one that hangs does so once.
      const patience = askedAt + PATIENCE_MS - now
      if (isHere || pulling === null || failures.pull > 0 || patience <= 0) return
      await Promise.race([pulling, sleep(patience, undefined, { ref: false })])
    },
    note: (name, user, isGone) => {
      changedAt.set(user, performance.now())
      waiting.add(name)
      hasGone ||= isGone
      plan()
    },
    close: async () => {
      clearInterval(clock)
      const end = push().then(() => clearTimeout(timer))
      await Promise.race([end, sleep(AT_END_MS, undefined, { ref: false })])
      clearTimeout(timer)
    },
  }
}
