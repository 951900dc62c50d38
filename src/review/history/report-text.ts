import { toVisible } from '../../document/source.js'
import type { Paint } from '../ink.js'
import { toTable } from '../table.js'
import type { BlamedCommit, BlameReport } from './blame-report.js'
import { toDay } from './commit-json.js'
import type { FileChange, LogReport } from './log-report.js'
import { FORM } from './menu-log.js'

/** Characters for the line, the name, the day, the author and the commit. */
const LIMITS = [8, 40, 10, 24, 64]

/**
 * The items as a tree, each with its line, who last changed it, when, and how; below it a row for each other author of one
 * of its fields, or with `everyField` for each other commit, with the names of the fields.
 */
export function toBlameText({ file, items }: BlameReport, paint: Paint, everyField: boolean): string {
  if (items.length === 0) return `${toVisible(file)}: no items`
  const isFirst: boolean[] = []
  const rows = items.flatMap(({ line, shown }) => {
    const commits = everyField ? shown.commits : newestOfAuthors(shown.commits)
    return commits.map((each, at) => {
      isFirst.push(at === 0)
      const head = at === 0 ? [`${line}`.padStart(4), '  '.repeat(shown.depth) + shown.name] : ['', '']
      const { commit } = each
      const day = commit === null ? '' : toDay(commit)
      const author = commit?.author.name ?? 'not committed yet'
      return [...head, day, author, commit?.short ?? '', toFieldWords(each, everyField)]
    })
  })
  const plain = (cell: string): string => cell
  const columns = [paint.dim, paint.bold, plain, plain, paint.yellow]
  const toPainted = (cell: string, column: number, row: number): string =>
    (columns[column] ?? (isFirst[row] ? plain : paint.dim))(cell)
  return toTable(rows, { limits: LIMITS, paint: toPainted }).join('\n')
}

function newestOfAuthors(commits: readonly BlamedCommit[]): readonly BlamedCommit[] {
  const seen = new Set<string>()
  return commits.filter(({ commit }) => {
    const author = commit === null ? '' : `${commit.author.name} <${commit.author.email}>`
    return !seen.has(author) && seen.add(author)
  })
}

/** `added`, `edited label.es, removed icon, moved`. */
function toFieldWords({ commit, fields }: BlamedCommit, everyField: boolean): string {
  const words = (['unknown', 'added', 'edited', 'removed', 'moved'] as const).flatMap((kind) => {
    const some = fields.filter((field) => field.kind === kind)
    if (some.length === 0) return []
    const isNamed = kind === 'edited' || kind === 'removed' || (everyField && kind !== 'moved')
    return [isNamed ? `${kind} ${some.map(({ field }) => field).join(', ')}` : kind]
  })
  const byMerge = commit !== null && fields.some((field) => field.byMerge)
  return `${words.join(', ')}${byMerge ? ' by the merge itself' : ''}`
}

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
  const parts = facts.filter((part) => part !== null && !(from !== null && part === FORM))
  const sentence = parts.join(', ').replace('added, with', 'added with')
  const broken = error === null ? '' : `broken at ${error.line}:${error.column}: ${error.what}`
  const rest = [sentence, broken].filter((part) => part !== '').join('; ')
  return `${paint.dim(toVisible(file))}: ${toVisible(rest)}`
}
