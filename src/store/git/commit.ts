import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toReason } from '../../service/log.js'
import { type Author, ownAuthor, toVariables } from './author.js'
import { type Entry, type Judged, judgeFiles, type LeftFile, type WrittenFiles } from './commit-entries.js'
import { GitError } from './git-error.js'
import { type RunGit, toReasonOfGit } from './process.js'
import { linesOf, must, type Repository, toLine } from './repository.js'
import { readCommitSettings, runWithoutFilters } from './settings.js'

export interface CommitRequest extends WrittenFiles {
  /** Null is whom git itself would name: who works on the machine signs in by a link. */
  readonly author: Author | null
  readonly message: string
}

/**
 * What became of a request to commit. `busy`: git is in the middle of something, later it may work; `left` are the files
 * that the commit leaves out. Reasons are words for people.
 */
export type CommitOutcome =
  | {
      readonly kind: 'committed'
      /** The full hash. */
      readonly commit: string
      /** Null where no branch is checked out: the commit is in no branch then. */
      readonly branch: string | null
      readonly left: readonly LeftFile[]
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'busy' | 'uncommitted'; readonly reason: string }

/** Milliseconds for which git may hold its lock of the index. */
const MAX_WAIT_MS = 2_000
const STEP_MS = 50
/** How often a commit is made again because another one came first. */
const MAX_TRIES = 10
/** Characters of a subject in the reflog. */
const MAX_SUBJECT = 200

