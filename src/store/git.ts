import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Why git cannot help, in words for whoever asked. */
export interface GitFault {
  readonly what: string
  readonly todo: string
}

/** What git answered, or why it did not. */
export type GitAnswer<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: GitFault }

/** What one call of git left behind. */
export interface GitOutput {
  /** The exit code. */
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** A repository with a work tree. */
export interface Repository {
  /** The top folder of the work tree, without symbolic links. */
  readonly root: string
  /** Whether some of the history was left out when it was cloned. */
  readonly isShallow: boolean
  /** Runs git in the work tree; never throws for what git answers. `input` is what it reads. */
  readonly run: (args: readonly string[], input?: string | Uint8Array) => Promise<GitOutput>
}

/** A file of a commit: its path from the top of the work tree, and the name of its content. */
export interface CommittedFile {
  readonly path: string
  readonly blob: string
  readonly bytes: number
  readonly isLink: boolean
}

const MAX_OUTPUT_BYTES = 1 << 30
/** Git speaks one language, asks nobody, and does not wait for locks that only make it faster. */
const ENVIRONMENT = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' }

/** Opens the repository whose work tree a folder lies in. */
export async function openRepository(folder: string): Promise<GitAnswer<Repository>> {
  const run: Repository['run'] = (args, input) => runGit(folder, args, input)
  const seen = await run(['rev-parse', '--is-inside-work-tree', '--is-shallow-repository', '--show-toplevel'])
  if (seen.code !== 0) return { value: null, fault: toOpenFault(folder, seen) }
  const [isInside, isShallow, ...root] = seen.stdout.toString('utf8').replace(/\n$/, '').split('\n')
  if (isInside !== 'true') return { value: null, fault: bare(folder) }
  const top = root.join('\n')
  return answer({
    root: top,
    isShallow: isShallow === 'true',
    run: (args, input) => runGit(top, args, input),
  })
}

/** The commit that a revision names (gitrevisions). */
export async function toCommit(repository: Repository, revision: string): Promise<GitAnswer<string>> {
  const named = await repository.run([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ])
  if (named.code === 0) return answer(named.stdout.toString('utf8').trim())
  const head = await repository.run(['rev-parse', '--verify', '--quiet', 'HEAD'])
  if (head.code !== 0)
    return fault('the repository has no commit yet', 'Make the first commit, then ask again.')
  const what = `there is no revision ${JSON.stringify(revision)}`
  return fault(
    what,
    repository.isShallow
      ? 'Some of the history was left out when this was cloned: `git fetch --unshallow` (in a workflow: fetch-depth: 0) brings it.'
      : 'Check the name; a branch of a remote must be fetched first and is called like origin/main.',
  )
}

/** The commit that two others have in common; what a branch changes is told against it. */
export async function toMergeBase(
  repository: Repository,
  one: string,
  other: string,
): Promise<GitAnswer<string>> {
  const base = await repository.run(['merge-base', one, other])
  if (base.code === 0) return answer(base.stdout.toString('utf8').split('\n')[0] ?? '')
  const what = 'the two revisions have no commit in common'
  return fault(
    what,
    repository.isShallow
      ? 'Some of the history was left out when this was cloned: `git fetch --unshallow` (in a workflow: fetch-depth: 0) brings it.'
      : 'Name revisions of one history.',
  )
}

/** The files that a folder had in a commit, in byte order; none where it was not there. `folder` is as `toTreePath` gives it. */
export async function filesAt(
  repository: Repository,
  commit: string,
  folder: string,
): Promise<readonly CommittedFile[]> {
  const paths = folder === '' ? [] : ['--', folder]
  const { stdout } = await must(repository, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit, ...paths])
  return stdout
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', blob = '', bytes = '', path = ''] =
        /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? []
      return path === '' ? [] : [{ path, blob, bytes: Number(bytes), isLink: mode === '120000' }]
    })
}

/**
 * The paths, from the top of the work tree, of files whose content is not that of a commit, or that it does not have:
 * staged or not, tracked or not, ignored ones included. `paths` bound where is looked; each is as `toTreePath` gives it.
 */
