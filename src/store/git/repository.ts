import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { toNearest } from '../../document/nearest.js'
import {
  createGit,
  type GitOutput,
  type RunGit,
  toHookIndex,
  toNamedEnvironment,
  toOwnEnvironment,
  toReasonOfGit,
} from './process.js'

export type { GitOutput } from './process.js'

/** Why git cannot help, in words for whoever asked. */
export interface GitFault {
  readonly what: string
  readonly todo: string
}

/** What git answered, or why it did not. */
export type GitAnswer<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: GitFault }

/** A repository with a work tree. */
export interface Repository {
  /** The top folder of the work tree, without symbolic links. */
  readonly root: string
  /** Whether some of the history was left out when it was cloned. */
  readonly isShallow: boolean
  /** Runs git in the work tree; never throws for what git answers. `input` is what it reads. */
  readonly run: RunGit
}

/** A file of a commit: its path from the top of the work tree, and the name of its content. */
export interface CommittedFile {
  readonly path: string
  readonly blob: string
  readonly bytes: number
  readonly isLink: boolean
}

/** A repository that is damaged, or lacks what it should have: nothing that a caller could foresee. */
export class GitError extends Error {}

/** What git advises where a repository belongs to somebody else. */
const TRUST = 'git config --global --add safe.directory'

/** Opens the repository whose work tree a folder, or a path that is not there any more, lies in. */
export async function openRepository(folder: string): Promise<GitAnswer<Repository>> {
  const start = toFolder(resolve(folder))
  const environment = toOwnEnvironment(process.env)
  const named = toNamedEnvironment(process.env)
  const found = await look(start, environment)
  const other = found.code === 0 || named === null ? null : await look(start, named)
  // What the environment names counts where there is nothing else: a hook of one repository may look at another.
  const [seen, used] = other?.code === 0 && named !== null ? [other, named] : [found, environment]
  if (seen.code !== 0) return { value: null, fault: toOpenFault(folder, seen) }
  const [isInside, isShallow, ...root] = toLine(seen).split('\n')
  if (isInside !== 'true') return { value: null, fault: bare(folder) }
  const top = root.join('\n')
  const gitFolder = toLine(await createGit(top, used)(['rev-parse', '--absolute-git-dir']))
  const run = createGit(top, { ...used, ...toHookIndex(process.env, top, gitFolder) })
  return answer({ root: top, isShallow: isShallow === 'true', run })
}

function look(folder: string, environment: Parameters<typeof createGit>[1]): Promise<GitOutput> {
  const asked = ['--is-inside-work-tree', '--is-shallow-repository', '--show-toplevel']
  return createGit(folder, environment)(['rev-parse', ...asked])
}

/** The nearest folder on the way up. */
function toFolder(path: string): string {
  if (dirname(path) === path) return path
  try {
    if (statSync(path).isDirectory()) return path
  } catch {
    // It is not there, or may not be looked at.
  }
  return toFolder(dirname(path))
}

/** What git printed, without the last line break. */
function toLine({ stdout }: GitOutput): string {
  return stdout.toString('utf8').replace(/\n$/, '')
}

/** The commit that a revision names (gitrevisions). */
export async function toCommit(repository: Repository, revision: string): Promise<GitAnswer<string>> {
  const asked = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]
  const named = await repository.run(['-c', 'core.warnAmbiguousRefs=true', ...asked])
  if (named.code !== 0) return { value: null, fault: await toRevisionFault(repository, revision, named) }
  // A branch of the name HEAD is a common accident, and nobody means it.
  if (/^warning: refname /m.test(named.stderr) && revision !== 'HEAD') {
    const todo = `Write refs/heads/… for the branch, refs/tags/… for the tag.`
    return fault(`${JSON.stringify(revision)} names more than one thing, such as a branch and a tag`, todo)
  }
  return answer(toLine(named))
}

