import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { type Claim, claimOf } from '../../document/read/claim.js'
import type { Limits } from '../../model/limits.js'
import { treeOfCommit } from '../../store/git/commit-tree.js'
import type { ChangedFile } from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'
import { toCommit } from '../../store/git/revision.js'
import { treeOfWork } from '../../store/git/work-tree.js'
import { type MenuTree, textsOf, withOwnTexts } from '../../store/menu-tree.js'
import { menusFolderOf } from '../reading.js'
import { fromGit } from '../refusal.js'
import type { MenusRepository, Site } from '../site.js'

/** The menus folder at one moment. */
export interface Moment {
  readonly site: Site
  /** As requested; null for the work tree. */
  readonly revision: string | null
  readonly commit: string | null
  /** Null where there is no menus folder, or one that cannot be listed. */
  readonly tree: MenuTree | null
}

/** The menus as a revision has them. */
export async function momentAt(menus: MenusRepository, revision: string): Promise<Moment> {
  return momentOf(menus, revision, fromGit(await toCommit(menus.repository, revision), 'usage'))
}

/** The menus as a commit has them. */
export async function momentOf(
  { site, repository, folder }: MenusRepository,
  revision: string,
  commit: string,
): Promise<Moment> {
  const { limits } = site.options
  const tree = await treeOfCommit(repository, commit, folder, menusFolderOf(site), limits)
  return { site, revision, commit, tree: tree && withOwnTexts(tree) }
}

/** The menus as they are in the work tree now; none where the folder cannot be listed, which lint reports. */
export async function momentNow(site: Site): Promise<Moment> {
  const tree = await treeOfWork(menusFolderOf(site), site.options.limits).catch(() => null)
  return { site, revision: null, commit: null, tree: tree && withOwnTexts(tree) }
}

/** A text with the code and the context that are in it. */
export interface TextWithCode {
  readonly path: string
  readonly document: MenuDocument
  readonly claim: Claim
}

type Texts = Iterable<readonly [path: string, bytes: Uint8Array]>

/** The texts of a moment that can be read, one after the other. */
export async function* textsAt({ tree }: Moment): AsyncGenerator<readonly [path: string, bytes: Uint8Array]> {
  if (tree !== null) yield* textsOf(tree)
}

/** The texts with a code, one after the other. Those over the size limit are left out. */
export async function* textsWithCode(
  code: string,
  texts: Texts | AsyncIterable<readonly [path: string, bytes: Uint8Array]>,
  limits: Limits,
): AsyncGenerator<TextWithCode> {
  for await (const [path, bytes] of texts) {
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