export async function changedSince(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const within = ['--', ...paths.map((path) => (path === '' ? '.' : path))]
  const literally = '--literal-pathspecs'
  const diff = ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', commit]
  const outputs = [
    await must(repository, [literally, ...diff, ...within]),
    await must(repository, [literally, 'ls-files', '--others', '-z', ...within]),
  ]
  const names = outputs.flatMap(({ stdout }) => stdout.toString('utf8').split('\0'))
  return new Set(names.filter((name) => name !== ''))
}

/** The contents with these names, in one call. */
export async function readBlobs(
  repository: Repository,
  blobs: Iterable<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Set(blobs)]
  const found = new Map<string, Uint8Array>()
  if (wanted.length === 0) return found
  const { stdout } = await must(repository, ['cat-file', '--batch'], `${wanted.join('\n')}\n`)
  let at = 0
  for (const blob of wanted) {
    const lineEnd = stdout.indexOf(0x0a, at)
    const bytes = Number(stdout.toString('utf8', at, lineEnd).split(' ')[2])
    if (!Number.isInteger(bytes)) throw new Error(`git does not have ${blob}`)
    found.set(blob, stdout.subarray(lineEnd + 1, lineEnd + 1 + bytes))
    at = lineEnd + 1 + bytes + 1
  }
  return found
}

/** A folder as git names it, from the top of the work tree with `/`; `''` for the top, null for what is not in it. */
export function toTreePath({ root }: Repository, folder: string): string | null {
  const path = relative(root, toRealPath(resolve(folder)))
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return isOutside ? null : path.split(sep).join('/')
}

/** A path without symbolic links, as far as it is there. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(toRealPath(dirname(path)), basename(path))
  }
}

/** Runs git where only a bug, or a repository that is damaged, lets it fail. */
export async function must(
  repository: Repository,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<GitOutput> {
  const output = await repository.run(args, input)
  if (output.code !== 0)
    throw new Error(`git ${args.find((arg) => !arg.startsWith('-'))} failed: ${output.stderr.trim()}`)
  return output
}

function runGit(folder: string, args: readonly string[], input?: string | Uint8Array): Promise<GitOutput> {
  return new Promise((done) => {
    const options = {
      cwd: folder,
      env: { ...process.env, ...ENVIRONMENT },
      encoding: 'buffer' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    }
    const child = execFile('git', [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      const reason = code === -1 ? `${error?.message ?? ''} (${error?.code ?? error?.signal ?? ''})` : ''
      done({ code, stdout, stderr: reason + stderr.toString('utf8') })
    })
    // A git that ends before it has read everything closes the pipe; its answer says why.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Why a folder is no part of a repository. */
function toOpenFault(folder: string, { stderr }: GitOutput): GitFault {
  if (stderr.includes('ENOENT')) {
    return existsSync(folder)
      ? { what: 'git is not installed', todo: 'Install git (https://git-scm.com/), 2.38 or newer.' }
      : { what: `there is no folder ${folder}`, todo: 'Check the path.' }
  }
  if (stderr.includes('dubious ownership')) {
    const todo = `If you trust it: git config --global --add safe.directory ${folder}`
    return { what: `${folder} is a repository of another user, which git does not trust`, todo }
  }
  if (stderr.includes('must be run in a work tree')) return bare(folder)
  if (stderr.includes('not a git repository')) {
    const what = `${folder} is not in a git repository`
    return { what, todo: 'Run this in a clone of one, or make one with `git init`.' }
  }
  return {
    what: `git refuses: ${stderr.trim().split('\n')[0] ?? ''}`,
    todo: 'Mend what git says, then ask again.',
  }
}

function bare(folder: string): GitFault {
  return { what: `${folder} is a repository without a work tree`, todo: 'Run this in a clone with files.' }
}

function answer<T>(value: T): GitAnswer<T> {
  return { value, fault: null }
}

function fault(what: string, todo: string): { readonly value: null; readonly fault: GitFault } {
  return { value: null, fault: { what, todo } }
}
