import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toReason } from '../../service/log.js'
import { createTurns } from '../turns.js'
import { type Author, ownAuthor, toVariables } from './author.js'
import { judgeFiles, type LeftFile, runAsAdd } from './files-to-commit.js'
import { isPulling } from './lock.js'
import { GitError, type RunGit, toReasonOfGit } from './process.js'
import { hashOf, linesOf, must, type Repository, toLine } from './repository.js'

/** Files that are to be committed as they are on the disk by now. */
export interface CommitRequest {
  /** From the top of the work tree with `/`. A file that is not there any more was deleted. */
  readonly paths: readonly string[]
  /** Whether a file still has what we wrote last. One that a pull or a person has changed since is left out. */
  readonly isOurs: (path: string) => boolean
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

/** Milliseconds for which git may hold its locks, or other commits may come first. */
const MAX_WAIT_MS = 2_000
const STEP_MS = 50
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
  const inTurn = createTurns(1)
  return (request) => {
    const since = performance.now()
    return inTurn(async () =>
      performance.now() - since < patience ? commitFiles(repository, request) : LATE,
    )
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
  try {
    const author = request.author ?? (await ownAuthor(repository))
    const run = await runAsAdd(repository, toVariables(author))
    const { paths, left } = await judgeFiles({ ...repository, run }, request.paths)
    const deadline = performance.now() + MAX_WAIT_MS
    for (;;) {
      const outcome = await tryCommit(repository, run, { ...request, paths }, left)
      if (outcome.kind !== 'locked') return outcome
      if (performance.now() > deadline) return { kind: 'busy', reason: outcome.reason }
      await sleep(STEP_MS * (1 + Math.random()))
    }
  } catch (thrown) {
    return { kind: 'uncommitted', reason: toReason(thrown) }
  }
}

/** `locked`: another process of git holds a lock, or its commit came first. */
type Try = CommitOutcome | { readonly kind: 'locked'; readonly reason: string }

const PULLING: Try = { kind: 'locked', reason: 'git is fetching or merging' }

/** `run` runs git as `git add` would run, as the author. */
async function tryCommit(
  repository: Repository,
  run: RunGit,
  { paths, isOurs, message }: CommitRequest,
  refused: readonly LeftFile[],
): Promise<Try> {
  const { head, branch, gitFolder } = await headOf(repository)
  const operation = OPERATIONS.find(([file]) => existsSync(join(gitFolder, file)))
  if (operation !== undefined) return { kind: 'busy', reason: `${operation[1]} is in progress` }
  if (isPulling(repository.root)) return PULLING
  const ours = new Set(paths.filter(isOurs))
  const input = Array.from(ours, (path) => `${path}\0`).join('')
  const staged = await run(['update-index', '--add', '--remove', '-z', '--stdin'], input)
  if (staged.code !== 0) return toLocked(staged.stderr)
  if (staged.stderr.includes('Ignoring path'))
    throw new GitError(`git refuses a name: ${staged.stderr.trim()}`)
  // What a pull or a person has written meanwhile is theirs to commit.
  for (const path of ours) if (!isOurs(path)) ours.delete(path)
  const foreign = paths.filter((path) => !ours.has(path))
  const left = [
    ...refused,
    ...foreign.map((path) => ({ path, reason: `${JSON.stringify(path)} has been changed again` })),
  ]
  const entries = ours.size === 0 ? [] : toEntries(await linesOf(repository, [...STAGED, ...ours]))
  if (entries.length === 0)
    return left[0] === undefined ? { kind: 'unchanged' } : { kind: 'uncommitted', reason: left[0].reason }
  const tree = await writeTree(repository, head, entries)
  // A file in place of a folder would take away others.
  const changed = head === null ? [] : await linesOf(repository, [...CHANGED, head, tree])
  const other = changed.find((path) => !ours.has(path))
  if (other !== undefined) return { kind: 'uncommitted', reason: `${JSON.stringify(other)} is in the way` }
  const text = message.replaceAll('\0', '').trimEnd()
  const parents = head === null ? [] : ['-p', head]
  const making = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', tree, ...parents]
  const commit = toLine(await must({ ...repository, run }, making, `${text}\n`))
  if (isPulling(repository.root)) return PULLING
  const reflog = `commit: ${text.split('\n')[0]?.slice(0, MAX_SUBJECT)}`
  const moved = await run(['update-ref', '-m', reflog, 'HEAD', commit, head ?? ''])
  return moved.code === 0 ? { kind: 'committed', commit, branch, left } : toLocked(moved.stderr)
}

/** The git folder, the last commit, null before the first one of a branch, and the branch, null where none is checked out. */
async function headOf(repository: Repository) {
  const [folder, head, ref] = await Promise.all([
    must(repository, ['rev-parse', '--absolute-git-dir']),
    hashOf(repository, 'HEAD'),
    repository.run(['symbolic-ref', '--quiet', 'HEAD']),
  ])
  return {
    head,
    branch: ref.code === 0 ? toLine(ref).replace(/^refs\/heads\//, '') : null,
    gitFolder: toLine(folder),
  }
}

/** What is staged in another version than the last commit has, of some paths. */
const STAGED = ['diff', '--cached', '--raw', '--no-abbrev', '-z', '--no-renames', '--no-ext-diff', '--']
const CHANGED = ['diff-tree', '-r', '-z', '--name-only', '--no-renames']

/** The lines for an index, from those of a comparison: the modes, the hashes and the kind of change, then the path. */
function toEntries(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [, mode, , blob] = word.split(' ')
    return at % 2 === 0 ? [`${mode} ${blob}\t${words[at + 1]}\0`] : []
  })
}

/** The tree of a commit with some entries changed (lines for `git update-index --index-info`), by an index of its own. */
export async function writeTree(
  repository: Repository,
  head: string | null,
  entries: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
  try {
    const own = { ...repository, run: repository.runWith({ GIT_INDEX_FILE: join(folder, 'index') }) }
    // A split index would leave a part of it in the git folder.
    const settings = ['-c', 'core.splitIndex=false']
    await must(own, [...settings, 'read-tree', head ?? '--empty'])
    await must(own, [...settings, 'update-index', '-z', '--index-info'], entries.join(''))
    // In a partial clone the contents of other files may be missing.
    return toLine(await must(own, [...settings, 'write-tree', '--missing-ok']))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws where waiting does not help. */
function toLocked(stderr: string): Try {
  if (stderr.includes("index.lock': File exists"))
    return { kind: 'locked', reason: 'another git process holds index.lock' }
  if (/but expected|already exists|File exists/.test(stderr))
    return { kind: 'locked', reason: toReasonOfGit(stderr) }
  throw new GitError(toReasonOfGit(stderr))
}
