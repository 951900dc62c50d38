import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit, createLoneGit, type RunGit } from './process.js'
import { GitError } from './repository.js'

/** The three versions of a merge, by what `T` says of each. */
export interface Versions<T> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** What git makes of three versions, line by line. */
export interface LineMerge {
  readonly bytes: Uint8Array
  /** Whether there is no conflict; else the bytes have its marks. */
  readonly isClean: boolean
}

/**
 * Merges three files as git itself does, under the settings of the repository around a folder; null when it cannot,
 * because they hold no text or are not there.
 */
export function mergeFiles(
  folder: string,
  files: Versions<string>,
  options: readonly string[],
): Promise<LineMerge | null> {
  return mergeWith(createGit(folder), files, options)
}

async function mergeWith(
  git: RunGit,
  { base, mine, theirs }: Versions<string>,
  options: readonly string[],
): Promise<LineMerge | null> {
  const labels = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label])
  const { code, stdout } = await git([
    'merge-file',
    '-p',
    '-q',
    ...options,
    ...labels,
    '--',
    mine,
    base,
    theirs,
  ])
  // The exit code is the number of conflicts, 127 at most.
  return code < 0 || code > 127 ? null : { bytes: stdout, isClean: code === 0 }
}

/** Merges three texts line by line; where both changed the same lines, those of `mine` are taken. Throws GitError when git cannot. */
export async function mergeTexts(texts: Versions<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'menuscript-merge-'))
  try {
    const files = { base: join(folder, 'base'), mine: join(folder, 'mine'), theirs: join(folder, 'theirs') }
    for (const side of ['base', 'mine', 'theirs'] as const) writeFileSync(files[side], texts[side])
    const merged = await mergeWith(createLoneGit(folder), files, ['--ours'])
    // One side in place of both would lose the other.
    if (merged === null) throw new GitError('git merge-file failed')
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(merged.bytes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether conflicts are to show what was before, as `merge.conflictStyle` of the repository around a folder says. */
export async function showsBase(folder: string): Promise<boolean> {
  const git = createGit(folder)
  const { stdout } = await git(['config', '--get', 'merge.conflictStyle'])
  return /^z?diff3\s*$/.test(new TextDecoder().decode(stdout))
}
