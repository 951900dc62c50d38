import type { Limits } from '../../model/limits.js'
import type { Repository } from '../../store/git/repository.js'
import { contentHash } from '../../store/hash.js'
import { type CommitJson, toCommitJson } from './commit-json.js'
import { createMenuHistory, type HistoryScope } from './menu-history.js'
import { changesOf, type LoggedChange } from './menu-log.js'

/** A text that a file had from a commit on. */
export interface TextVersion extends CommitJson, Pick<LoggedChange, 'what' | 'summary'> {
  /** Where the file was, from the top of the work tree. */
  readonly path: string
  /** The content hash of the text; null where the file was deleted, or exceeds the size limit. */
  readonly version: string | null
  /** The hash by which git finds the text (`readBlobs`); null where the file was deleted. */
  readonly blob: string | null
}

export interface VersionsOptions {
  readonly limits: Limits
  /** The locales to name items in. */
  readonly locales: readonly string[]
  /** At most this many versions. */
  readonly limit: number
  /** Which other files are followed. Default: any menu file. */
  readonly scope?: HistoryScope
}

/** The versions of a file, the newest first. */
export interface FileVersions {
  readonly versions: readonly TextVersion[]
  /** Whether there are older ones. */
  readonly more: boolean
}

/**
 * The versions that the history of a commit has of the menu in a file, also of one that was deleted; follows it through renames.
 * `file` is from the top of the work tree. None where the file never existed. Throws GitError where the repository is
 * damaged.
 */
export async function versionsOf(
  repository: Repository,
  start: string,
  file: string,
  { limits, locales, limit, scope }: VersionsOptions,
): Promise<FileVersions> {
  const history = createMenuHistory(repository, limits, scope)
  const latest = await history.latest(start, file)
  const versions: TextVersion[] = []
  const changes = changesOf(history, latest === null ? [] : [latest], locales)
  for await (const { version, what, summary } of changes) {
    if (versions.length === limit) return { versions, more: true }
    const { commit, path, blob } = version
    const bytes = await history.bytes(version)
    const hash = bytes === null ? null : contentHash(bytes)
    versions.push({ ...toCommitJson(commit), path, what, summary, version: hash, blob })
  }
  return { versions, more: false }
}
