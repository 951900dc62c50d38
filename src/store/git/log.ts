import { done, failed } from '../../model/result.js'
import { blobsAt } from './objects.js'
import { type GitAnswer, hashOf, lacks, linesOf, must, type Repository } from './repository.js'

/** A commit for display. Names and subjects are data: they may hold any character. */
export interface Commit {
  /** The full hash. */
  readonly name: string
  /** As short as is unambiguous. */
  readonly short: string
  /** As `.mailmap` has it. */
  readonly author: string
  readonly email: string
  /** When it was written, ISO 8601 in the author's zone. */
  readonly date: string
  /** When it was committed, in seconds since 1970. */
  readonly seconds: number
  readonly subject: string
}

/** A commit that changed a file, with what the file was in it. */
export interface FileStep {
  readonly commit: Commit
  /** The nearest earlier commits that changed the file, as far as its content comes from them; none where it began. */
  readonly parents: readonly string[]
  /** Whether the commit has several parents, with or without the file. */
  readonly isMerge: boolean
  /** For a merge, the parents that lack the file, each with how many that have it come before it. */
  readonly lacking: readonly { readonly parent: string; readonly behind: number }[]
  /** Null where the file was deleted. */
  readonly blob: string | null
  readonly bytes: number
}

/** A file that a commit took away or changed. */
export interface ChangedFile {
  readonly path: string
  readonly blob: string
  /** Where it is afterwards, if git finds it by similarity; null when it is gone. */
  readonly to: string | null
}

const FIELDS = ['%H', '%h', '%P', '%aN', '%aE', '%aI', '%ct', '%s']
/** A log that no settings change. */
const PLAIN = [
  ...['-c', 'log.follow=false', '-c', 'log.showSignature=false', '-c', 'core.quotePath=false'],
  ...['log', '--no-color', '--no-decorate', '--no-notes', '--encoding=UTF-8'],
]
const WITH_FIELDS = ['--date-order', `--format=${FIELDS.join('%x00')}`]
const LOG = [...PLAIN, '--no-patch', ...WITH_FIELDS]

/** The commits that made a file what it was in a commit, the newest first. `path` is from the top of the work tree. */
export async function stepsOf(
  repository: Repository,
  start: string,
  path: string,
): Promise<readonly FileStep[]> {
  const lines = (await linesOf(repository, [...LOG, '--parents', start, '--', path])).map(toCommitLine)
  const names = lines.map(({ commit }) => commit.name)
  const blobsIn = (commits: readonly string[]): ReturnType<typeof blobsAt> =>
    blobsAt(
      repository,
      commits.map((commit) => `${commit}:${path}`),
    )
  const blobs = await blobsIn(names)
  for (const [place, name] of names.entries())
    if (blobs[place] === null) await mustLack(repository, `${name}:${path}`)
  const listed = await linesAbout(repository, names)
  const merges = new Map(
    listed.flatMap(({ commit, parents }) => (parents.length > 1 ? [[commit.name, parents] as const] : [])),
  )
  const ends = [...new Set([...merges.values()].flat())]
  const there = await blobsIn(ends)
  const having = new Set(ends.filter((_, place) => there[place] !== null))
  return lines.map((line, place) => {
    const { blob = null, bytes = 0 } = blobs[place] ?? {}
    const own = merges.get(line.commit.name) ?? []
    const lacking = own.flatMap((parent, at) => {
      const behind = own.slice(0, at).filter((each) => having.has(each)).length
      return having.has(parent) ? [] : [{ parent, behind }]
    })
    return { ...line, isMerge: own.length > 0, lacking, blob, bytes }
  })
}

/** What the log says of these commits, in this order. */
async function linesAbout(
  repository: Repository,
  names: readonly string[],
): Promise<readonly ReturnType<typeof toCommitLine>[]> {
  if (names.length === 0) return []
  const asked = [...LOG, '--no-walk=unsorted', '--stdin']
  return (await linesOf(repository, asked, `${names.join('\n')}\n`)).map(toCommitLine)
}

/** The commits with these hashes, in this order. */
export async function commitsOf(
  repository: Repository,
  names: readonly string[],
): Promise<readonly Commit[]> {
  return (await linesAbout(repository, names)).map(({ commit }) => commit)
}

/** The hashes of the last commits that changed, against any of their parents, a line of a folder that matches a pattern. */
export async function commitsTouching(
  repository: Repository,
  start: string,
  folder: string,
  pattern: string,
  most: number,
): Promise<ReadonlySet<string>> {
  const asked = [
    ...PLAIN,
    '--no-patch',
    '--format=%H',
    '-m',
    '--no-textconv',
    '--no-ext-diff',
    `--max-count=${most}`,
  ]
  const within = folder === '' ? [] : [folder]
  return new Set(await linesOf(repository, [...asked, `-G${pattern}`, start, '--', ...within]))
}

