import type { Icons } from '../../config/icons.js'
import type { Config } from '../../config/load-config.js'
import type { MenuDocument } from '../../document/menu-document.js'
import type { JsonMap } from '../../model/json.js'
import type { Locales } from '../../model/locale.js'
import { done, failed, type Result } from '../../model/result.js'
import type { DiffReport } from '../../review/diff/report.js'
import { readMenu } from '../../review/reading.js'
import type { MenuService } from '../../service/menu-service.js'
import type { Drafts } from '../../store/drafts/open-drafts.js'
import { isMenuPath } from '../../store/entry.js'
import type { Repository } from '../../store/git/repository.js'
import { contentHash } from '../../store/hash.js'
import type { Judging } from '../../store/judged-files.js'
import type { KnownDocuments } from '../../store/known-documents.js'
import type { Edit, Published } from '../../store/publish/plan.js'
import type { Publication, Publisher } from '../../store/publish/publish.js'
import type { Versions } from '../../store/publish/versions.js'
import { isWritable } from '../../store/publish/writable.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { type Answered, toTag } from './call.js'
import type { EventStreams } from './events.js'
import { problemOf, toProblemMember, toPublishProblem } from './faults.js'
import { type Publishing, type Records, recordPublication, recordRefusal, toDiff } from './publish-records.js'

/** What the dashboard changes menus with. */
export interface Editing extends Records {
  readonly config: Config
  readonly service: MenuService
  readonly store: Judging
  readonly publisher: Publisher
  readonly drafts: Drafts
  /** The menus that were read or published last. */
  readonly documents: KnownDocuments
  readonly streams: EventStreams
  /** Whether git is changing the work tree. */
  readonly isGitBusy: () => boolean
  /** Ends the event streams, which a server that closes would wait for, and soon every call of git: it may hang. */
  readonly stop: () => void
  readonly versions: Versions
  /** Whether drafts and replaced texts can be kept; without them nothing is written. */
  readonly keeps: boolean
  /** The repository that the menus are in; null for none. */
  readonly repository: Repository | null
  /** Which of some menu files are not as the last commit has them, with those that are gone; null where there is no git. */
  readonly uncommitted: (paths: readonly string[]) => Promise<ReadonlySet<string> | null>
  /** What became of some files, in words. */
  readonly compare: (files: readonly Published[]) => DiffReport
  readonly defaults: Locales
  /** The icons that the configuration offers, in the order of their names. */
  readonly icons: Icons
  /** The locales to name items in, the best first. */
  readonly locales: readonly string[]
}

/** Whether menus can be written, and what becomes of that in git. */
export interface Storage {
  readonly writable: boolean
  /** Why nothing can be written, in a sentence; null when it can. */
  readonly reason: string | null
  /** Whether a publish is a commit; `none` where the menus are in no git work tree. */
  readonly commit: 'auto' | 'off' | 'none'
}

/** What of the storage an operator must know before typing. */
export function storageOf({ config, keeps, repository }: Editing): Storage {
  const reason = !keeps ? NOT_KEPT : isWritable(config.menusFolder) ? null : READ_ONLY_FOLDER
  const commit = repository === null ? 'none' : config.options.git.commit
  return { writable: reason === null, reason, commit }
}

const NOT_KEPT =
  'The folder of state.dir cannot be used, so neither drafts nor earlier versions could be kept. The log has the reason.'

const READ_ONLY_FOLDER = 'The menus folder cannot be written. Change the files where they come from.'

/** The document of a menu file as it is on the disk. */
export function needDocument(
  { config, documents, isGitBusy }: Editing,
  file: string,
): Result<MenuDocument, HttpProblem> {
  if (!isMenuPath(file, config.options.storage.file_prefix)) return failed(problemOf('no-file'))
  const read = (): MenuDocument | null => readMenu(config, file, documents.read)
  // Git deletes a file before it writes it anew; it may have done that by now.
  const document = read() ?? (isGitBusy() ? null : read())
  if (document !== null) return done(document)
  return failed(problemOf(isGitBusy() ? 'busy' : 'no-file'))
}

/** A version of a menu file that somebody was shown; null where it is not known any more. */
export function findVersion(
  { documents, versions }: Editing,
  file: string,
  version: string,
): MenuDocument | null {
  const known = documents.find(file, version)
  if (known !== null) return known
  const kept = versions.list(file).find((each) => each.version === version)
  const bytes = kept === undefined ? null : versions.read(kept.id)
  return bytes && documents.read(file, bytes)
}

/** Characters of a difference that a refusal has at most. */
const MAX_DIFF = 65_536

/**
 * The refusal of a change that was made for another version of a file than the one on the disk: both versions, the menu as it
 * is, and what became of the other one, so that a client can go on without another request.
 */
export function toOutdated(editing: Editing, file: string, asked: string | null): HttpProblem {
  const { value: now, fault } = needDocument(editing, file)
  if (fault !== null) return fault
  const before = asked === null ? null : editing.documents.find(file, asked)
  const diff = before && toDiff({ path: file, before, after: now })
  return problemOf('changed', {
    ...{ file, asked, version: contentHash(now.bytes), menu: now.value },
    diff: diff !== null && diff.length <= MAX_DIFF ? diff : null,
  })
}

/** Publishes edits, and answers what was written or would be: of one file its version, its menu and the difference. */
export async function publish(
  editing: Editing,
  edits: readonly Edit[],
  publishing: Publishing,
): Promise<Result<Publication, HttpProblem>> {
  const { operator, isDry } = publishing
  const { value, fault } = await editing.publisher.publish(edits, { author: operator.id, isDry })
  if (fault !== null) {
    if (!isDry) recordRefusal(editing, operator, fault)
    if (fault.reason !== 'changed') return failed(toPublishProblem(fault))
    return failed(toOutdated(editing, fault.path, askedOf(edits, fault.path)))
  }
  if (!isDry) recordPublication(editing, publishing, value)
  for (const { after } of value.files) if (after !== null) editing.documents.keep(after)
  return done(value)
}

/** The version of a file that an edit was made for; null for a file that must not exist yet. */
function askedOf(edits: readonly Edit[], path: string): string | null {
  const edit = edits.find((each) => each.path === path)
  return edit?.kind === 'change' ? contentHash(edit.base.bytes) : (edit?.version ?? null)
}

/** The answer about one published file. */
export function toPublishedReply(
  { value, fault }: Result<Publication, HttpProblem>,
  status: number = 200,
): Answered {
  if (fault !== null) return failed(fault)
  const [file] = value.files
  if (file === undefined) return done({ status: 204 })
  const published = toFileValue(file)
  const { version } = published
  return done({
    status,
    value: { ...published, problems: value.problems.map(toProblemMember), commit: value.commit },
    headers: version === null ? {} : { etag: toTag(version) },
  })
}

/** What an answer says of a published file. */
export function toFileValue(file: Published): {
  readonly file: string
  readonly version: string | null
  readonly menu: JsonMap | null
  readonly diff: string
} {
  const { path, after } = file
  return {
    file: path,
    version: after === null ? null : contentHash(after.bytes),
    menu: after?.value ?? null,
    diff: toDiff(file),
  }
}
