import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { blobName, blobsAt } from './objects.js'
import { must, type Repository, toTreePath } from './repository.js'

/**
 * The hash of a file on the disk: the one that a commit has for it, where the contents are the same. A file with CRLF for LF
 * is the same, as `core.autocrlf` makes it. Neither the index nor attributes are used: `assume-unchanged`, filters and
 * `core.fsmonitor` could pass one content for another, and filters run programs.
 *
 * @param like a hash of the repository, of any object
 */
export function hashOnDisk(bytes: Uint8Array, committed: string | null, like: string): string {
  const unix = Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  return committed !== null && blobName(unix, like) === committed ? committed : blobName(bytes, like)
}

/** The first of some files, from the top of the work tree with `/`, that is not as a commit has it; null for none. */
export async function changedFile(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<string | null> {
  const blobs = await blobsAt(
    repository,
    paths.map((path) => `${commit}:${path}`),
  )
  const isChanged = (path: string, place: number): boolean => {
    const committed = blobs[place]?.blob ?? null
    const bytes = bytesAt(join(repository.root, path))
    return committed !== (bytes && hashOnDisk(bytes, committed, commit))
  }
  return paths.find(isChanged) ?? null
}

function bytesAt(place: string): Uint8Array | null {
  try {
    return readFileSync(place)
  } catch {
    return null
  }
}

/**
 * Whether the way to a folder led to another one in a commit, through links: then what the folder has in that commit was not
 * served. Returns the path, from the top of the work tree; null where it led here, or the folder is reached from elsewhere.
 */
export async function movedWay(
  repository: Repository,
  commit: string,
  folder: string,
): Promise<string | null> {
  const [named, real] = [pathFromTop(repository, folder), toTreePath(repository, folder)]
  if (named === null || named === '') return null
  const objectAt = async (path: string | null, ...options: readonly string[]): Promise<string> => {
    // Outside the work tree.
    if (path === null) return ''
    const asked = ['cat-file', '--batch-check=%(objectname)', ...options]
    const { stdout } = await must(repository, asked, `${commit}:${path}\n`)
    // Otherwise it says why there is none.
    return /^[0-9a-f]{40,64}\n$/.test(stdout.toString('utf8')) ? stdout.toString('utf8') : ''
  }
  const isHere = (await objectAt(named, '--follow-symlinks')) === (await objectAt(real))
  return isHere ? null : named
}

/** The path of a folder as it is named; null where its way does not lead through the top of the work tree. */
function pathFromTop({ root }: Repository, folder: string): string | null {
  const ways = [resolve(folder)]
  for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) ways.push(dirname(at))
  // The shortest one: a link on the way may lead back to the top.
  const top = ways.findLast((each) => leadsTo(each, root))
  return top === undefined ? null : relative(top, resolve(folder)).split(sep).join('/')
}

function leadsTo(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real
  } catch {
    return false
  }
}
