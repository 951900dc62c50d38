import { readdirSync, realpathSync, statSync } from 'node:fs'
import { tooLarge } from '../document/menu-document.js'
import type { Limits } from '../model/limits.js'
import { isGone, outside, toIdentity, toSignature, unreadable } from './entry.js'
import { OutsideError } from './inside.js'
import type { MenusFolder } from './menu-paths.js'
import type { Content, MenuTree } from './menu-tree.js'
import { readMenuBytes } from './read-file.js'
import { type Name, type Target, walkMenus } from './walk.js'

/** A menus folder as it was found on the disk; a version is what the system says of a file without reading it. */
export interface DiskTree extends MenuTree {
  /** The folders in which a menu can change: identity → real path. */
  readonly folders: ReadonlyMap<string, string>
}

/** Scans a menus folder. Throws when it cannot be listed. */
export async function scanDisk(folder: MenusFolder, limits: Pick<Limits, 'bytes'>): Promise<DiskTree> {
  const root = realpathSync.native(folder.root)
  const folders = new Map<string, string>()
  const onFolder = (real: string): void => void folders.set(`${toIdentity(statSync(real))} ${real}`, real)
  const entries = await walkMenus({ ...folder, root }, { list, follow, onFolder })
  return { entries, folders, read: (paths) => readEach(folder, limits, paths, entries) }
}

function list(real: string): readonly Name[] {
  // It may have been replaced by a link since it was found.
  if (realpathSync.native(real) !== real) throw new OutsideError(real)
  const found = readdirSync(real, { withFileTypes: true })
  if (realpathSync.native(real) !== real) throw new OutsideError(real)
  return found.map((each) => ({ name: each.name, isLink: each.isSymbolicLink(), isFile: each.isFile() }))
}

function follow(path: string, isLink: boolean): Target {
  const stats = statSync(path)
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return { kind, real: isLink ? realpathSync.native(path) : path, version: toSignature(stats) }
}

/**
 * Reads files of a menus folder as they are now; of those in `entries`, none with a problem. Throws when the folder itself is
 * gone: then nothing was deleted.
 */
export async function* readEach(
  folder: MenusFolder,
  limits: Pick<Limits, 'bytes'>,
  paths: Iterable<string>,
  entries: MenuTree['entries'] = new Map(),
): AsyncGenerator<readonly [path: string, content: Content | null]> {
  for (const path of paths) {
    const { version = '', problem = null } = entries.get(path) ?? {}
    const content = problem === null ? readContent(folder, path, limits) : { version, text: problem }
    if (content === null) statSync(folder.root)
    // One that cannot be read is tried again once the system says something else of it.
    const isUnread = content !== null && content.version === '' && !(content.text instanceof Uint8Array)
    yield [path, isUnread ? { ...content, version } : content]
  }
}

/** The content of a file of a menus folder as it is now, or why it is not read; null where there is none. */
export function readContent(
  folder: MenusFolder,
  path: string,
  limits: Pick<Limits, 'bytes'>,
): Content | null {
  try {
    const { bytes, signature, size } = readMenuBytes(folder, path, limits.bytes)
    return { version: signature, text: size > limits.bytes ? tooLarge(path, size, limits) : bytes }
  } catch (thrown) {
    if (isGone(thrown)) return null
    return { version: '', text: thrown instanceof OutsideError ? outside(path) : unreadable(path, thrown) }
  }
}
