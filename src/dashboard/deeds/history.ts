import { LRUCache } from 'lru-cache'
import { derived } from '../../model/derived.js'
import type { Snapshot } from '../../model/snapshot.js'
import { type FileVersions, type TextVersion, versionsOf } from '../../review/history/versions.js'
import { menusFolderOf } from '../../review/reading.js'
import { isMenuIn, menuTreePath } from '../../store/git/commit-tree.js'
import { lastCommits } from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import { GitError } from '../../store/git/process.js'
import { must, toLine, toTreePath } from '../../store/git/repository.js'
import type { Occasion, Publication } from '../../store/publish/queue.js'
import type { KeptVersion } from '../../store/publish/versions.js'
import { changedAt } from '../../store/read-file.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { toRestored } from './branches.js'
import { type Authorship, authorsOf } from './publish-records.js'
import { findDocument, needDocument, publish, type Workspace } from './workspace.js'

/** At most this many commits are listed, and read to learn who changed a menu last. */
const MAX_COMMITS = 100
const MAX_LEARNT = 300
const NO_COMMITS: FileVersions = { versions: [], more: false }

/** The earlier versions of a menu file. */
export interface FileHistory {
  /** The texts that publishes replaced, the newest first. */
  readonly kept: readonly KeptVersion[]
  /** The commits, the newest first, each with the `id` of its text; null for a deletion. */
  readonly commits: readonly (Omit<TextVersion, 'blob'> & { readonly id: string | null })[]
  /** Whether there are older commits. */
  readonly more: boolean
}

/**
 * The texts that publishes replaced, and the commits where there is git; both have an `id` for a restore. Refused for a path
 * where no menu is, nor was.
 */
export async function historyOf(workspace: Workspace, file: string): Promise<FileHistory> {
  const { fault } = findDocument(workspace, file)
  if (fault?.code === 'bad-path') throw new Refusal(fault)
  const kept = workspace.versions.list(file)
  const { versions, more } = await committedOf(workspace, file)
  if (fault?.code === 'no-file' && kept.length === 0 && versions.length === 0) throw new Refusal(fault)
  return { kept, commits: versions.map(({ blob, ...version }) => ({ id: blob, ...version })), more }
}

/** Who published or committed a version of a menu file; null where that is not known. */
export async function authorOf(
  workspace: Workspace,
  file: string,
  version: string,
): Promise<Authorship | null> {
  const published = authorsOf(workspace).get(`${file} ${version}`)
  if (published !== undefined) return published
  const { versions } = await committedOf(workspace, file)
  const found = versions.find((each) => each.version === version)
  return found === undefined ? null : { user: found.author.name, time: Date.parse(found.date) }
}

/** Learns who committed the menus as they are, as far as the last commits tell; publishes say it themselves. */
export function learnAuthors(workspace: Workspace): Promise<void> {
  return learnt(workspace)(workspace.current())
}

/** Once for each snapshot: a pull brings commits of others. */
const learnt = derived((workspace: Workspace) =>
  derived((snapshot: Snapshot) => learnFrom(workspace, snapshot)),
)

async function learnFrom(workspace: Workspace, { files }: Snapshot): Promise<void> {
  const { config, repository } = workspace
  const folder = repository && toTreePath(repository, config.menusFolder)
  if (repository === null || folder === null) return
  try {
    const changed = await workspace.uncommitted()
    const commits = await lastCommits(repository, 'HEAD', folder, MAX_LEARNT)
    const authors = authorsOf(workspace)
    for (const { path, version } of files) {
      const commit = commits.get(folder === '' ? path : `${folder}/${path}`)
      const key = `${path} ${version}`
      if (changed === null || changed.has(path) || commit === undefined || authors.has(key)) continue
      authors.set(key, { user: commit.author, time: Date.parse(commit.date) })
    }
  } catch (thrown) {
    // There is no commit yet; what else is wrong is said by the history of a menu.
    if (!(thrown instanceof GitError)) throw thrown
  }
}

