import { posix } from 'node:path'
import { type MenuDocument, readDocument, tooLarge } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { buildSnapshot, type MenuFile, type Snapshot } from '../../model/snapshot.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { isMenuPath } from '../scan.js'
import { type CommittedFile, filesAt, must, type Repository, readBlobs } from './repository.js'

/** A folder of menus at one moment: what it serves, and its files by path. */
export interface MenuState {
  readonly snapshot: Snapshot
  /** By the path from the menus folder, with `/`. A file that is too large to be read is absent. */
  readonly documents: ReadonlyMap<string, MenuDocument>
}

/** How often a link may lead to a link. */
const MAX_LINKS = 8

/** The texts of a folder of menus at one moment. */
export interface MenuTexts {
  /** By the path from the menus folder, with `/`. */
  readonly texts: ReadonlyMap<string, Uint8Array>
  /** The files that are larger than a menu may be, with their bytes. */
  readonly tooLarge: ReadonlyMap<string, number>
}

/**
 * Reads the menus that a folder had in a commit, as the service would read them. `folder` is as `toTreePath` gives it.
 * Of symbolic links, those that lead to a file of the folder count; what others lead to, a commit does not say.
 * Throws GitError where the repository is damaged.
 */
export async function readMenusAt(
  repository: Repository,
  commit: string,
  folder: string,
  options: { readonly reading: ReadOptions; readonly filePrefix: string },
): Promise<MenuState> {
  const { reading, filePrefix } = options
  const { limits } = reading
  const found = await readTextsAt(repository, commit, folder, { filePrefix, limit: limits.bytes })
  const documents = new Map(
    [...found.texts].map(([path, bytes]) => [path, readDocument(path, bytes, limits)]),
  )
  const files: MenuFile[] = [...documents.values()].map((document) =>
    judgeDocument(document, { ...reading, hash: contentHash }),
  )
  for (const [path, bytes] of found.tooLarge)
    files.push({ path, version: '', menu: null, problems: [tooLarge(path, bytes, limits)] })
  const { off } = reading.vocabulary
  const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], off, hash: contentHash })
  return { snapshot, documents }
}

/** The texts that `readMenusAt` reads. */
export async function readTextsAt(
  repository: Repository,
  commit: string,
  folder: string,
  { filePrefix, limit }: { readonly filePrefix: string; readonly limit: number },
): Promise<MenuTexts> {
  const start = folder === '' ? 0 : folder.length + 1
  const committed = await filesAt(repository, commit, folder)
  const named = committed.filter(({ path }) => isMenuPath(path.slice(start), filePrefix))
  const sources = [...(await toSources(repository, committed, named))]
  const [small, large] = [true, false].map((isSmall) =>
    sources.filter(([, { bytes }]) => bytes <= limit === isSmall),
  )
  const blobs = await readBlobs(
    repository,
    (small ?? []).map(([, { blob }]) => blob),
  )
  return {
    texts: new Map(
      (small ?? []).map(([path, { blob }]) => [path.slice(start), blobs.get(blob) ?? new Uint8Array()]),
    ),
    tooLarge: new Map((large ?? []).map(([path, { bytes }]) => [path.slice(start), bytes])),
  }
}

/** A file of a commit whose content is not looked at, not even for its size. */
export type NamedFile = Omit<CommittedFile, 'bytes'>

/**
 * The files of the menus that a folder had in a commit, by the path from the folder; of a link, the file that it leads to.
 * Null where the folder was not there. Reads the names of contents, and links.
 */
export async function menuSourcesAt(
  repository: Repository,
  commit: string,
  folder: string,
  filePrefix: string,
): Promise<ReadonlyMap<string, NamedFile> | null> {
  const within = folder === '' ? [] : ['--', folder]
  const { stdout } = await must(repository, ['ls-tree', '-r', '-z', '--full-tree', commit, ...within])
  const start = folder === '' ? 0 : folder.length + 1
  const committed = stdout
    .toString('utf8')
    .split('\0')
    .flatMap((line): NamedFile[] => {
      const [, mode = '', blob = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      const isIn = folder === '' ? path !== '' : path.startsWith(`${folder}/`)
      return isIn ? [{ path, blob, isLink: mode === '120000' }] : []
    })
  // Git knows no empty folders.
  if (folder !== '' && committed.length === 0) return null
  const named = committed.filter(({ path }) => isMenuPath(path.slice(start), filePrefix))
  const sources = await toSources(repository, committed, named)
  return new Map([...sources].map(([path, source]) => [path.slice(start), source]))
}

/** The regular file that each path stands for, by path; a link that leads to none of the folder is left out. */
async function toSources<T extends NamedFile>(
  repository: Repository,
  committed: readonly T[],
  named: readonly T[],
): Promise<ReadonlyMap<string, T>> {
  const byPath = new Map(committed.map((file) => [file.path, file]))
  const links = committed.filter(({ isLink }) => isLink)
  const targets = await readBlobs(
    repository,
    named.some(({ isLink }) => isLink) ? links.map(({ blob }) => blob) : [],
  )
  const sources = new Map<string, T>()
  for (const file of named) {
    let source: T | undefined = file
    for (let hops = 0; source?.isLink === true && hops < MAX_LINKS; hops++) {
      const target = Buffer.from(targets.get(source.blob) ?? []).toString('utf8')
      source = byPath.get(posix.join(posix.dirname(source.path), target))
    }
    if (source !== undefined && !source.isLink) sources.set(file.path, source)
  }
  return sources
}
