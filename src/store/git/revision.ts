import { toNearest } from '../../document/did-you-mean.js'
import { done, failed } from '../../model/result.js'
import type { GitOutput } from './process.js'
import {
  broken,
  type GitAnswer,
  type GitFault,
  hashOf,
  linesOf,
  type Repository,
  toLine,
} from './repository.js'

/**
 * The one commit that a revision names (gitrevisions), by its full hash. Ranges, `^HEAD` and names of files and folders are
 * refused: a comparison with one may find nothing, which looks like a good result.
 */
export async function toCommit(repository: Repository, revision: string): Promise<GitAnswer<string>> {
  const asked = ['-c', 'core.warnAmbiguousRefs=true', 'rev-parse', '--verify', '--end-of-options']
  const named = await repository.run([...asked, revision])
  // An excluded revision has a hash, too: rev-parse prints it with its ^.
  if (named.code !== 0 || !/^[0-9a-f]+\n$/.test(named.stdout.toString('latin1')))
    return failed(await toRevisionFault(repository, revision, named))
  // A branch named HEAD is a common accident, and never meant.
  if (/^warning: refname /m.test(named.stderr) && revision !== 'HEAD') {
    const what = `${JSON.stringify(revision)} names more than one thing, such as a branch and a tag`
    return failed({ what, todo: 'Write refs/heads/… for the branch, refs/tags/… for the tag.' })
  }
  const commit = await repository.run([...asked, `${toLine(named)}^{commit}`])
  if (commit.code === 0) return done(toLine(commit))
  const isOther = /expected commit type/.test(commit.stderr)
  return failed(isOther ? notOneCommit(revision, 'a file or a folder') : broken(commit))
}

/** The syntax of gitrevisions for several commits, or for all but some. */
const RANGE = /^\^|\.\.|\^[@!]$|\^-\d*$/

function notOneCommit(revision: string, kind: string): GitFault {
  const what = `${JSON.stringify(revision)} is ${kind}, not one commit`
  return { what, todo: 'Name a branch, a tag or a commit.' }
}

async function toRevisionFault(
  repository: Repository,
  revision: string,
  { stderr }: GitOutput,
): Promise<GitFault> {
  if (revision === '') {
    const todo = 'Is a variable empty? Name a branch, a tag or a commit.'
    return { what: 'an empty revision names no commit', todo }
  }
  if (RANGE.test(revision)) return notOneCommit(revision, 'a range')
  if (stderr.includes(' is ambiguous')) {
    const commits = [...stderr.matchAll(/^hint: {1,9}([0-9a-f]{4,64}) commit (.{0,200})/gm)].map(
      ([, name, rest]) => `${name} of ${rest}`,
    )
    const todo = `Write more characters of it: ${commits.join('; ')}.`
    return { what: `${JSON.stringify(revision)} matches several commits`, todo }
  }
  const any = await repository.run(['rev-list', '--max-count=1', '--all'])
  if (any.code !== 0) return broken(any)
  if (toLine(any) === '')
    return { what: 'the repository has no commit yet', todo: 'Make the first commit, then try again.' }
  const what = `there is no revision ${JSON.stringify(revision)}`
  // In a clone of one branch, other branches are missing, not misspelt.
  if (repository.isShallow) return { what, todo: SHALLOW }
  const meant = /[~^:@]/.test(revision) ? null : await toMeant(repository, revision)
  if (meant !== null) return { what, todo: `Did you mean ${JSON.stringify(meant)}?` }
  if (/^(HEAD|@)/.test(revision) && (await hashOf(repository, 'HEAD')) === null) {
    const todo = 'Make its first commit, or name another branch.'
    return { what: 'the branch that is checked out has no commit yet', todo }
  }
  const todo = 'Check the name; a remote branch must be fetched first and has a name like origin/main.'
  return { what, todo }
}

/** The remote branch with this name, else a branch or a tag with a similar name. */
async function toMeant(repository: Repository, revision: string): Promise<string | null> {
  const kinds = ['refs/heads', 'refs/tags', 'refs/remotes']
  const refs = await linesOf(repository, ['for-each-ref', '--format=%(refname)', ...kinds])
  const names = refs.map((name) => name.replace(/^refs\/(heads|tags|remotes)\//, ''))
  return names.find((name) => name.endsWith(`/${revision}`)) ?? toNearest(revision, names)
}

const SHALLOW =
  'This clone lacks part of the history: `git fetch --unshallow` (in a workflow: fetch-depth: 0) fetches it.'

/** The common ancestor of two commits; the changes of a branch are counted from it. */
export async function toMergeBase(
  repository: Repository,
  one: string,
  other: string,
): Promise<GitAnswer<string>> {
  const base = await repository.run(['merge-base', '--end-of-options', one, other])
  if (base.code === 0) return done(toLine(base).split('\n')[0] ?? '')
  const what = 'the two revisions have no commit in common'
  return failed({ what, todo: repository.isShallow ? SHALLOW : 'Name revisions of one history.' })
}
