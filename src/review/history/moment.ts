import type { Config } from '../../config/load-config.js'
import { done, failed } from '../../model/result.js'
import { type MenuTexts, type Reach, readTextsAt } from '../../store/git/menus.js'
import { toCommit } from '../../store/git/revision.js'
import { readTextsIn } from '../../store/work-texts.js'
import { type Answer, answerOf } from '../answer.js'
import type { MenusRepository } from '../menus-repository.js'

/** The menus folder at one moment. */
export interface Moment {
  readonly config: Config
  /** As requested; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  readonly texts: MenuTexts
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

/** The menus as they are in the work tree now. */
export function momentNow(config: Config): Moment {
  return { config, revision: null, commit: null, texts: textsNow(config) }
}

/** None where the folder does not exist or cannot be listed, which lint reports. */
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
