import { relative, resolve, sep } from 'node:path'
import type { Config } from '../config/load-config.js'
import { done, failed } from '../model/result.js'
import { menuTreePath } from '../store/git/commit-tree.js'
import { openRepository, type Repository, toTreePath } from '../store/git/repository.js'
import { type Answer, answerOf, refuse } from './answer.js'
import { menusFolderOf } from './reading.js'

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
export async function openMenusRepository(site: Site): Promise<Answer<MenusRepository>> {
  const { menusFolder } = site
  const { value: repository, fault } = answerOf(await openRepository(menusFolder), 'unusable')
  if (fault !== null) return failed(fault)
  const folder = toTreePath(repository, menusFolder)
  if (folder !== null) return done({ site, repository, folder })
  const what = `the menus folder ${menusFolder} is not in the repository ${repository.root}`
  return refuse('unusable', `${what}. Point storage.connections at a folder of the repository.`)
}

/** A path of the menus folder, from the top of the work tree. */
export function inTree({ folder }: MenusRepository, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** The same for a link's target, where a menu may be. */
export function toTree(menus: MenusRepository, path: string): string {
  return menuTreePath(menus.repository, menusFolderOf(menus.site), path) ?? inTree(menus, path)
}
