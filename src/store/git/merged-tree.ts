import { linesOf, type Repository } from './repository.js'

/** What git makes of two commits, without a work tree. */
export interface MergedTree {
  readonly tree: string
  /** The paths, from the top of the repository, that it cannot merge; they have marks in the tree. */
  readonly conflicts: readonly string[]
}

/** The merge of two commits by lines, as a host would make it; null where git makes none (git-merge-tree, "EXIT STATUS"). */
export async function mergedTree(
  { run }: Repository,
  one: string,
  other: string,
): Promise<MergedTree | null> {
  const asked = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, other]
  const { code, stdout } = await run(asked)
  if (code !== 0 && code !== 1) return null
  const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0')
  return { tree, conflicts: conflicts.filter((path) => path !== '') }
}

/** The last commit that two have in common; null for none. */
export async function mergeBase({ run }: Repository, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await run(['merge-base', one, other])
  return code === 0 ? stdout.toString('utf8').trim() : null
}

/** The paths below a folder that differ between two commits; `''` is the top. */
export async function changedPaths(
  repository: Repository,
  one: string,
  other: string,
  folder: string,
): Promise<readonly string[]> {
  const within = folder === '' ? [] : ['--', folder]
  return linesOf(repository, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', one, other, ...within])
}
