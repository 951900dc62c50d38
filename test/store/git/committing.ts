import * as assert from 'uvu/assert'
import { type CommitOutcome, type CommitRequest, commitFiles } from '../../../src/store/git/commit.js'
import type { GitLimits } from '../../../src/store/git/process.js'
import { openRepository, type Repository } from '../../../src/store/git/repository.js'
import type { TestRepository } from '../../support/repository.js'

/** The new texts of files by path; null deletes one. */
export type Texts = Readonly<Record<string, string | Uint8Array | null>>

export async function opened(folder: string, limits?: GitLimits): Promise<Repository> {
  const { value } = await openRepository(folder, limits)
  assert.ok(value !== null, 'the repository cannot be opened')
  return value as Repository
}

/** Writes files and commits them, as publishing does. */
export async function publish(
  { dir, write, remove }: Pick<TestRepository, 'dir' | 'write' | 'remove'>,
  texts: Texts,
  request: Partial<CommitRequest> = {},
): Promise<CommitOutcome> {
  for (const [path, text] of Object.entries(texts)) {
    if (text === null) remove(path)
    else write(path, text)
  }
  const author = { name: 'Eva Díaz', email: 'eva@example.org' }
  return commitFiles(await opened(dir), {
    paths: Object.keys(texts),
    isOurs: () => true,
    author,
    message: 'Menu a: 1 change',
    ...request,
  })
}

/** The hash of the commit that was made. */
export function idOf(outcome: CommitOutcome): string {
  assert.is(outcome.kind, 'committed', JSON.stringify(outcome))
  return outcome.kind === 'committed' ? outcome.commit : ''
}

/** Why nothing was committed. */
export function reasonOf(outcome: CommitOutcome, kind: 'busy' | 'uncommitted'): string {
  assert.is(outcome.kind, kind, JSON.stringify(outcome))
  return 'reason' in outcome ? outcome.reason : ''
}

/** The states of files as `git status` reports them, `XY PATH`, by path. */
export function statusOf({ git }: TestRepository): readonly string[] {
  return git('status', '--porcelain', '--untracked-files=all', '--no-renames', '-z')
    .split('\0')
    .filter(Boolean)
}

/** The paths that a commit changes. */
export function pathsOf({ git }: TestRepository, commit: string): readonly string[] {
  const asked = ['show', '--no-renames', '--name-only', '--format=', '-z', commit]
  return git(...asked)
    .split('\0')
    .filter(Boolean)
}

/** Runs something with variables of the environment. */
export async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