/** What a git folder holds in the middle of something that ends with a commit. */
const OPERATIONS: readonly (readonly [file: string, name: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or `git am`'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['sequencer', 'a cherry-pick or a revert of several commits'],
  ['BISECT_LOG', 'a bisection'],
]

/**
 * Makes a function that commits like `commitFiles`, one commit after the other: all of them need the lock of one index. A commit
 * whose turn does not come within `patience` milliseconds, because git hangs, is not made.
 */
export function createCommitter(
  repository: Repository,
  patience: number,
): (request: CommitRequest) => Promise<CommitOutcome> {
  let tail: Promise<unknown> = Promise.resolve()
  return (request) => {
    const since = performance.now()
    const commit = tail.then(() =>
      performance.now() - since < patience ? commitFiles(repository, request) : LATE,
    )
    // One that fails is not in the way of the next.
    tail = commit.catch(() => {})
    return commit
  }
}

const LATE: CommitOutcome = { kind: 'busy', reason: 'git has not finished earlier commits' }

/**
 * Makes a commit on the current branch that changes exactly these files, whatever else is staged, changed, untracked or in
 * conflict. In the index of the user these files become as committed, and everything else stays; the work tree is not
 * touched. Runs no hook, filter, signing program or editor. Never throws for the state of a repository.
 *
 * The index changes before the branch does: if the process is killed between the two, or the branch cannot be moved, the
 * files are staged. The other way round, the next commit by hand would silently undo this one.
 */
export async function commitFiles(repository: Repository, request: CommitRequest): Promise<CommitOutcome> {
  let folder: string | null = null
  try {
    const own = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
    folder = own
    const [settings, head] = await Promise.all([readCommitSettings(repository), headOf(repository)])
    const place: Place = {
      ...{ repository, folder: own },
      judge: (commit) => judgeFiles(repository, settings, commit, request, own),
      runUnfiltered: runWithoutFilters(repository, settings),
    }
    for (let tries = 1; ; tries++) {
      const isAgain = tries > 1
      const outcome = await tryCommit(place, request, isAgain ? await headOf(repository) : head, isAgain)
      if (outcome.kind !== 'overtaken') return outcome
      if (tries === MAX_TRIES) return { kind: 'busy', reason: outcome.reason }
      await sleep(STEP_MS * tries * Math.random())
    }
  } catch (thrown) {
    return { kind: 'uncommitted', reason: toReason(thrown) }
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

/** Where a commit is made. */
interface Place {
  readonly repository: Repository
  /** A temporary folder. */
  readonly folder: string
  /** Judges the files for a commit on top of another one. */
  readonly judge: (head: string | null) => Promise<Judged>
  readonly runUnfiltered: RunGit
}

type Try = CommitOutcome | { readonly kind: 'overtaken'; readonly reason: string }

async function tryCommit(
  place: Place,
  request: CommitRequest,
  { commit: head, branch, gitFolder, zeros }: Head,
  isAgain: boolean,
): Promise<Try> {
  const { repository } = place
  const operation = operationIn(gitFolder)
  if (operation !== null) return operation
  const { entries, left, foreign } = await place.judge(head)
  // The try before has staged them.
  if (isAgain && foreign.length > 0) {
    const busy = await stage(place, gitFolder, foreign.map((entry) => toIndexLine(entry, zeros)).join(''))
    if (busy !== null) return busy
  }
  const [reason] = left.map((file) => file.reason)
  const nothing: CommitOutcome =
    reason === undefined ? { kind: 'unchanged' } : { kind: 'uncommitted', reason }
  if (entries.length === 0) return nothing
  const lines = entries.map((entry) => toIndexLine(entry, zeros)).join('')
  const tree = await writeTree(place, head, lines)
  // An entry that takes the place of a file leaves all others where they are.
  const isPlain = entries.every(({ before }) => before !== null)
  const changed = isPlain
    ? entries.filter(isChanged).map(({ path }) => path)
    : await changedPaths(repository, head, tree)
  const other = changed.find((path) => !request.files.has(path))
  if (other !== undefined) return { kind: 'uncommitted', reason: `${JSON.stringify(other)} is in the way` }
  const author = request.author ?? (await ownAuthor(repository))
  const own = { ...repository, run: repository.runWith(toVariables(author)) }
  const commit = changed.length === 0 ? null : await writeCommit(own, tree, head, request.message)
  const busy = await stage(place, gitFolder, lines)
  if (busy !== null) return busy
  if (commit === null) return nothing
  const reflog = `commit: ${request.message.replaceAll('\0', '').split('\n')[0]?.slice(0, MAX_SUBJECT)}`
  const moved = await own.run(['update-ref', '-m', reflog, 'HEAD', commit, head ?? ''])
  if (moved.code === 0) return { kind: 'committed', commit, branch, left }
  // Another commit came first, or holds its lock.
  const isOvertaken = /but expected|already exists|File exists/.test(moved.stderr)
  return { kind: isOvertaken ? 'overtaken' : 'uncommitted', reason: toReasonOfGit(moved.stderr) }
}

function operationIn(gitFolder: string): CommitOutcome | null {
  const found = OPERATIONS.find(([file]) => existsSync(join(gitFolder, file)))
  return found === undefined ? null : { kind: 'busy', reason: `${found[1]} is in progress` }
}

interface Head {
  /** Null before the first commit of a branch. */
  readonly commit: string | null
  /** Null where no branch is checked out. */
  readonly branch: string | null
  readonly gitFolder: string
  /** As long as a hash: the one of no content. */
  readonly zeros: string
}

async function headOf(repository: Repository): Promise<Head> {
  const [format, folder] = ['--show-object-format', '--absolute-git-dir']
  const toHead = (lines: readonly string[], commit: string | null, ref: string): Head => ({
    commit,
    branch: ref === 'HEAD' ? null : ref.replace(/^refs\/heads\//, ''),
    gitFolder: lines.slice(1).join('\n'),
    zeros: '0'.repeat(lines[0] === 'sha256' ? 64 : 40),
  })
  const born = await repository.run(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD', format, folder])
  if (born.code === 0) {
    const [commit = '', ref = '', ...lines] = toLine(born).split('\n')
    return toHead(lines, commit, ref)
  }
  const ref = await repository.run(['symbolic-ref', '--quiet', 'HEAD'])
  if (ref.code !== 0) throw new GitError('git cannot read HEAD')
  return toHead(toLine(await must(repository, ['rev-parse', format, folder])).split('\n'), null, toLine(ref))
}

/** The tree of a commit with some entries changed, by an index of its own. */
async function writeTree({ repository, folder }: Place, head: string | null, lines: string): Promise<string> {
  const run = repository.runWith({ GIT_INDEX_FILE: join(folder, 'index') })
  const own = { ...repository, run }
  // A split index would leave a part of it in the git folder.
  const settings = ['-c', 'core.splitIndex=false']
  await must(own, [...settings, 'read-tree', head ?? '--empty'])
  const { stderr } = await must(own, [...settings, ...UPDATE_INDEX], lines)
  if (stderr.includes('Ignoring path')) throw new GitError(`git refuses a name: ${stderr.trim()}`)
  // In a partial clone the contents of other files may be missing.
  return toLine(await must(own, [...settings, 'write-tree', '--missing-ok']))
}

async function changedPaths(
  repository: Repository,
  head: string | null,
  tree: string,
): Promise<readonly string[]> {
  const plain = ['-r', '-z', '--name-only']
  if (head === null) return linesOf(repository, ['ls-tree', ...plain, tree])
  return linesOf(repository, ['diff-tree', ...plain, '--no-renames', head, tree])
}

function isChanged({ blob, isExecutable, before }: Entry): boolean {
  return before === null || before.blob !== blob || before.isExecutable !== isExecutable
}

const UPDATE_INDEX = ['update-index', '-z', '--index-info']

function toIndexLine({ path, blob, isExecutable }: Entry, zeros: string): string {
  const mode = blob === null ? '0' : isExecutable ? '100755' : '100644'
  return `${mode} ${blob ?? zeros}\t${path}\0`
}

async function writeCommit(
  repository: Repository,
  tree: string,
  head: string | null,
  message: string,
): Promise<string> {
  const parents = head === null ? [] : ['-p', head]
  const asked = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', tree, ...parents]
  const text = `${message.replaceAll('\0', '').trimEnd()}\n`
  return toLine(await must(repository, asked, text))
}

/** Puts the entries into the index of the user, as soon as git lets go of it. */
async function stage(place: Place, gitFolder: string, lines: string): Promise<CommitOutcome | null> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    // What held the lock may have begun something.
    const operation = operationIn(gitFolder)
    if (operation !== null) return operation
    const { code, stderr } = await place.runUnfiltered(UPDATE_INDEX, lines)
    if (code === 0) return null
    if (!stderr.includes("index.lock': File exists")) throw new GitError(toReasonOfGit(stderr))
    if (performance.now() > deadline) return { kind: 'busy', reason: 'another git process holds index.lock' }
    await sleep(STEP_MS)
  }
}
