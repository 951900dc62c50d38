import { readDocument } from '../../document/menu-document.js'
import { claimOf } from '../../document/read/claim.js'
import type { Limits } from '../../model/limits.js'
import {
  type ChangedFile,
  type Commit,
  changedBetween,
  commitsOf,
  commitsTouching,
  parentsOf,
} from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'
import { MENU_NAME } from '../../store/scan.js'

/** How a menu was lost: the commit that removed it, and its former file, from the top of the work tree. */
export interface MenuLoss {
  readonly commit: Commit
  readonly path: string
  readonly how: 'deleted' | 'given another code'
}

/** The most commits searched. */
const MAX_COMMITS = 20

/** The last commit, from a given one backwards, that removed a code which that one does not have; null for none. */
export async function findLoss(
  repository: Repository,
  commit: string,
  folder: string,
  code: string,
  limits: Limits,
): Promise<MenuLoss | null> {
  if (!/^[\w.-]+$/.test(code)) return null
  const pattern = `code["']?[ \t]*:[ \t]*["']?${code.replaceAll('.', '\\.')}(["'[:space:],}#]|$)`
  const names = await commitsTouching(repository, commit, folder, pattern, MAX_COMMITS)
  const lostFrom = async (parent: string, name: string): Promise<ChangedFile | undefined> => {
    const changed = (await changedBetween(repository, parent, name)).filter(
      ({ path }) => MENU_NAME.test(path) && (folder === '' || path.startsWith(`${folder}/`)),
    )
    const blobs = await readBlobs(
      repository,
      changed.map(({ blob }) => blob),
    )
    return changed.find(({ blob }) => {
      const bytes = blobs.get(blob) ?? new Uint8Array()
      return bytes.length <= limits.bytes && claimOf(readDocument('', bytes, limits))?.code === code
    })
  }
  for (const name of names) {
    const lost: (ChangedFile | undefined)[] = []
    for (const parent of await parentsOf(repository, name)) lost.push(await lostFrom(parent, name))
    // A merge did not remove what one of its lines of history had removed already.
    const [first] = lost.includes(undefined) ? [] : lost
    const [lastCommit] = first === undefined ? [] : await commitsOf(repository, [name])
    if (first !== undefined && lastCommit !== undefined)
      return {
        commit: lastCommit,
        path: first.path,
        how: first.to === null ? 'deleted' : 'given another code',
      }
  }
  return null
}