async function toRevisionFault(
  repository: Repository,
  revision: string,
  { stderr }: GitOutput,
): Promise<GitFault> {
  if (/short object ID \S+ is ambiguous/.test(stderr)) {
    const commits = [...stderr.matchAll(/^hint: +(\S+) commit (.*)$/gm)].map(
      ([, name, rest]) => `${name} of ${rest}`,
    )
    const todo = `Write more of its name: ${commits.join('; ')}.`
    return { what: `${JSON.stringify(revision)} is the beginning of several commits`, todo }
  }
  const any = await repository.run(['rev-list', '--max-count=1', '--all'])
  if (any.code !== 0) {
    const what = `git cannot read the repository: ${any.stderr.trim().split('\n')[0] ?? ''}`
    return { what, todo: 'See what `git fsck` says, or clone it anew.' }
  }
  if (toLine(any) === '')
    return { what: 'the repository has no commit yet', todo: 'Make the first commit, then ask again.' }
  const what = `there is no revision ${JSON.stringify(revision)}`
  // In a clone of one branch the others are missing, not misspelt.
  if (repository.isShallow) return { what, todo: SHALLOW }
  const isPlain = !/[~^:@]/.test(revision)
  const meant = isPlain ? toMeant(revision, await refNames(repository)) : null
  if (meant !== null) return { what, todo: `Did you mean ${JSON.stringify(meant)}?` }
  const head = await repository.run(['rev-parse', '--verify', '--quiet', 'HEAD'])
  return head.code !== 0 && /^(HEAD|@)/.test(revision)
    ? {
        what: 'the branch that is checked out has no commit yet',
        todo: 'Make its first commit, or name another branch.',
      }
    : {
        what,
        todo: 'Check the name; a branch of a remote must be fetched first and is called like origin/main.',
      }
}

/** The branches, those of remotes included, and the tags. */
async function refNames(repository: Repository): Promise<readonly string[]> {
  const listed = await must(repository, [
    'for-each-ref',
    '--format=%(refname)',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ])
  return toLine(listed)
    .split('\n')
    .map((name) => name.replace(/^refs\/(heads|tags|remotes)\//, ''))
}

/** The branch of a remote that has the name, else one that is written alike. */
function toMeant(revision: string, names: readonly string[]): string | null {
  return names.find((name) => name.endsWith(`/${revision}`)) ?? toNearest(revision, names)
}

const SHALLOW =
  'Some of the history was left out when this was cloned: `git fetch --unshallow` (in a workflow: fetch-depth: 0) brings it.'

/** The commit that two others have in common; what a branch changes is told against it. */
export async function toMergeBase(
  repository: Repository,
  one: string,
  other: string,
): Promise<GitAnswer<string>> {
  const base = await repository.run(['merge-base', '--end-of-options', one, other])
  if (base.code === 0) return answer(toLine(base).split('\n')[0] ?? '')
  const what = 'the two revisions have no commit in common'
  return fault(what, repository.isShallow ? SHALLOW : 'Name revisions of one history.')
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
        /^(\d+) blob ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? []
      // What has the name of the folder and is a file is none of its files.
      if (path === '' || (folder !== '' && !path.startsWith(`${folder}/`))) return []
      // Of a content that is missing git says no size, and no more.
      if (!/^\d+$/.test(bytes)) throw lacks(blob)
      return [{ path, blob, bytes: Number(bytes), isLink: mode === '120000' }]
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
  const diff = ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', commit]
  const outputs = [
    await must(repository, [...diff, ...within]),
    await must(repository, ['ls-files', '--others', '-z', ...within]),
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
    if (!Number.isInteger(bytes)) throw lacks(blob)
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
  if (output.code !== 0) {
    const command = args.find((arg, place) => !arg.startsWith('-') && args[place - 1] !== '-c')
    throw new GitError(`git ${command} failed: ${toReasonOfGit(output.stderr)}`)
  }
  return output
}

/** Why a folder is no part of a repository. */
function toOpenFault(folder: string, { stderr }: GitOutput): GitFault {
  if (stderr.startsWith('fatal: ENOENT'))
    return { what: 'git is not installed', todo: 'Install git (https://git-scm.com/), 2.38 or newer.' }
  if (stderr.includes('dubious ownership')) {
    const lines = stderr.split('\n').map((line) => line.trim())
    const advice = lines.find((line) => line.startsWith(TRUST)) ?? `${TRUST} PATH`
    const todo = `If you trust it: ${advice}`
    return { what: `${folder} is a repository of another user, which git does not trust`, todo }
  }
  if (stderr.includes('must be run in a work tree')) return bare(folder)
  if (stderr.includes('not a git repository')) {
    const what = `${folder} is not in a git repository`
    return { what, todo: 'Run this in a clone of one, or make one with `git init`.' }
  }
  return { what: `git refuses: ${toReasonOfGit(stderr)}`, todo: 'Mend what git says, then ask again.' }
}

/** The error of a repository without one of its contents. */
export function lacks(blob: string): GitError {
  return new GitError(`the repository lacks the object ${blob}; git fsck tells more`)
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
