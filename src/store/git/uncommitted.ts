import type { MenusFolder } from '../menu-paths.js'
import { differingPaths } from './compare-trees.js'
import { hashOf, type Repository, toTreePath } from './repository.js'
import { treesSince } from './work-tree.js'

/** Milliseconds for which an answer is used again. */
const KEPT_MS = 1_000
/** More than a menu can have by any configuration, so that no publish wrote it: it is not read. */
const LIMITS = { bytes: 8_388_608 }

/** What of the menus git has not committed. */
export interface Uncommitted {
  /** The menu files that are not on the disk as the last commit has them, with those that are gone. Null where git cannot say. */
  readonly find: () => Promise<ReadonlySet<string> | null>
  /** Has git asked anew: something was written or committed. */
  readonly forget: () => void
}

/** Asks git at most once a second, unless its answer was dropped. */
export function createUncommitted(repository: Repository, menus: MenusFolder): Uncommitted {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<ReadonlySet<string> | null> = Promise.resolve(null)
  return {
    find: () => {
      if (performance.now() - asked < KEPT_MS) return answer
      asked = performance.now()
      answer = find(repository, menus).catch(() => null)
      return answer
    },
    forget: () => {
      asked = Number.NEGATIVE_INFINITY
    },
  }
}

async function find(repository: Repository, menus: MenusFolder): Promise<ReadonlySet<string> | null> {
  const inTree = toTreePath(repository, menus.root)
  if (inTree === null) return null
  // A repository without a commit has none of them.
  const commit = await hashOf(repository, 'HEAD^{commit}')
  return differingPaths(...(await treesSince(commit, { repository, inTree, folder: menus, limits: LIMITS })))
}
