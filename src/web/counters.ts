import type { MenuFile } from '../model/menu-file.js'
import { isError, type Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import { createLog, type Log } from '../service/log.js'
import { createDurations, type Durations, type RequestKind } from './durations.js'

/** What has happened since the start, in numbers; what `/metrics` reports. */
export interface Counters {
  /** Answers by status. */
  readonly answers: ReadonlyMap<number, number>
  readonly durations: Pick<Durations, 'toValues'>
  /** Lines of the log, of every level, by `level event`. */
  readonly events: ReadonlyMap<string, number>
  /** Changes of the served menus. */
  readonly reloads: number
  /** Files that changed and could not be loaded. */
  readonly failedReloads: number
  /** Seconds since the snapshot of now was made. */
  readonly age: () => number
  /** How many are open now, of each kind; NaN where that cannot be known. */
  readonly open: ReadonlyMap<Openable, () => number>
  /** The remote repository that the menus follow; null for none. */
  readonly remote: () => FollowedRemote | null
  /** What is wrong now, besides menus. */
  readonly problems: () => readonly Problem[]
}

/** What a replica knows of the remote repository that it follows. */
export interface FollowedRemote {
  /** The full hash of the commit that is served. */
  readonly commit: string
  /** Seconds since the replica last knew that it had what the remote has. */
  readonly behindSeconds: number
  /** Why it cannot be reached, for insiders; null where it can. */
  readonly reason: string | null
}

/** What operators have open; of the oldest draft, its age in seconds. */
export type Openable = 'drafts' | 'oldest draft' | 'streams'

export interface Counting {
  readonly counters: Counters
  /** Counts a response and its seconds; null where its end says nothing, because it lasts as long as its client likes. */
  readonly countAnswer: (status: number, kind: RequestKind | null, seconds: number) => void
  /** The same log, counted. */
  readonly countLog: (log: Log) => Log
  /** Counts a snapshot against the one that was counted before it. */
  readonly countSnapshot: (now: Snapshot) => void
  /** Names what counts those of a kind when somebody wants to know; it may throw. */
  readonly countOpen: (kind: Openable, count: () => number) => void
  /** Names what knows of the remote repository, for `/metrics` and `/readyz`. */
  readonly follow: (remote: () => FollowedRemote) => void
  /** Names what finds problems besides those of menus, for them, too. */
  readonly report: (problems: () => readonly Problem[]) => void
}

export function createCounting(): Counting {
  const answers = new Map<number, number>()
  const events = new Map<string, number>()
  const open = new Map<Openable, () => number>()
  const durations = createDurations()
  let since = performance.now()
  let before: Snapshot | null = null
  const age = (): number => (performance.now() - since) / 1000
  const remote: Counters['remote'] = () => null
  const problems: Counters['problems'] = () => []
  const counts = { reloads: 0, failedReloads: 0 }
  const counters = { answers, durations, events, ...counts, age, open, remote, problems }
  return {
    counters,
    countAnswer: (status, kind, seconds) => {
      increase(answers, status)
      if (kind !== null) durations.count(kind, status, seconds)
    },
    follow: (source) => {
      counters.remote = source
    },
    report: (source) => {
      counters.problems = source
    },
    countOpen: (kind, count) => {
      open.set(kind, () => {
        try {
          return count()
        } catch {
          return Number.NaN
        }
      })
    },
    countLog: (log) =>
      createLog((level, event, fields) => {
        increase(events, `${level} ${event}`)
        log[level](event, fields)
      }),
    countSnapshot: (now) => {
      since = performance.now()
      if (before !== null) {
        counters.reloads++
        const known = new Set(brokenFiles(before).map(toKey))
        counters.failedReloads += brokenFiles(now).filter((file) => !known.has(toKey(file))).length
      }
      before = now
    },
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function brokenFiles({ files, problems }: Snapshot): readonly MenuFile[] {
  // As nearly always, there is none among thousands.
  return problems.some(isError) ? files.filter(isBroken) : []
}

export function isBroken({ problems }: MenuFile): boolean {
  return problems.some(isError)
}

function toKey({ path, version }: MenuFile): string {
  return `${version} ${path}`
}
