import { toVisible } from '../../document/source.js'
import type { Problem } from '../../model/problem.js'
import type { Commit } from '../../store/git/log.js'
import type { LoggedChange } from '../../store/history/menu-log.js'
import type { Paint } from '../ink.js'
import { type CommitJson, toCommitJson, toDay } from './commit-text.js'

/** A commit with what it did to the files of a menu. */
export interface LogEntry {
  readonly commit: Commit
  readonly changes: readonly FileChange[]
}

export interface FileChange extends Omit<LoggedChange, 'version'> {
  /** As it is seen from here. */
  readonly file: string
  /** The first error that keeps the version from being served. */
  readonly error: Problem | null
}

/** What `menuscript log` found, the newest first. */
export interface ToldLog {
  readonly code: string
  readonly entries: readonly LogEntry[]
  /** Whether there are older commits than were asked for. */
  readonly isMore: boolean
  /** Whether the history of a shallow clone ends with the last one. */
  readonly isCut: boolean
}

/** A log for people: a line for each commit, below it a line for each file. */
export function toLogText({ entries }: ToldLog, paint: Paint): string {
  if (entries.length === 0) return 'no commits'
  return entries
    .flatMap(({ commit, changes }) => {
      const { short, author, subject } = commit
      const head = `${toDay(commit)}  ${paint.yellow(short)}  ${toVisible(author)}  ${paint.bold(toVisible(subject))}`
      return [head, ...changes.map((change) => `  ${toChangeText(change, paint)}`)]
    })
    .join('\n')
}

function toChangeText({ file, from, what, summary, error }: FileChange, paint: Paint): string {
  const told = [
    what === 'changed' ? null : what,
    from === null ? null : `moved from ${from}`,
    what === 'added' && summary !== null ? `with ${summary}` : summary,
  ]
  const parts = told.filter((part) => part !== null && !(from !== null && part === 'nothing but its form'))
  const sentence = parts.join(', ').replace('added, with', 'added with')
  const broken = error === null ? '' : `broken at ${error.line}:${error.column}: ${error.what}`
  const rest = [sentence, broken].filter((part) => part !== '').join('; ')
  return `${paint.dim(toVisible(file))}: ${toVisible(rest)}`
}

/** A log for programs. */
export interface LogJson {
  readonly version: 1
  readonly code: string
  readonly commits: readonly (CommitJson & { readonly files: readonly unknown[] })[]
  readonly more: boolean
  readonly shallow: boolean
}

export function toLogJson({ code, entries, isMore, isCut }: ToldLog): LogJson {
  return {
    version: 1,
    code,
    commits: entries.map(({ commit, changes }) => ({
      ...toCommitJson(commit),
      files: changes.map(({ file, from, what, summary, error }) => ({ file, from, what, summary, error })),
    })),
    more: isMore,
    shallow: isCut,
  }
}
