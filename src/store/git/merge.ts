import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createGit, GitError, type RunGit } from './process.js'

/** The three versions of a merge, each as `T`. */
export interface Versions<T> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** Git's merge of three versions, line by line. */
export interface LineMerge {
  readonly bytes: Uint8Array
  /** Whether there is no conflict; else the bytes have its marks. */
  readonly isClean: boolean
}

/** Merges three files as git itself does; null when it cannot, because they are not text or do not exist. */
export async function mergeLines(
  git: RunGit,
  { base, mine, theirs }: Versions<string>,
  options: readonly string[],
): Promise<LineMerge | null> {
  const labels = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label])
  const asked = ['merge-file', '-p', '-q', ...options, ...labels]
  const { code, stdout } = await git([...asked, '--', mine, base, theirs])
  // The exit code is the number of conflicts, at most 127.
  return code < 0 || code > 127 ? null : { bytes: stdout, isClean: code === 0 }
}

/** Whether conflicts also show the base, by `merge.conflictStyle`. */
export async function showsBase(git: RunGit): Promise<boolean> {
  const { stdout } = await git(['config', '--get', 'merge.conflictStyle'])
  return /^z?diff3\s*$/.test(stdout.toString('utf8'))
}

/** Without the settings of a user, a machine or a surrounding repository, which change the form of differences. */
const OF_NO_MACHINE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
}

/** Merges three texts line by line; `mine` wins where both changed the same lines. Throws GitError when git fails. */
export async function mergeTexts(texts: Versions<string>): Promise<string> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'menuscript-'))
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    const git = createGit(folder, { ...OF_NO_MACHINE, GIT_CEILING_DIRECTORIES: dirname(folder) })
    const merged = await mergeLines(git, { base: 'base', mine: 'mine', theirs: 'theirs' }, ['--ours'])
    // One side in place of both would lose the other.
    if (merged === null) throw new GitError('git merge-file failed')
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(merged.bytes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
