import { done, failed } from '../../model/result.js'
import { type MenuTexts, readTextsAt } from '../../store/git/menus.js'
import { toCommit } from '../../store/git/revision.js'
import { readTextsIn } from '../../store/work-texts.js'
import { type Answer, answerOf } from '../answer.js'
import type { MenusRepository } from '../menus-repository.js'
import type { Site } from '../site.js'

/** The menus folder at one moment. */
export interface Moment {
  readonly site: Site
  /** As requested; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  readonly texts: MenuTexts
}

/** The menus as a revision has them. */
export async function momentAt(
  menus: MenusRepository,
  site: Site,
  revision: string,
): Promise<Answer<Moment>> {
  const { value: commit, fault } = answerOf(await toCommit(menus.repository, revision), 'bad-request')
  if (fault !== null) return failed(fault)
  return done({ site, revision, commit, texts: await textsAt(menus, site, commit) })
}

/** The texts of the menus that a commit has. */
export function textsAt(menus: MenusRepository, { options }: Site, commit: string): Promise<MenuTexts> {
  const { limits, storage } = options
  return readTextsAt(menus.repository, commit, menus.folder, { filePrefix: storage.file_prefix, limits })
}

/** The menus as they are in the work tree now; none where the folder cannot be listed, which lint reports. */
export function momentNow(site: Site): Moment {
  const { limits, storage } = site.options
  let texts: MenuTexts | null = null
  try {
    texts = readTextsIn(site.menusFolder, { filePrefix: storage.file_prefix, limits })
  } catch {}
  return { site, revision: null, commit: null, texts: texts ?? new Map() }
}
