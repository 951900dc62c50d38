import { statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { done, failed, type Result } from '../../model/result.js'
import { toRealPath } from '../inside.js'
import {
  createGit,
  GitError,
  type GitLimits,
  type GitOutput,
  namedRepository,
  type RunGit,
  toReasonOfGit,
} from './process.js'

/** Why git cannot help, in words for people. */
export interface GitFault {
  readonly what: string
  readonly todo: string
}

/** Git's answer, or why there is none. */
export type GitAnswer<T> = Result<T, GitFault>

/** A repository with a work tree. */
export interface Repository {
  /** The top folder of the work tree, without symbolic links. */
  readonly root: string
  /** Whether it is a shallow clone. */
  readonly isShallow: boolean
  /** Runs git in the work tree; never throws for its answer. `input` is its standard input. */
  readonly run: RunGit
  /** Makes such a function with more environment variables, such as an index of its own. */
  readonly runWith: (variables: Readonly<Record<string, string>>) => RunGit
}

/** Git's advice for a repository that belongs to another user. */
const TRUST = 'git config --global --add safe.directory'

/** Opens the repository whose work tree contains a folder, or a path that no longer exists; `limits` are those of each call. */
export async function openRepository(folder: string, limits: GitLimits = {}): Promise<GitAnswer<Repository>> {
  const start = toFolder(resolve(folder))
  const named = namedRepository(process.env)
  const found = await look(start, {}, limits)
  const other = found.code === 0 || named === null ? null : await look(start, named, limits)
  // The environment counts only when there is nothing else: a hook of one repository may read another.
  const [seen, used] = other?.code === 0 && named !== null ? [other, named] : [found, {}]
  if (seen.code !== 0) return failed(toOpenFault(folder, seen))
  const [isInside, isShallow, ...root] = toLine(seen).split('\n')
  if (isInside !== 'true') return failed(bare(folder))
  const top = root.join('\n')
  const runWith: Repository['runWith'] = (variables) => createGit(top, { ...used, ...variables }, limits)
  return done({ root: top, isShallow: isShallow === 'true', run: runWith({}), runWith })
}

function look(...[folder, named, limits]: Parameters<typeof createGit>): Promise<GitOutput> {
  const asked = ['--is-inside-work-tree', '--is-shallow-repository', '--show-toplevel']
  return createGit(folder, named, limits)(['rev-parse', ...asked])
}

/** The nearest existing folder above. */
function toFolder(path: string): string {
  if (dirname(path) === path) return path
  try {
    if (statSync(path).isDirectory()) return path
  } catch {
    // It does not exist, or is not readable.
  }
  return toFolder(dirname(path))
}

/** Git's output without the last line break. */
export function toLine({ stdout }: GitOutput): string {
  return stdout.toString('utf8').replace(/\n$/, '')
}

/** A folder as git names it, from the top of the work tree with `/`; `''` for the top, null outside it. */
export function toTreePath({ root }: Repository, folder: string): string | null {
  const path = relative(root, toRealPath(resolve(folder)))
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return isOutside ? null : path.split(sep).join('/')
}

/** Runs git where only a bug, or a damaged repository, can make it fail. */
export async function must(
  repository: Repository,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<GitOutput> {
  const output = await repository.run(args, input)
  if (output.code !== 0) {
    const [, missing] =
      /^fatal: (?:could not fetch|unable to read) ([0-9a-f]{40,64})/m.exec(output.stderr) ?? []
    if (missing !== undefined) throw lacks(missing)
    const command = args.find((arg, place) => !arg.startsWith('-') && args[place - 1] !== '-c')
    throw new GitError(`git ${command} failed: ${toReasonOfGit(output.stderr)}`)
  }
  return output
}

/** The full hash that a revision names; null where there is none, such as `HEAD` before the first commit of a branch. */
export async function hashOf(repository: Repository, revision: string): Promise<string | null> {
  const output = await repository.run(['rev-parse', '--verify', '--quiet', revision])
  if (output.code !== 0 && output.code !== 1) throw new GitError(toReasonOfGit(output.stderr))
  return output.code === 0 ? toLine(output) : null
}

/** Git's output where it must not fail: its lines or, with `-z`, its NUL-separated parts. */
export async function linesOf(
  repository: Repository,
  args: readonly string[],
  input?: string,
): Promise<readonly string[]> {
  const { stdout } = await must(repository, args, input)
  const lines = stdout.toString('utf8').split(args.includes('-z') ? '\0' : '\n')
  return lines.filter((line) => line !== '')
}

/** The message about a repository that git cannot read. */
export function broken({ stderr }: GitOutput): GitFault {
  const what = `git cannot read the repository: ${toReasonOfGit(stderr)}`
  return { what, todo: 'Run `git fsck` to find out why, or clone it again.' }
}

/** Why a folder is not part of a repository. */
function toOpenFault(folder: string, { stderr }: GitOutput): GitFault {
  if (stderr.startsWith('fatal: ENOENT'))
    return { what: 'git is not installed', todo: 'Install git (https://git-scm.com/), 2.38 or newer.' }
  if (stderr.includes('dubious ownership')) {
    const lines = stderr.split('\n').map((line) => line.trim())
    const advice = lines.find((line) => line.startsWith(TRUST)) ?? `${TRUST} PATH`
    const todo = `If you trust it: ${advice}`
    return { what: `${folder} is a repository of another user, which git does not trust`, todo }
  }
  const [, bareFolder] = /^fatal: cannot use bare repository '([^'\n]{0,4096})/m.exec(stderr) ?? []
  if (bareFolder !== undefined) return bare(bareFolder)
  if (stderr.includes('must be run in a work tree')) return bare(folder)
  if (stderr.includes('not a git repository')) {
    const what = `${folder} is not in a git repository`
    return { what, todo: 'Run this in a clone of one, or create one with `git init`.' }
  }
  return { what: `git refuses: ${toReasonOfGit(stderr)}`, todo: 'Fix what git reports, then try again.' }
}

/** Menuscript never fetches: a remote may be anything, a command included. */
const FETCH =
  'in a partial clone `git fetch --refetch --no-filter` brings it; otherwise `git fsck` reports more'

/** The error for a repository without one of its contents. */
export function lacks(blob: string): GitError {
  return new GitError(`the repository lacks the object ${blob}; ${FETCH}`)
}

/** Committed files can make a folder look like one, with unwanted settings: git is kept away from it. */
function bare(folder: string): GitFault {
  const what = `${folder} has the files of a bare git repository (HEAD, objects, refs), and is not read as one`
  return { what, todo: 'Run this in a clone with files, and delete these if they are committed.' }
}