/** The last commit that changed each file of a folder, among its last ones, by paths from the top of the work tree; no merges. */
export async function lastCommits(
  repository: Repository,
  start: string,
  folder: string,
  most: number,
): Promise<ReadonlyMap<string, Commit>> {
  const asked = [
    ...PLAIN,
    ...WITH_FIELDS,
    '--no-merges',
    '--no-renames',
    '--name-only',
    `--max-count=${most}`,
  ]
  const within = folder === '' ? [] : [folder]
  const last = new Map<string, Commit>()
  let current: Commit | null = null
  for (const line of await linesOf(repository, [...asked, start, '--', ...within])) {
    if (line.includes('\0')) current = toCommitLine(line).commit
    else if (current !== null && !last.has(line)) last.set(line, current)
  }
  return last
}

/** The parents of a commit; none where the history begins, or where a shallow clone ends. */
export function parentsOf(repository: Repository, commit: string): Promise<readonly string[]> {
  return linesOf(repository, ['rev-parse', `${commit}^@`])
}

/** Whether a commit is in the history of another one. */
export async function isBefore(repository: Repository, early: string, late: string): Promise<boolean> {
  return (await repository.run(['merge-base', '--is-ancestor', early, late])).code === 0
}

/** Whether a commit has parents that a shallow clone left out. */
export async function isCutOff(repository: Repository, commit: string): Promise<boolean> {
  if (!repository.isShallow || (await parentsOf(repository, commit)).length > 0) return false
  // The commit object itself still lists them.
  const { stdout } = await must(repository, ['cat-file', 'commit', commit])
  return /^parent /m.test(stdout.toString('utf8').split('\n\n')[0] ?? '')
}

/** The files that were changed, moved or deleted between two commits, as they were before. */
export async function changedBetween(
  repository: Repository,
  before: string,
  after: string,
): Promise<readonly ChangedFile[]> {
  const asked = ['diff-tree', '-r', '-M', '--raw', '--no-abbrev', '-z', '--no-ext-diff', before, after]
  const words = await linesOf(repository, asked)
  const found: ChangedFile[] = []
  for (let at = 0; at + 1 < words.length; ) {
    const [, mode, blob = '', status = ''] =
      /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ (\w)/.exec(words[at] ?? '') ?? []
    const path = words[at + 1] ?? ''
    const isRename = status === 'R' || status === 'C'
    const isFile = mode === '100644' || mode === '100755'
    const to = isRename ? (words[at + 2] ?? '') : status === 'D' ? null : path
    if (isFile && status !== 'A') found.push({ path, blob, to })
    at += isRename ? 3 : 2
  }
  return found
}

/** A day alone means its beginning; git would use the current time of day. */
const DAY = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$/

/** The point in time that words such as `2 weeks ago` mean, in seconds since 1970; days are those of this machine. */
export async function toSeconds(repository: Repository, words: string): Promise<GitAnswer<number>> {
  const now = Math.floor(Date.now() / 1000)
  const time = DAY.test(words) ? `${words} 00:00` : words
  const [line = ''] = await linesOf(repository, ['rev-parse', `--since=${time}`])
  const [, seconds] = /^--max-age=(\d+)/.exec(line) ?? []
  // Git reads anything that it does not understand as the present.
  if (seconds === undefined || Number(seconds) >= now) {
    const what = `${JSON.stringify(words)} is not a time in the past`
    return failed({ what, todo: "Write it like 2026-03-01 or '2 weeks ago'." })
  }
  return done(Number(seconds))
}

function toCommitLine(line: string): { readonly commit: Commit; readonly parents: readonly string[] } {
  const [name = '', short = '', parents = '', author = '', email = '', date = '', seconds, subject = ''] =
    line.split('\0')
  const commit = { name, short, author, email, date, seconds: Number(seconds), subject }
  return { commit, parents: parents.split(' ').filter((parent) => parent !== '') }
}

/** Throws where a commit has a file at a place (`COMMIT:PATH`) whose content the repository lacks. */
async function mustLack(repository: Repository, place: string): Promise<void> {
  const named = await hashOf(repository, place)
  // A folder has a name as well.
  const isThere = (await repository.run(['cat-file', '-t', place])).code === 0
  if (named !== null && !isThere) throw lacks(named)
}
