import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { blobName, filesAt } from './objects.js'
import type { Repository } from './repository.js'

/**
 * Whether the file at a path, from the top of the work tree with `/`, differs on the disk from a commit's, byte by byte,
 * staged or not, tracked or not, ignored ones included. Neither the index nor attributes are used: `assume-unchanged`,
 * filters and `core.fsmonitor` could pass one content for another, and filters run programs. A file with CRLF for LF is the
 * same, as `core.autocrlf` makes it. Folders never differ by themselves; a submodule is a repository of its own, and every
 * file in it differs. `paths` are the files and folders to ask about, as `toTreePath` gives them.
 */
export async function changesSince(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<(path: string) => boolean> {
  const files = await filesAt(repository, commit, paths)
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]))
  return (path) => isChanged(repository, path, blobs.get(path) ?? null)
}

/** The same for one file, by the hash that a commit has for it; null for none. */
export function isChanged({ root }: Repository, path: string, blob: string | null): boolean {
  const contents = contentsAt(join(root, path))
  if (blob === null || contents === null) return blob !== null || contents !== null
  return !contents.some((each) => blobName(each, blob) === blob)
}

/** What the file or the link at a path may be committed as; null where there is neither, perhaps a folder. */
function contentsAt(path: string): readonly Buffer[] | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isDirectory()) return null
    if (stats.isSymbolicLink()) return [Buffer.from(readlinkSync(path))]
    const bytes = stats.isFile() ? readFileSync(path) : null
    return bytes === null ? [] : [bytes, withoutReturns(bytes)]
  } catch {
    return []
  }
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
