import { toVisible } from '../../document/source.js'
import type { Paint } from '../ink.js'
import { toDay } from './commit-json.js'
import type { FileChange, LogReport } from './log-report.js'

/** A log for people: a line for each commit, below it a line for each file. */
export function toLogText({ commits }: LogReport, paint: Paint): string {
  if (commits.length === 0) return 'no commits'
  return commits
    .flatMap(({ files, ...commit }) => {
      const { short, author, subject } = commit
      const head = `${toDay(commit)}  ${paint.yellow(short)}  ${toVisible(author.name)}  ${paint.bold(toVisible(subject))}`
      return [head, ...files.map((change) => `  ${toChangeText(change, paint)}`)]
    })
    .join('\n')
}

function toChangeText({ file, from, what, summary, error }: FileChange, paint: Paint): string {
  const facts = [
    what === 'changed' ? null : what,
    from === null ? null : `moved from ${from}`,
    what === 'added' && summary !== null ? `with ${summary}` : summary,
  ]
  const parts = facts.filter((part) => part !== null && !(from !== null && part === 'nothing but its form'))
  const sentence = parts.join(', ').replace('added, with', 'added with')
  const broken = error === null ? '' : `broken at ${error.line}:${error.column}: ${error.what}`
  const rest = [sentence, broken].filter((part) => part !== '').join('; ')
  return `${paint.dim(toVisible(file))}: ${toVisible(rest)}`
}
