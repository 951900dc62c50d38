import type { Icons } from '../../config/icons.js'
import type { Config } from '../../config/load-config.js'
import type { MenuDocument } from '../../document/menu-document.js'
import type { JsonMap } from '../../model/json.js'
import type { Problem } from '../../model/problem.js'
import { done, failed, type Result } from '../../model/result.js'
import type { DiffReport } from '../../review/diff/report.js'
import { menusFolderOf, readMenuOrProblem } from '../../review/reading.js'
import type { MenuService } from '../../service/menu-service.js'
import type { Settings } from '../../service/settings.js'
import type { Drafts } from '../../store/drafts/open-drafts.js'
import type { Repository } from '../../store/git/repository.js'
import { contentHash } from '../../store/hash.js'
import type { KnownDocuments } from '../../store/known-documents.js'
import { judgeMenuPath } from '../../store/menu-paths.js'
import { nextTurn } from '../../store/pause.js'
import type { Edit, Published, PublishFault } from '../../store/publish/plan.js'
import type { Judging } from '../../store/publish/publish.js'
import type { Publication, Publisher } from '../../store/publish/queue.js'
import type { Versions } from '../../store/publish/versions.js'
import { isWritable } from '../../store/publish/write-file.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { inSpan } from '../../web/tracing.js'
import type { Operator } from '../access/operator.js'
import type { EventStreams } from '../events.js'
import { must, problemOf, Refusal } from '../refusal.js'
import { toBadPath, toPublishProblem } from './faults.js'
import type { ProposalDesk } from './proposal-desk.js'
import { type Publishing, type Records, recordPublication, recordRefusal, toDiff } from './publish-records.js'

/** What deeds are done with: the menus of a deployment, and all that changes them. */
export interface Workspace extends Records {
  readonly config: Config
  readonly service: MenuService
  readonly settings: Settings
  /** The path of the dashboard. */
  readonly home: string
  /** Identifies the service, as long as its state folder lasts. */
  readonly serviceId: string
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
  /** Finishes publishes that have begun; a remote gets the drafts that it does not have yet. */
  readonly close: () => Promise<void>
  /** Brings the drafts that other services have pushed, before a request of a user. Never rejects. */
  readonly pullDrafts: (user: string) => Promise<void>
  readonly versions: Versions
  /** Whether drafts and replaced texts can be kept; without them nothing is written. */
  readonly keeps: boolean
  /** The repository that the menus are in; null for none. */
  readonly repository: Repository | null
  /** The menu files that are not as the last commit has them, with those that are gone; null where git cannot say. */
  readonly uncommitted: () => Promise<ReadonlySet<string> | null>
  /** What became of some files, in words. */
  readonly compare: (files: readonly Published[]) => Promise<DiffReport>
  /** What changes are proposed with; null where they are only published. */
  readonly proposals: ProposalDesk | null
  /** The icons that the configuration offers, in the order of their names. */
  readonly icons: Icons
  /** The style sheet that previews have, where `dashboard.preview_css` names a file; else null. */
  readonly previewStyle: Uint8Array | null
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
  /** Whether changes are published, proposed, or either. */
  readonly mode: 'push' | 'propose' | 'both'
}

/** What of the storage an operator must know before typing. */
export function storageOf({ config, keeps, repository }: Workspace): Storage {
  const reason = !keeps ? NOT_KEPT : isWritable(config.menusFolder) ? null : READ_ONLY_FOLDER
  const commit = repository === null ? 'none' : config.options.git.commit
  return { writable: reason === null, reason, commit, mode: config.remote?.mode ?? 'push' }
}

const NOT_KEPT =
  'The folder of state.dir cannot be used, so neither drafts nor earlier versions could be kept. The log has the reason.'

const READ_ONLY_FOLDER = 'The menus folder cannot be written. Change the files where they come from.'

/**
 * The document of a menu file as it is on the disk; throws why there is none, and where it is not in the `version` that a
 * request was made for (null: the file must not exist). Default: any.
 */
export function needDocument(workspace: Workspace, file: string, version?: string | null): MenuDocument {
  const document = must(findDocument(workspace, file))
  if (version !== undefined) needVersionOf(workspace, document, version)
  return document
}

/** Throws where a document is not in the version that a request was made for. */
export function needVersionOf(
  workspace: Workspace,
  { path, bytes }: MenuDocument,
  version: string | null,
): void {
  if (contentHash(bytes) !== version) throw toOutdated(workspace, path, version)
}

