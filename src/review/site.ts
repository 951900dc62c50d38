import { relative, resolve, sep } from 'node:path'
import type { Config } from '../config/load-config.js'
import { menuTreePath } from '../store/git/commit-tree.js'
import { openRepository, type Repository, toTreePath } from '../store/git/repository.js'
import { menusFolderOf } from './reading.js'
import { fromGit, Refusal, refuse } from './refusal.js'

/** A configuration, and the folder in which the command runs: reports name files as seen from there. */
export interface Site extends Config {
  readonly folder: string
}

/** A file of the menus folder, or the folder itself, as seen from where the command runs, with `/`. */
export function toSeen({ folder, menusFolder }: Pick<Site, 'folder' | 'menusFolder'>, path: string): string {
  return toSlashes(relative(folder, resolve(menusFolder, path))) || '.'
}

/** A path of this machine with `/`, as reports name paths everywhere. */
export function toSlashes(path: string): string {
  return path.split(sep).join('/')
}

/** The repository of a site, with the path of the menus folder in it, from the top of the work tree. */
export interface MenusRepository {
  readonly site: Site
  readonly repository: Repository
  readonly folder: string
}

/** Opens the repository that contains the menus. */
export async function openMenusRepository(site: Site): Promise<MenusRepository> {
  const { menusFolder } = site
  const repository = fromGit(await openRepository(menusFolder), 'configuration')
  const folder = toTreePath(repository, menusFolder)
  if (folder !== null) return { site, repository, folder }
  const what = `the menus folder ${menusFolder} is not in the repository ${repository.root}`
  return refuse('configuration', `${what}. Point storage.connections at a folder of the repository.`)
}

/** The same; null where there is none. */
export async function findMenusRepository(site: Site): Promise<MenusRepository | null> {
  return openMenusRepository(site).catch((thrown: unknown) => {
    if (thrown instanceof Refusal) return null
    throw thrown
  })
}

/** A path of the menus folder, from the top of the work tree. */
export function inTree({ folder }: MenusRepository, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** The same for a link's target, where a menu may be. */
export function toTree(menus: MenusRepository, path: string): string {
  return menuTreePath(menus.repository, menusFolderOf(menus.site), path) ?? inTree(menus, path)
}
