import type { Limits } from '../../model/limits.js'
import { scanDisk } from '../disk-tree.js'
import { isGone } from '../entry.js'
import { MENU_NAME, type MenusFolder } from '../menu-paths.js'
import type { MenuTree } from '../menu-tree.js'
import { treeOfCommit } from './commit-tree.js'
import type { Repository } from './repository.js'
import { hashOnDisk } from './since.js'

/**
 * The menus that a folder has on the disk now, without the problems of its folders, which a commit does not have. Null where
 * there is no such folder. Throws file system errors for a folder that cannot be listed.
 */
export async function treeOfWork(
  folder: MenusFolder,
  limits: Pick<Limits, 'bytes'>,
): Promise<MenuTree | null> {
  try {
    const { entries, read } = await scanDisk(folder, limits)
    return { entries: new Map([...entries].filter(([path]) => MENU_NAME.test(path))), read }
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown
    return null
  }
}

/** A menus folder, and where it is in a repository, as `toTreePath` gives it. */
export interface RepositoryFolder {
  readonly repository: Repository
  readonly inTree: string
  readonly folder: MenusFolder
  readonly limits: Pick<Limits, 'bytes'>
}

/** The menus of a commit, by its full hash (null for none), and those on the disk now, with comparable versions. */
export async function treesSince(
  commit: string | null,
  { repository, inTree, folder, limits }: RepositoryFolder,
): Promise<readonly [before: MenuTree | null, now: MenuTree | null]> {
  const before = commit === null ? null : await treeOfCommit(repository, commit, inTree, folder, limits)
  const now = await treeOfWork(folder, limits)
  return [before, now && (await withHashes(now, before, commit ?? ''))]
}

/** A tree of the disk with the versions that a commit has for the same contents. One that cannot be read equals none. */
async function withHashes(tree: MenuTree, commit: MenuTree | null, like: string): Promise<MenuTree> {
  const entries = new Map([...tree.entries].filter(([, { problem }]) => problem !== null))
  for await (const [path, content] of tree.read(tree.entries.keys())) {
    const entry = tree.entries.get(path)
    if (content === null || entry?.problem !== null) continue
    const { text } = content
    const committed = commit?.entries.get(path)?.version ?? null
    const version = text instanceof Uint8Array ? hashOnDisk(text, committed, like) : ''
    entries.set(path, { ...entry, version })
  }
  return { entries, read: tree.read }
}
