import type { IncomingMessage } from 'node:http'
import { isError, type Problem, toAdvice } from '../model/problem.js'
import { countProblems, type Snapshot } from '../model/snapshot.js'
import type { AdminCheck } from '../web/admin.js'
import type { Client } from '../web/client.js'

/** What `/readyz` answers: 200 with `ok` or `degraded`, 503 with `stopping`. */
export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'stopping'
  readonly revision: string
  readonly files: number
  readonly menus: number
  readonly errors: number
  readonly warnings: number
  /** Files whose last good version is served. */
  readonly stale: number
  /** Only for clients on this machine and for the admin token. */
  readonly problems?: readonly ReadinessProblem[]
}

export interface ReadinessProblem {
  /** `path:line:column`. */
  readonly at: string
  readonly severity: Problem['severity']
  readonly code: string
  readonly what: string
  readonly todo: string
}

const MAX_PROBLEMS = 200

/** How a snapshot does; `details` adds what is wrong with which file, errors first. */
export function toReadiness(snapshot: Snapshot, stopping: boolean, details: boolean): Readiness {
  const { counts, problems } = findingsOf(snapshot)
  const status = stopping ? 'stopping' : counts.errors > 0 ? 'degraded' : 'ok'
  return { status, revision: snapshot.revision, ...counts, ...(details && { problems }) }
}

interface Findings {
  readonly counts: Omit<Readiness, 'status' | 'revision' | 'problems'>
  readonly problems: readonly ReadinessProblem[]
}

/** Anybody may ask, as often as they like, and a site may have a hundred thousand warnings: each snapshot is looked at once. */
const found = new WeakMap<Snapshot, Findings>()

function findingsOf(snapshot: Snapshot): Findings {
  const known = found.get(snapshot)
  if (known !== undefined) return known
  const { files, served } = snapshot
  const { errors, warnings } = countProblems(snapshot.problems, files)
  const severe = snapshot.problems.filter(isError)
  const mild = snapshot.problems.filter((problem) => !isError(problem))
  const stale = [...served.values()].filter((each) => each.stale).length
  const findings = {
    counts: { files: files.length, menus: served.size, errors, warnings, stale },
    problems: [...severe, ...mild].slice(0, MAX_PROBLEMS).map(toReadinessProblem),
  }
  found.set(snapshot, findings)
  return findings
}

function toReadinessProblem(problem: Problem): ReadinessProblem {
  const { path, line, column, severity, code, what } = problem
  return {
    at: `${path === '' ? '.' : path}:${line}:${column}`,
    severity,
    code,
    what,
    todo: toAdvice(problem),
  }
}

/** Whether a request may learn what is inside: it comes from this machine, or it carries the admin token. */
export function createInsiderCheck(
  clientOf: (request: IncomingMessage) => Client,
  isAdmin: AdminCheck,
): (request: IncomingMessage) => boolean {
  return (request) => isAdmin(request) || clientOf(request).isLoopback
}
