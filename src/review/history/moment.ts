import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { type Claim, claimOf } from '../../document/read/claim.js'
import type { Limits } from '../../model/limits.js'
import { done, failed } from '../../model/result.js'
import type { ChangedFile } from '../../store/git/log.js'
import { type MenuTexts, readTextsAt } from '../../store/git/menus.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'
import { toCommit } from '../../store/git/revision.js'
import { readTextsIn } from '../../store/work-texts.js'
import { type Answer, answerOf } from '../answer.js'
import type { MenusRepository, Site } from '../site.js'

/** The menus folder at one moment. */
export interface Moment {
  readonly site: Site
  /** As requested; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  readonly texts: MenuTexts
}

/** The menus as a revision has them. */
export async function momentAt(menus: MenusRepository, revision: string): Promise<Answer<Moment>> {
  const { value: commit, fault } = answerOf(await toCommit(menus.repository, revision), 'bad-request')
  if (fault !== null) return failed(fault)
  return done({ site: menus.site, revision, commit, texts: await textsAt(menus, commit) })
}

/** The texts of the menus that a commit has. */
export function textsAt({ site, repository, folder }: MenusRepository, commit: string): Promise<MenuTexts> {
  const { limits, storage } = site.options
  return readTextsAt(repository, commit, folder, { filePrefix: storage.file_prefix, limits })
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

/** A text with the menu that it claims to be. */
export interface ClaimingText {
  readonly path: string
  readonly document: MenuDocument
  readonly claim: Claim
}

type Texts = Iterable<readonly [path: string, bytes: Uint8Array]>

/** The texts that claim a code, as they are asked for. Those over the size limit are left out. */
export function* claiming(code: string, texts: Texts, limits: Limits): Generator<ClaimingText> {
  for (const [path, bytes] of texts) {
    // Reading each file costs more than searching for the code in it.
    if (bytes.length > limits.bytes || !Buffer.from(bytes).includes(code)) continue
    const document = readDocument(path, bytes, limits)
    const claim = claimOf(document)
    if (claim?.code === code) yield { path, document, claim }
  }
}

/** The texts of some files before a commit changed them. */
export async function textsBefore(repository: Repository, files: readonly ChangedFile[]): Promise<Texts> {
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  )
  return files.map(({ path, blob }) => [path, blobs.get(blob) ?? new Uint8Array()])
}
