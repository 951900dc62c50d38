import { join } from 'node:path'
import type { Config } from '../../config/load-config.js'
import { done, failed } from '../../model/result.js'
import { type MenuTexts, type Reach, readTextsAt } from '../../store/git/menus.js'
import { openRepository, type Repository, toTreePath } from '../../store/git/repository.js'
import { toCommit } from '../../store/git/revision.js'
import { readTextsIn } from '../../store/work-texts.js'
import { type Answer, answerOf, refuse } from '../answer.js'

/** The menus folder at one moment. */
export interface Moment {
  readonly config: Config
  /** As it was asked for; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  readonly texts: MenuTexts
}

/** A repository with the path of the menus folder in it, from the top of the work tree. */
export interface MenusRepository {
  readonly repository: Repository
  readonly folder: string
}

/** Opens the repository that the menus lie in. */
export async function openMenusRepository({ menusFolder }: Config): Promise<Answer<MenusRepository>> {
  const { value: repository, fault } = answerOf(await openRepository(menusFolder), 'unusable')
  if (fault !== null) return failed(fault)
  const folder = toTreePath(repository, menusFolder)
  if (folder === null) return refuse('unusable', `${menusFolder} leads out of its repository`)
  return done({ repository, folder })
}

/** The menus as a revision has them. */
export async function momentAt(
  { repository, folder }: MenusRepository,
  config: Config,
  revision: string,
): Promise<Answer<Moment>> {
  const { value: commit, fault } = answerOf(await toCommit(repository, revision), 'bad-request')
  if (fault !== null) return failed(fault)
  const texts = await readTextsAt(repository, commit, folder, toReach(config))
  return done({ config, revision, commit, texts })
}

/** The menus as they lie in the work tree now. */
export function momentNow(config: Config): Moment {
  return { config, revision: null, commit: null, texts: textsNow(config) }
}

/** None where the folder is not there or cannot be listed, which lint reports. */
function textsNow(config: Config): MenuTexts {
  const none = { texts: new Map(), refused: new Map() }
  try {
    return readTextsIn(config.menusFolder, toReach(config)) ?? none
  } catch {
    return none
  }
}

/** Which files count, and how large they may be. */
export function toReach({ options }: Config): Reach {
  return { filePrefix: options.storage.file_prefix, limits: options.limits }
}

/** A file of the menus folder, from the top of the work tree; of a link, the file that it leads to. */
export function toTree({ repository, folder }: MenusRepository, path: string): string {
  const own = folder === '' ? path : `${folder}/${path}`
  return toTreePath(repository, join(repository.root, own)) ?? own
}
