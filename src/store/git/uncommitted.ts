import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isMenuPath } from '../entry.js'
import { isChanged } from './changes.js'
import { filesAt } from './objects.js'
import { type Repository, toTreePath } from './repository.js'

/** Milliseconds for which an answer is used again. */
const KEPT_MS = 1_000
/** Files between two turns of the event loop. */
const SLICE = 25
/** Bytes: more than a menu can have by any configuration, so that no publish wrote it. It is not read. */
const MAX_BYTES = 8_388_608

/** What of the menus git has not committed. */
export interface Uncommitted {
  /**
   * Which of some menu files, by their paths in the menus folder, are not on the disk as the last commit has them, with those
   * that are gone. Null where git cannot say.
   */
  readonly find: (paths: readonly string[]) => Promise<ReadonlySet<string> | null>
  /** Has git asked anew: something was written or committed. */
  readonly forget: () => void
}

/** Asks git at most once a second, unless what it said is forgotten. */
export function createUncommitted(
  repository: Repository,
  menusFolder: string,
  filePrefix: string,
): Uncommitted {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<ReadonlySet<string> | null> = Promise.resolve(null)
  return {
    find: (paths) => {
      if (performance.now() - asked < KEPT_MS) return answer
      asked = performance.now()
      answer = find(repository, menusFolder, filePrefix, paths).catch(() => null)
      return answer
    },
    forget: () => {
      asked = Number.NEGATIVE_INFINITY
    },
  }
}

async function find(
  repository: Repository,
  menusFolder: string,
  filePrefix: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const folder = toTreePath(repository, menusFolder)
  if (folder === null) return null
  const start = folder === '' ? '' : `${folder}/`
  const { code } = await repository.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (code !== 0 && code !== 1) return null
  // A repository without a commit has none of them.
  const files = code === 1 ? [] : await filesAt(repository, 'HEAD', [folder])
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]))
  const found = new Set<string>()
  const committed = files
    .map(({ path }) => (path.startsWith(start) ? path.slice(start.length) : ''))
    .filter((path) => isMenuPath(path, filePrefix))
  let done = 0
  for (const path of new Set([...paths, ...committed])) {
    // Where a link leads is what a publish writes and commits.
    const place = toTreePath(repository, join(menusFolder, path))
    if (place === null || isLarge(join(repository.root, place))) found.add(path)
    else if (isChanged(repository, place, blobs.get(place) ?? null)) found.add(path)
    if (++done % SLICE === 0) await setImmediate()
  }
  return found
}

function isLarge(place: string): boolean {
  return (lstatSync(place, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES
}
