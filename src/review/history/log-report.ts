import { resolve } from 'node:path'
import { parseMenuFile } from '../../document/parse.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import { isCutOff, toSeconds } from '../../store/git/log.js'
import { hashOf } from '../../store/git/repository.js'
import { toParseOptions } from '../reading.js'
import { fromGit } from '../refusal.js'
import { openMenusRepository, type Site, toSeen, toTree } from '../site.js'
import { type CommitJson, toCommitJson } from './commit-json.js'
import { findVariants, type Wanted } from './find-menu.js'
import { createMenuHistory, type MenuVersion, scopeOf } from './menu-history.js'
import { changesOf, type LoggedChange } from './menu-log.js'

/** The commits that changed a menu, the newest first. */
export interface LogReport {
  readonly code: string
  readonly commits: readonly LoggedCommit[]
  /** Whether there are older commits. */
  readonly more: boolean
  /** Whether the history of a shallow clone ends with the last one. */
  readonly shallow: boolean
}

/** A commit with its changes to the files of a menu. */
export interface LoggedCommit extends CommitJson {
  readonly files: readonly FileChange[]
}

export interface FileChange extends Omit<LoggedChange, 'version'> {
  /** As seen from where the command runs. */
  readonly file: string
  /** The first error that prevents serving this version. */
  readonly error: Problem | null
}

export interface LogOptions {
  /** At most this many commits. */
  readonly limit: number
  /** No commits before this time, in words that git understands; null for no limit. */
  readonly since: string | null
  readonly onNote: (note: string) => void
  readonly onProgress: (text: string) => void
}

/** Files whose histories are opened in parallel: each costs a few calls of git. */
const AT_ONCE = 8

/** The commits that changed the wanted variants of a menu. */
export async function toLogReport(
  site: Site,
  wanted: Wanted,
  { limit, since, onNote, onProgress }: LogOptions,
): Promise<LogReport> {
  const { code, at } = wanted
  const menus = await openMenusRepository(site)
  const { repository, folder } = menus
  const { moment, variants } = await findVariants(site, menus, { ...wanted, at: at ?? 'HEAD' })
  if (at === null && (await hashOf(repository, 'MERGE_HEAD')) !== null)
    onNote('a merge is in progress: this is the history of HEAD, and --at MERGE_HEAD has the other')
  const start =
    since === null ? Number.NEGATIVE_INFINITY : fromGit(await toSeconds(repository, since), 'usage')
  const { limits, storage } = site.options
  const history = createMenuHistory(repository, limits, scopeOf(folder, storage.file_prefix))
  const versions: MenuVersion[] = []
  for (let place = 0; place < variants.length; place += AT_ONCE) {
    const some = variants.slice(place, place + AT_ONCE)
    const latest = some.map(({ path }) => history.latest(moment.commit ?? 'HEAD', toTree(menus, path)))
    versions.push(...(await Promise.all(latest)).filter((version) => version !== null))
    onProgress(`reading file ${place + some.length} of ${variants.length}`)
  }
  const seen = (path: string): string => toSeen(site, resolve(repository.root, path))
  const toFileChange = async ({ version, from, what, summary }: LoggedChange): Promise<FileChange> => {
    const file = seen(version.path)
    const bytes = await history.bytes(version)
    const problems = bytes === null ? [] : parseMenuFile(file, bytes, toParseOptions(site)).problems
    return { file, from: from && seen(from), what, summary, error: problems.find(isError) ?? null }
  }
  const found = new Map<string, CommitJson & { readonly files: FileChange[] }>()
  let more = false
  for await (const change of changesOf(history, versions, site.options.locales)) {
    const { commit } = change.version
    if (commit.seconds < start) break
    more = !found.has(commit.name) && found.size >= limit
    if (more) break
    const entry = found.get(commit.name) ?? { ...toCommitJson(commit), files: [] }
    entry.files.push(await toFileChange(change))
    found.set(commit.name, entry)
    onProgress(`reading commit ${found.size}`)
  }
  const commits = [...found.values()]
  for (const { files } of commits) files.sort((a, b) => compareText(a.file, b.file))
  const last = commits.at(-1)
  const shallow = !more && last !== undefined && (await isCutOff(repository, last.commit))
  return { code, commits, more, shallow }
}
