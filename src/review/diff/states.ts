import { toReason } from '../../service/log.js'
import { treeOfCommit } from '../../store/git/commit-tree.js'
import { compareTrees, type MenuState } from '../../store/git/compare-trees.js'
import type { Repository } from '../../store/git/repository.js'
import { toCommit, toMergeBase } from '../../store/git/revision.js'
import { movedWay } from '../../store/git/since.js'
import { treesSince } from '../../store/git/work-tree.js'
import type { MenuTree } from '../../store/menu-tree.js'
import type { ReadOptions } from '../../store/read-options.js'
import { menusFolderOf } from '../reading.js'
import { fromGit, Refusal, type RefusalReason, refuse } from '../refusal.js'
import { openMenusRepository, type Site } from '../site.js'

/** The name of one of the two compared states. */
export interface StateName {
  /** Such as `main (1a2b3c4)` or `the work tree`. */
  readonly title: string
  /** The full hash of the commit; null for the work tree. */
  readonly commit: string | null
}

/** The same for a commit. */
interface CommitName extends StateName {
  readonly commit: string
}

export interface ComparedState extends StateName {
  /** Null when the menus folder does not exist. */
  readonly state: MenuState | null
}

export interface ComparedStates {
  readonly base: ComparedState
  readonly head: ComparedState
  /** How many files are the same in both and were not read. */
  readonly unread: number
}

/**
 * Reads both states of a comparison. Null is HEAD against the work tree; `BASE` is the work tree's changes since the common
 * ancestor of BASE and HEAD, as a pull request is judged; `BASE..HEAD` are these two exactly, and `BASE...HEAD` is HEAD's
 * changes since their common ancestor (gitrevisions). Both ends must be named: an empty variable of a gate would compare
 * HEAD with itself. Files that are the same in both are not read, except those that may have `code`.
 */
export async function readStates(
  range: string | null,
  site: Site,
  reading: ReadOptions,
  code: string | null,
): Promise<ComparedStates> {
  const { repository, folder: inTree } = await openMenusRepository(site)
  const { base, head } = await nameStates(repository, range)
  const { menusFolder } = site
  try {
    await refuseStray(repository, menusFolder, [base, head])
    const [folder, { limits }] = [menusFolderOf(site), reading]
    const treeAt = (commit: string): Promise<MenuTree | null> =>
      treeOfCommit(repository, commit, inTree, folder, limits)
    const [old, now] =
      head.commit === null
        ? await treesSince(base.commit, { repository, inTree, folder, limits })
        : [await treeAt(base.commit), await treeAt(head.commit)]
    const { before, after, unread } = await compareTrees(old, now, { reading, code })
    if (before !== null || after !== null)
      return { base: { ...base, state: before }, head: { ...head, state: after }, unread }
    const what = `there is no folder ${menusFolder}, neither in ${base.title} nor in ${head.title}`
    return refuse('configuration', `${what}. Point storage.connections at the menus.`)
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    const todo = 'Check the permissions of the folder, and run `git fsck`.'
    return refuse('configuration', `the menus cannot be read: ${toReason(thrown)}. ${todo}`)
  }
}

async function nameStates(
  repository: Repository,
  range: string | null,
): Promise<{ readonly base: CommitName; readonly head: StateName }> {
  const reason: RefusalReason = range === null ? 'configuration' : 'usage'
  // The two ends, and what is between them: nothing, two dots or three (gitrevisions).
  const [, oldName = '', dots, newName = 'HEAD'] = /^(.*?)(?:(\.{2,3})(.*))?$/s.exec(range ?? 'HEAD') ?? []
  const old = fromGit(await toCommit(repository, oldName), reason)
  const head = fromGit(await toCommit(repository, newName), reason)
  const base = dots === '..' ? old : fromGit(await toMergeBase(repository, old, head), reason)
  const baseName = base === old ? oldName : `where ${newName} left ${oldName}`
  const toName = (title: string, commit: string): CommitName => {
    return { title: `${title} (${commit.slice(0, 7)})`, commit }
  }
  const workTree = { title: 'the work tree', commit: null }
  return { base: toName(baseName, base), head: dots === undefined ? workTree : toName(newName, head) }
}

/** Refuses moments at which a link to the menus folder leads elsewhere than now: its current target was not served then. */
async function refuseStray(
  repository: Repository,
  menusFolder: string,
  states: readonly StateName[],
): Promise<void> {
  for (const { commit, title } of states) {
    const link = commit === null ? null : await movedWay(repository, commit, menusFolder)
    if (link === null) continue
    const what = `${link}, in the path of the menus folder, has another target in ${title} than now`
    refuse('configuration', `${what}. Compare the folders themselves, with --menus.`)
  }
}
