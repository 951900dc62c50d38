import { relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Config } from '../../config/load-config.js'
import { parseMenuFile } from '../../document/parse.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import { done } from '../../model/result.js'
import { isBefore, isCutOff, mergeHeadOf, toSeconds } from '../../store/git/log.js'
import type { Repository } from '../../store/git/repository.js'
import { type Answer, answerOf } from '../answer.js'
import { openMenusRepository, toTree } from '../menus-repository.js'
import { toParseOptions } from '../reading.js'
import { toSlashes } from '../seen-path.js'
import { toAbsence } from './absence.js'
import { type CommitJson, toCommitJson } from './commit-json.js'
import { variantsOf, type Wanted } from './find-menu.js'
import { createMenuHistory, type MenuHistory } from './menu-history.js'
import { changesOf, type LoggedChange } from './menu-log.js'
import { momentAt } from './moment.js'

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

/** The commits that changed the wanted variants; paths are seen from `folder`. */
export async function toLogReport(
  config: Config,
  folder: string,
  wanted: Wanted,
  { limit, since, onNote, onProgress }: LogOptions,
): Promise<Answer<LogReport>> {
  const { code, at } = wanted
  const menus = await openMenusRepository(config)
  if (menus.fault !== null) return menus
  const moment = await momentAt(menus.value, config, at ?? 'HEAD')
  if (moment.fault !== null) return moment
  const variants = variantsOf(moment.value, folder, wanted)
  if (variants.fault !== null) return variants
  if (variants.value.length === 0) return toAbsence(moment.value, code, menus.value)
  const { repository } = menus.value
  if (at === null && (await mergeHeadOf(repository)) !== null)
    onNote('a merge is in progress: this is the history of HEAD, and --at MERGE_HEAD has the other')
  const start = answerOf(
    since === null ? done(Number.NEGATIVE_INFINITY) : await toSeconds(repository, since),
    'bad-request',
  )
  if (start.fault !== null) return start
  const history = createMenuHistory(repository, config.options.limits)
  const paths = variants.value.map(({ path }) => toTree(menus.value, path))
  const trails = await openTrails(history, moment.value.commit ?? 'HEAD', paths, config, onProgress)
  const found = new Map<string, { readonly head: CommitJson; readonly files: FileChange[] }>()
  let more = false
  for (
    let next = await newestOf(repository, trails);
    next !== null;
    next = await newestOf(repository, trails)
  ) {
    const { commit } = next.change.version
    if (commit.seconds < start.value) break
    more = !found.has(commit.name) && found.size >= limit
    if (more) break
    const entry = found.get(commit.name) ?? { head: toCommitJson(commit), files: [] }
    entry.files.push(await toFileChange(folder, config, repository, history, next.change))
    found.set(commit.name, entry)
    onProgress(`reading commit ${found.size}`)
    await next.advance()
    await setImmediate()
  }
  const commits = [...found.values()].map(({ head, files }) => ({
    ...head,
    files: files.sort((a, b) => compareText(a.file, b.file)),
  }))
  const last = commits.at(-1)
  const shallow = !more && last !== undefined && (await isCutOff(repository, last.commit))
  return done({ code, commits, more, shallow })
}

/** The changes of one file; the newest unlisted one is in front. */
interface Trail {
  change: LoggedChange
  readonly advance: () => Promise<void>
}

async function openTrails(
  history: MenuHistory,
  commit: string,
  paths: readonly string[],
  { options }: Config,
  onProgress: LogOptions['onProgress'],
): Promise<ReadonlySet<Trail>> {
  const trails = new Set<Trail>()
  const open = async (path: string): Promise<void> => {
    const start = await history.latest(commit, path)
    if (start === null) return
    const changes = changesOf(history, start, options.locales)
    const first = await changes.next()
    if (first.done) return
    const advance = async (): Promise<void> => {
      const next = await changes.next()
      if (next.done) trails.delete(trail)
      else trail.change = next.value
    }
    const trail: Trail = { change: first.value, advance }
    trails.add(trail)
  }
  for (let place = 0; place < paths.length; place += AT_ONCE) {
    const some = paths.slice(place, place + AT_ONCE)
    await Promise.all(some.map(open))
    onProgress(`reading file ${place + some.length} of ${paths.length}`)
  }
  return trails
}

/** The trail with the newest change; commits of one second are ordered by descent. */
async function newestOf(repository: Repository, trails: ReadonlySet<Trail>): Promise<Trail | null> {
  let newest: Trail | null = null
  for (const trail of trails) {
    const [a, b] = [trail.change.version.commit, newest?.change.version.commit]
    const isTie = a.seconds === b?.seconds && a.name !== b.name
    const isNewer =
      b === undefined || a.seconds > b.seconds || (isTie && (await isBefore(repository, b.name, a.name)))
    if (isNewer) newest = trail
  }
  return newest
}

async function toFileChange(
  folder: string,
  config: Config,
  { root }: Repository,
  history: MenuHistory,
  { version, from, what, summary }: LoggedChange,
): Promise<FileChange> {
  const seen = (path: string): string => toSlashes(relative(folder, resolve(root, path)))
  const file = seen(version.path)
  const bytes = await history.bytes(version)
  const problems = bytes === null ? [] : parseMenuFile(file, bytes, toParseOptions(config)).problems
  const error = problems.find(isError) ?? null
  return { file, from: from === null ? null : seen(from), what, summary, error }
}
