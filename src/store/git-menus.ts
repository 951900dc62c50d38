import { basename } from 'node:path'
import { parseMenuFile } from '../document/parse.js'
import { buildSnapshot, type MenuFile, type Snapshot } from '../model/snapshot.js'
import { filesAt, type Repository, readBlobs } from './git.js'
import { contentHash } from './hash.js'
import type { ReadOptions } from './open-store.js'
import { MENU_NAME } from './scan.js'

/** A folder of menus at one moment: what it serves, and the bytes of its files by path. */
export interface MenuState {
  readonly snapshot: Snapshot
  /** By the path from the menus folder, with `/`. */
  readonly texts: ReadonlyMap<string, Uint8Array>
}

/**
 * Reads the menus that a folder had in a commit, as the service would read them. `folder` is as `toTreePath` gives it.
 * Symbolic links are left out: a commit does not say what they lead to.
 */
export async function readMenusAt(
  repository: Repository,
  commit: string,
  folder: string,
  options: { readonly reading: ReadOptions; readonly filePrefix: string },
): Promise<MenuState> {
  const { reading, filePrefix } = options
  const start = folder === '' ? 0 : folder.length + 1
  const committed = (await filesAt(repository, commit, folder)).filter(({ path, isLink }) => {
    const parts = path.slice(start).split('/')
    const name = basename(path)
    return (
      !isLink &&
      MENU_NAME.test(name) &&
      name.startsWith(filePrefix) &&
      !parts.some((part) => part.startsWith('.'))
    )
  })
  const blobs = await readBlobs(
    repository,
    committed.map(({ blob }) => blob),
  )
  const texts = new Map<string, Uint8Array>()
  const files: MenuFile[] = []
  for (const { path, blob } of committed) {
    const bytes = blobs.get(blob) ?? new Uint8Array()
    const own = path.slice(start)
    texts.set(own, bytes)
    files.push(parseMenuFile(own, bytes, { ...reading, hash: contentHash }))
  }
  const { off } = reading.vocabulary
  return {
    snapshot: buildSnapshot({ files, previous: null, folderProblems: [], off, hash: contentHash }),
    texts,
  }
}