/** When a menu file was changed, by nobody who is known. */
export function diskAuthor(
  { config }: Workspace,
  file: string,
): { readonly user: null; readonly time: number } {
  try {
    return { user: null, time: changedAt(menusFolderOf(config), file) }
  } catch {
    // It is gone by now.
    return { user: null, time: Date.now() }
  }
}

/** The commits of a menu file. */
async function committedOf(workspace: Workspace, file: string): Promise<FileVersions> {
  const { config, repository, locales, log } = workspace
  const { limits, storage } = config.options
  const folder = repository && toTreePath(repository, config.menusFolder)
  const path = repository && menuTreePath(repository, menusFolderOf(config), file)
  if (repository === null || folder === null || path === null) return NO_COMMITS
  try {
    const head = toLine(await must(repository, ['rev-parse', 'HEAD']))
    // Even what git calls a former name of the file may not be a menu of this service.
    const isMenu = isMenuIn(folder, storage.file_prefix)
    const scope = { isMenu, isFormer: isMenu }
    const read = (): Promise<FileVersions> =>
      versionsOf(repository, head, path, { limits, locales, limit: MAX_COMMITS, scope })
    return await cacheOf(workspace).forceFetch(`${head} ${path}`, { context: read })
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown
    // There is no commit yet, or git cannot read them: what is kept is listed all the same.
    log.warn('history_unreadable', { file, reason: thrown.message })
    return NO_COMMITS
  }
}

/** Cached histories: a client that lists one usually reads its texts next. */
const MAX_CACHED = 20
const cacheOf = derived(
  (_: Workspace) =>
    new LRUCache<string, FileVersions, () => Promise<FileVersions>>({
      max: MAX_CACHED,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context: read }) => read(),
    }),
)

/** What is put back: an earlier text, or the item at a `pointer` in it. */
export interface Restore {
  /** One of those that the history lists. */
  readonly id: string
  readonly pointer?: string | null
}

/** A file, and the version of it that was shown; null for one that is gone. */
export interface RestoreWish extends Restore {
  readonly file: string
  readonly version: string | null
  readonly isDry: boolean
}

/** Puts an earlier text in place of the present one; with a `pointer` into that text, only the item there. */
export async function restore(
  workspace: Workspace,
  operator: Operator,
  { file, version, id, pointer = null, isDry }: RestoreWish,
): Promise<Publication> {
  const { bytes, time } = await findText(workspace, file, id)
  const day = new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const occasion: Occasion = { kind: 'restore', version: day, isItem: pointer !== null }
  const publishing = { operator, isDry, action: 'restore', occasion } as const
  if (pointer === null) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    return publish(workspace, [{ kind: 'text', path: file, version, text }], publishing)
  }
  const now = needDocument(workspace, file, version)
  return publish(workspace, [toRestored(now, bytes, pointer)], publishing)
}

/**
 * The text with an id, one of those that the history of this file lists: of no other file, and of nothing else in git; `time` is
 * when it was committed or replaced, in milliseconds since 1970.
 */
export async function findText(
  workspace: Workspace,
  file: string,
  id: string,
): Promise<{ readonly bytes: Uint8Array; readonly time: number }> {
  const history = await historyOf(workspace, file)
  const kept = history.kept.find((each) => each.id === id)
  const commit = history.commits.find((each) => each.id === id && each.version !== null)
  const time = kept?.time ?? Date.parse(commit?.date ?? '')
  const bytes = kept === undefined ? await blobOf(workspace, commit?.id ?? null) : workspace.versions.read(id)
  if (bytes === null) throw new Refusal('no-version')
  return { bytes, time }
}

async function blobOf({ repository }: Workspace, blob: string | null): Promise<Uint8Array | null> {
  if (repository === null || blob === null) return null
  return (await readBlobs(repository, [blob])).get(blob) ?? null
}
