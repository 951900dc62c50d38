import { derived } from '../model/derived.js'
import { isError, type Problem, toAdvice } from '../model/problem.js'
import { countProblems, type Snapshot } from '../model/snapshot.js'
import type { Counters } from '../web/counters.js'

/** How many files, menus and problems there are; `stale` counts files whose last good version is served. */
type Counts = Readonly<Record<'files' | 'menus' | 'errors' | 'warnings' | 'stale', number>>

/** What `/readyz` answers: 200 with `ok` or `degraded`, 503 with `stopping`. */
export interface Readiness extends Counts {
  readonly status: 'ok' | 'degraded' | 'stopping'
  readonly revision: string
  /** Only where the menus follow a remote repository. Anyone gets it, without an address. */
  readonly remote?: {
    readonly status: 'ok' | 'unreachable'
    readonly commit: string
    readonly behindSeconds: number
    /** Why it cannot be reached; only for insiders. */
    readonly reason?: string
  }
  /** Only for insiders: clients on this machine and the admin token. */
  readonly version?: string
  readonly problems?: readonly ReadinessProblem[]
}

/** `at` is `path:line:column`, or `the menus folder`. */
type ReadinessProblem = { readonly at: string } & Pick<Problem, 'severity' | 'code' | 'what' | 'todo'>

const MAX_PROBLEMS = 200

/**
 * How a snapshot does, the remote that it comes from, and what is wrong besides. Insiders get the version of the service and what
 * is wrong with which file, errors first; others get null.
 */
export function toReadiness(
  snapshot: Snapshot,
  stopping: boolean,
  version: string | null,
  { remote: remoteOf, problems: othersOf }: Pick<Counters, 'remote' | 'problems'>,
): Readiness {
  const found = findingsOf(snapshot)
  const from = remoteOf()
  const reason = from?.reason ?? null
  const others = othersOf()
  const counts = { ...found.counts, errors: found.counts.errors + others.filter(isError).length }
  const isDegraded = counts.errors > 0 || reason !== null
  const status = stopping ? 'stopping' : isDegraded ? 'degraded' : 'ok'
  // Member by member: the source may know more than anyone should see.
  const remote: Readiness['remote'] | null = from && {
    status: reason === null ? 'ok' : 'unreachable',
    ...{ commit: from.commit, behindSeconds: Math.round(from.behindSeconds) },
    ...(version !== null && reason !== null && { reason }),
  }
  const problems = [...others.map(toReadinessProblem), ...found.problems]
  const shown = { ...(remote && { remote }), ...counts, ...(version !== null && { version, problems }) }
  return { status, revision: snapshot.revision, ...shown }
}

/** How many files, menus and problems a snapshot has. */
export function countsOf(snapshot: Snapshot): Counts {
  return findingsOf(snapshot).counts
}

/** Anyone may ask at any rate, and a site may have a hundred thousand warnings: each snapshot is counted once. */
const findingsOf = derived(({ files, served, problems }: Snapshot) => {
  const { errors, warnings } = countProblems(problems, files)
  const severestFirst = problems.toSorted((a, b) => Number(isError(b)) - Number(isError(a)))
  const stale = [...served.values()].filter((each) => each.stale).length
  return {
    counts: { files: files.length, menus: served.size, errors, warnings, stale },
    problems: severestFirst.slice(0, MAX_PROBLEMS).map(toReadinessProblem),
  }
})

function toReadinessProblem(problem: Problem): ReadinessProblem {
  const { path, line, column, severity, code, what } = problem
  const at = path === '' ? 'the menus folder' : `${path}:${line}:${column}`
  return { at, severity, code, what, todo: toAdvice(problem) }
}
