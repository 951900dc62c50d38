import type { RunGit } from './process.js'

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
