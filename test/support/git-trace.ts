import { readFileSync } from 'node:fs'

/** What git wrote of its processes to the file of `GIT_TRACE2_EVENT`. */
export interface TracedGit {
  readonly started: number
  /** The most that ran at a time. */
  readonly most: number
}

interface TraceEvent {
  readonly event: string
  /** Names a process and, before each slash, those that started it. */
  readonly sid: string
  readonly time: string
}

/** Reads such a file; what git itself starts is not counted. */
export function readTrace(file: string): TracedGit {
  const events = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceEvent)
    .filter(({ sid }) => !sid.includes('/'))
  const changes = events
    .filter(({ event }) => event === 'start' || event === 'exit')
    .map(({ event, time }) => ({ time, by: event === 'start' ? 1 : -1 }))
    .sort((a, b) => (a.time === b.time ? a.by - b.by : a.time < b.time ? -1 : 1))
  let most = 0
  let running = 0
  for (const { by } of changes) {
    running += by
    most = Math.max(most, running)
  }
  return { started: changes.filter(({ by }) => by > 0).length, most }
}
