import { basename, dirname, join, resolve } from 'node:path'
import type { Limits } from '../../model/limits.js'
import { isInside, isWithin, toRealPath } from '../inside.js'
import { isMenuPath, type MenusFolder } from '../menu-paths.js'
import type { MenuTree } from '../menu-tree.js'
import { type Name, type Place, type Target, walkMenus } from '../walk.js'
import { filesAt, readBlobs, readTexts, type TreeFile } from './objects.js'
import { type Repository, toTreePath } from './repository.js'

/** Makes the function that says whether a path from the top of a work tree is, by its names, that of a menu of a folder there. */
export function isMenuIn(folder: string, filePrefix: string): (path: string) => boolean {
  const start = folder === '' ? '' : `${folder}/`
  return (path) => path.startsWith(start) && isMenuPath(path.slice(start.length), filePrefix)
}

/**
 * Where git has the text of a menu file, from the top of the work tree: that of a link is its target's. Null outside the work
 * tree, and for a link that leads to where no menu is read.
 */
export function menuTreePath(repository: Repository, folder: MenusFolder, path: string): string | null {
  const real = toRealPath(join(folder.root, path))
  const bounds = { root: toRealPath(folder.root), closed: folder.closed }
  return isWithin(bounds, real) ? toTreePath(repository, real) : null
}

/** How many links a path may lead through. */
const MAX_LINKS = 40

/**
 * The menus that a folder has in a commit; a version is git's hash of the content. Null where the folder does not exist.
 * `folder` is as `toTreePath` gives it. Throws GitError where the repository is damaged.
 */
export async function treeOfCommit(
  repository: Repository,
  commit: string,
  folder: string,
  { filePrefix, closed }: Pick<MenusFolder, 'filePrefix' | 'closed'>,
  limits: Pick<Limits, 'bytes'>,
): Promise<MenuTree | null> {
  const files = await filesAt(repository, commit, [folder])
  const root = join(repository.root, folder)
  const place = await placeOf(repository, files)
  // Git has no empty folders, and a file with the name of the folder is none.
  if (folder !== '' && !files.some(({ path }) => path.startsWith(`${folder}/`))) return null
  const entries = await walkMenus({ root, filePrefix, closed }, place)
  return {
    entries,
    read: async function* (paths) {
      const wanted = Array.from(paths, (path) => [path, entries.get(path)] as const)
      const found = wanted.flatMap(([path, entry]) =>
        entry?.problem === null ? [[path, entry.version] as const] : [],
      )
      const texts = await readTexts(repository, found, limits)
      for (const [path, entry] of wanted) {
        const text = entry?.problem ?? texts.get(path)
        yield [path, entry === undefined || text === undefined ? null : { version: entry.version, text }]
      }
    },
  }
}

/** Files and links of a commit as a place to walk in, by the paths that they would have on the disk. */
async function placeOf(repository: Repository, files: readonly TreeFile[]): Promise<Place> {
  const links = files.filter(({ isLink }) => isLink).map(({ blob }) => blob)
  const targets = await readBlobs(repository, links)
  const committed = new Map<string, TreeFile>()
  const folders = new Map<string, Map<string, Name>>([[repository.root, new Map()]])
  const add = (path: string, name: Name): void => {
    const above = dirname(path)
    if (!folders.has(above)) {
      folders.set(above, new Map())
      add(above, { name: basename(above), isLink: false, isFile: false })
    }
    folders.get(above)?.set(name.name, name)
  }
  for (const file of files) {
    const path = join(repository.root, file.path)
    committed.set(path, file)
    add(path, { name: basename(path), isLink: file.isLink, isFile: !file.isLink })
  }
  const follow = (path: string, links = 0): Target => {
    const file = committed.get(path)
    if (file?.isLink === true) {
      if (links === MAX_LINKS) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
      const target = Buffer.from(targets.get(file.blob) ?? []).toString('utf8')
      return follow(resolve(dirname(path), target), links + 1)
    }
    if (file !== undefined) return { kind: 'file', real: path, version: file.blob }
    if (folders.has(path)) return { kind: 'folder', real: path, version: '' }
    // What is outside is not known, but refused.
    if (!isInside(path, repository.root) || dirname(path) === path)
      return { kind: 'other', real: path, version: '' }
    const above = follow(dirname(path), links).real
    if (above !== dirname(path)) return follow(join(above, basename(path)), links + 1)
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  }
  return {
    list: (real) => [...(folders.get(real)?.values() ?? [])],
    follow: (path) => follow(path),
  }
}
