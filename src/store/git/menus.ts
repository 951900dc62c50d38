import { posix } from 'node:path'
import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import type { Limits } from '../../model/limits.js'
import type { MenuFile } from '../../model/menu-file.js'
import { buildSnapshot, type Snapshot } from '../../model/snapshot.js'
import { isMenuPath, toWithheld } from '../entry.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import { filesAt, readBlobs, readTexts, type TextOrProblem, type TreeFile } from './objects.js'
import type { Repository } from './repository.js'

/** The texts of a menus folder at one moment, by the path from the folder, with `/`. */
export type MenuTexts = ReadonlyMap<string, TextOrProblem>

/** Which files of a folder are menus, and how large they may be. */
export interface Reach {
  readonly filePrefix: string
  readonly limits: Limits
}

/** Texts of a menus folder, read as documents and judged, each by itself. */
export interface JudgedTexts {
  readonly documents: ReadonlyMap<string, MenuDocument>
  readonly files: readonly MenuFile[]
}

/** A menus folder at one moment: what it serves, and its files by path. An unreadable file is absent. */
export interface MenuState {
  readonly snapshot: Snapshot
  readonly documents: ReadonlyMap<string, MenuDocument>
}

/** How many links in a row may lead to a link. */
const MAX_LINKS = 8

/**
 * Reads the menus that a folder had in a commit, as the service would read them; none where the folder did not exist.
 * `folder` is as `toTreePath` gives it. Symbolic links count where they lead to a file of the folder; a commit does not
 * record what others lead to. Throws GitError where the repository is damaged.
 */
export async function readTextsAt(
  repository: Repository,
  commit: string,
  folder: string,
  { filePrefix, limits }: Reach,
): Promise<MenuTexts> {
  const sources = await menuSourcesAt(repository, commit, folder, filePrefix)
  return readTexts(repository, sources ?? new Map(), limits)
}

/** The texts that can be read. */
export function readable(texts: MenuTexts): readonly (readonly [path: string, bytes: Uint8Array])[] {
  return [...texts].flatMap(([path, text]) => (text instanceof Uint8Array ? [[path, text] as const] : []))
}

/** Reads texts as documents, and judges them. */
export function judgeTexts(texts: MenuTexts, reading: ReadOptions): JudgedTexts {
  const documents = new Map<string, MenuDocument>()
  const files = [...texts].map(([path, text]) => {
    if (!(text instanceof Uint8Array)) return toWithheld(path, text)
    const document = readDocument(path, text, reading.limits)
    documents.set(path, document)
    return judgeDocument(document, { ...reading, hash: contentHash })
  })
  return { documents, files }
}

/** What a folder with all these texts would serve. */
export function toState(parts: readonly JudgedTexts[], { vocabulary: { off } }: ReadOptions): MenuState {
  const files = parts.flatMap((part) => part.files)
  const documents = new Map(parts.flatMap((part) => [...part.documents]))
  const snapshot = buildSnapshot({ files, previous: null, folderProblems: [], off, hash: contentHash })
  return { snapshot, documents }
}

/**
 * The files of the menus that a folder had in a commit, by the path from the folder; of a link, its target file. Null where
 * the folder did not exist. Reads only hashes, and links.
 */
export async function menuSourcesAt(
  repository: Repository,
  commit: string,
  folder: string,
  filePrefix: string,
): Promise<ReadonlyMap<string, TreeFile> | null> {
  const start = folder === '' ? '' : `${folder}/`
  const found = await filesAt(repository, commit, [folder])
  // A file with the name of the folder is not one of its files.
  const inFolder = found.filter(({ path }) => path.startsWith(start))
  // Git has no empty folders.
  if (folder !== '' && inFolder.length === 0) return null
  const committed = new Map(inFolder.map((file) => [file.path, file]))
  const named = inFolder.filter(({ path }) => isMenuPath(path.slice(start.length), filePrefix))
  const links = named.some(({ isLink }) => isLink) ? inFolder.filter(({ isLink }) => isLink) : []
  const blobs = links.map(({ blob }) => blob)
  const targets = await readBlobs(repository, blobs)
  const sources = new Map<string, TreeFile>()
  for (const file of named) {
    let source: TreeFile | undefined = file
    for (let hops = 0; source?.isLink === true && hops < MAX_LINKS; hops++) {
      const target = Buffer.from(targets.get(source.blob) ?? []).toString('utf8')
      source = committed.get(posix.join(posix.dirname(source.path), target))
    }
    if (source?.isLink === false) sources.set(file.path.slice(start.length), source)
  }
  return sources
}
