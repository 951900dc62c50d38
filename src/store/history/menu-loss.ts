import { claimOf } from '../../document/claim.js'
import type { Limits } from '../../model/limits.js'
import { type Commit, changedBetween, commitsOf, PLAIN, parentsOf } from '../git/log.js'
import { must, type Repository, readBlobs } from '../git/repository.js'
import { MENU_NAME } from '../scan.js'

/** How a menu went: the commit that took it away, and the file that it was in, from the top of the work tree. */
export interface MenuLoss {
  readonly commit: Commit
  readonly path: string
  readonly how: 'deleted' | 'given another code'
}

/** Commits that are looked at for it. */
const MAX_COMMITS = 20

/** The last commit, from a given one backwards, that took a code away which that one does not have; null for none. */
export async function findLoss(
  repository: Repository,
  commit: string,
  folder: string,
  code: string,
  limits: Limits,
): Promise<MenuLoss | null> {
  if (!/^[\w.-]+$/.test(code)) return null
  const pattern = `code["']?[ \t]*:[ \t]*["']?${code.replaceAll('.', '\\.')}(["'[:space:],}#]|$)`
  const asked = [
    ...PLAIN,
    'log',
    '--format=%H',
    '--no-patch',
    '--no-textconv',
    '--no-ext-diff',
    `--max-count=${MAX_COMMITS}`,
    `-G${pattern}`,
  ]
  const { stdout } = await must(repository, [...asked, commit, '--', ...(folder === '' ? [] : [folder])])
  for (const name of stdout.toString('utf8').split('\n')) {
    if (name === '') continue
    for (const parent of await parentsOf(repository, name)) {
      const changed = (await changedBetween(repository, parent, name)).filter(
        ({ path }) => MENU_NAME.test(path) && (folder === '' || path.startsWith(`${folder}/`)),
      )
      const blobs = await readBlobs(
        repository,
        changed.map(({ blob }) => blob),
      )
      const lost = changed.find(({ blob }) => {
        const bytes = blobs.get(blob) ?? new Uint8Array()
        return bytes.length <= limits.bytes && claimOf(bytes, limits)?.code === code
      })
      const [told] = lost === undefined ? [] : await commitsOf(repository, [name])
      if (lost !== undefined && told !== undefined)
        return { commit: told, path: lost.path, how: lost.to === null ? 'deleted' : 'given another code' }
    }
  }
  return null
}