/** The same document with its value; throws where the file cannot be read as a menu. */
export function needMenu(workspace: Workspace, file: string, version?: string | null): ReadableDocument {
  return toReadable(needDocument(workspace, file, version))
}

export type ReadableDocument = MenuDocument & { readonly value: JsonMap }

export function toReadable(document: MenuDocument): ReadableDocument {
  if (document.value === null) throw new Refusal('broken-file')
  return document as ReadableDocument
}

/** The document of a menu file as it is on the disk, or why there is none. */
export function findDocument(
  { config, documents, isGitBusy }: Workspace,
  file: string,
): Result<MenuDocument, HttpProblem> {
  const what = judgeMenuPath(menusFolderOf(config), file)
  if (what !== null) return failed(toBadPath(what))
  const read = (): MenuDocument | Problem | null => readMenuOrProblem(config, file, documents.read)
  // Git deletes a file before it writes it anew; it may have done that by now.
  const found = read() ?? (isGitBusy() ? null : read())
  if (found !== null) return 'bytes' in found ? done(found) : failed(problemOf('broken-file', {}, found.what))
  return failed(problemOf(isGitBusy() ? 'busy' : 'no-file'))
}

/** A version of a menu file that an operator saw; null if it is no longer known. */
export function findVersion(
  { config, documents, versions }: Workspace,
  file: string,
  version: string,
): MenuDocument | null {
  if (judgeMenuPath(menusFolderOf(config), file) !== null) return null
  const known = documents.find(file, version)
  if (known !== null) return known
  const kept = versions.list(file).find((each) => each.version === version)
  const bytes = kept === undefined ? null : versions.read(kept.id)
  return bytes && documents.read(file, bytes)
}

/** Characters of a difference that a refusal has at most. */
export const MAX_DIFF = 65_536

/**
 * The refusal of a change that was made for another version of a file than the one on the disk: both versions, the menu as it
 * is, and what became of the other one, so that a client can go on without another request.
 */
export function toOutdated(workspace: Workspace, file: string, version: string | null): Refusal {
  const { value: now, fault } = findDocument(workspace, file)
  if (fault !== null) return new Refusal(fault)
  const before = version === null ? null : workspace.documents.find(file, version)
  const diff = before && toDiff({ path: file, before, after: now })
  return new Refusal('changed', {
    ...{ file, asked: version, version: contentHash(now.bytes), menu: now.value },
    diff: diff !== null && diff.length <= MAX_DIFF ? diff : null,
  })
}

/** Publishes edits; what comes back was written, or would be. */
export async function publish(
  workspace: Workspace,
  edits: readonly Edit[],
  publishing: Publishing,
): Promise<Publication> {
  const { operator, isDry, occasion } = publishing
  if (workspace.proposals?.isOnlyWay === true) throw new Refusal('propose-only')
  const request = { author: operator.author, isDry, ...(occasion && { occasion }) }
  const work = () => workspace.publisher.publish(edits, request)
  // A text that cannot be kept must not be replaced.
  const { value, fault } =
    isDry || workspace.keeps
      ? await (isDry ? work() : inSpan('menuscript.publish', { 'menu.files': edits.length }, work))
      : failed({ reason: 'read-only', path: edits[0]?.path ?? '', what: NOT_KEPT } as const)
  if (fault !== null) throw refusalOf(workspace, operator, edits, fault, isDry)
  if (!isDry) recordPublication(workspace, publishing, value)
  await nextTurn()
  for (const { after } of value.files) if (after !== null) workspace.documents.keep(after)
  return value
}

/** Why edits were not published, recorded if they were to be. */
export function refusalOf(
  workspace: Workspace,
  operator: Operator,
  edits: readonly Edit[],
  fault: PublishFault,
  isDry: boolean,
): Refusal {
  if (!isDry) recordRefusal(workspace, operator, fault)
  if (fault.reason !== 'changed') return new Refusal(toPublishProblem(fault))
  return toOutdated(workspace, fault.path, askedOf(edits, fault.path))
}

/** The version of a file that an edit was made for; null for a file that must not exist yet. */
function askedOf(edits: readonly Edit[], path: string): string | null {
  const edit = edits.find((each) => each.path === path)
  return edit?.kind === 'change' ? contentHash(edit.base.bytes) : (edit?.version ?? null)
}

/** What a response says of a published file. */
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
