import type { Conflict } from '../../change/merge/conflict.js'
import { writeChange } from '../../document/edit/write-change.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { mergeInto } from '../../document/merge/merge-into.js'
import { failed, type Result } from '../../model/result.js'
import type { DraftFault, DraftRef } from '../../store/drafts/open-drafts.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { contentHash } from '../../store/hash.js'
import { nextTurn } from '../../store/pause.js'
import type { Edit } from '../../store/publish/plan.js'
import type { Publication } from '../../store/publish/queue.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { byChoices, conflictKey } from './conflicts.js'
import { countChanges, isSpent } from './draft-changes.js'
import { needPath, toDraftProblem } from './faults.js'
import { findVersion, needDocument, publish, toReadable, type Workspace } from './workspace.js'

/** Drafts that one user may have, so that all others have room. */
const MAX_OF_USER = 100

/** Whether an operator may discard a draft: their own, or, with the admin token, that of a user who may be gone. */
function isDiscardable({ user }: Draft, { id, via }: Operator): boolean {
  return user === id || via === 'token'
}

/** What an operator sees of all drafts; the id of a draft where they may discard it. */
export function listDrafts({ drafts }: Workspace, operator: Operator): readonly object[] {
  return drafts.list().map((draft) => {
    const { user, path, created, changed, steps } = draft
    const id = isDiscardable(draft, operator) ? draft.id : null
    return { id, user, file: path, created, changed, steps: steps.position, changes: countChanges(draft) }
  })
}

/** The drafts of an operator that wait for a publish, the one that was changed last first. */
export async function waitingDrafts(
  { drafts }: Workspace,
  { id }: Operator,
): Promise<readonly { readonly file: string; readonly changes: number }[]> {
  const waiting: { file: string; changes: number }[] = []
  for (const draft of drafts.list().filter(({ user }) => user === id)) {
    const changes = countChanges(draft)
    if (changes > 0) waiting.push({ file: draft.path, changes })
    await nextTurn()
  }
  return waiting
}

/** A draft of the operator. */
export function readDraft({ drafts }: Workspace, { id: user }: Operator, id: string): Draft {
  const draft = drafts.read(id, user)
  if (draft === null) throw new Refusal('no-draft')
  return draft
}

/** Starts or resumes the draft of a file, in the version that was shown; undefined for the present one. */
export function openDraft(
  workspace: Workspace,
  operator: Operator,
  wish: { readonly file: string; readonly version: string | undefined; readonly isDry: boolean },
): Draft {
  const { file, version, isDry } = wish
  const shown = version === undefined ? null : findVersion(workspace, file, version)
  const document = shown ?? needDocument(workspace, file, version)
  return drafted(startDraft(workspace, operator.id, toReadable(document), isDry))
}

/** Whether a draft holds nothing but what its operator can undo or redo. */
function isCleared(draft: Draft): boolean {
  return draft.steps.all.length > 0 && isSpent(draft)
}

/** Starts the draft of a user on a document, or resumes it. One without changes, on another text, makes way. */
export function startDraft(
  { drafts, log }: Workspace,
  user: string,
  { path: file, bytes }: MenuDocument,
  isDry: boolean = false,
): Result<Draft, DraftFault> {
  const own = drafts.list().filter((draft) => draft.user === user)
  const old = own.find(({ path }) => path === file)
  const since = Date.now()
  let gone = old && isSpent(old) && contentHash(old.base.bytes) !== contentHash(bytes) ? old : undefined
  if (old === undefined && own.length >= MAX_OF_USER) {
    gone = own.findLast(isCleared)
    if (gone === undefined) return failed({ reason: 'too-many' })
  }
  if (gone !== undefined && !isDry) drafts.discard(gone.id, user)
  const opened = drafts.open(user, file, bytes, isDry)
  if (!isDry && opened.value !== null && opened.value.created >= since)
    log.info('draft_started', { user, file })
  return opened
}

/** Throws where a user would have too many drafts if they had one of each of these files. */
export function needRoomFor({ drafts }: Workspace, user: string, files: readonly string[]): void {
  const own = drafts.list().filter((draft) => draft.user === user && !isCleared(draft))
  if (new Set([...own.map(({ path }) => path), ...files]).size > MAX_OF_USER)
    throw new Refusal(toDraftProblem({ reason: 'too-many' }))
}

/** A draft that was changed; throws why it was not. */
export function drafted({ value, fault }: Result<Draft, DraftFault>): Draft {
  if (fault !== null) throw new Refusal(toDraftProblem(fault))
  return value
}

/** Discards a draft of the operator or, with the admin token, anyone's. */
export function discardDraft(
  workspace: Workspace,
  operator: Operator,
  { id, revision, isDry }: Pick<DraftRef, 'id' | 'revision'> & { readonly isDry: boolean },
): void {
  const { drafts } = workspace
  const draft = drafts.list().find((each) => each.id === id && isDiscardable(each, operator))
  if (draft === undefined) return
  needRevision(draft, revision)
  if (isDry) return
  drafts.discard(id, draft.user)
  recordDiscard(workspace, operator, draft, draft.steps.position)
}

/** Records in the log and in the audit log that an operator gave up the steps of a draft. */
export function recordDiscard(
  { audit, log }: Workspace,
  { id: by, via, address }: Operator,
  { user, path: file }: Pick<Draft, 'user' | 'path'>,
  steps: number,
): void {
  log.info('draft_discarded', { user, file, steps })
  audit.record({ user: by, via, address, action: 'draft-discarded', of: user, file, steps })
}

/** After this long without a change, in milliseconds, others can take a draft over. */
const AWAY_MS = 900_000

/** Whether the user of a draft seems to be gone. */
export function isLeft({ changed }: Draft): boolean {
  return Date.now() - changed >= AWAY_MS
}

/** Makes the draft of a user who seems to be gone the operator's own; throws where that cannot be. */
export function takeOverDraft(
  { drafts, log, audit }: Workspace,
  { id: by, via, address }: Operator,
  { file, user, revision }: { readonly file: string; readonly user: string; readonly revision: number },
): void {
  const all = drafts.list().filter(({ path }) => path === file)
  const draft = all.find((each) => each.user === user && each.user !== by && isLeft(each))
  if (draft === undefined) throw new Refusal('no-draft')
  if (all.some((each) => each.user === by && countChanges(each) > 0)) throw new Refusal('own-draft')
  drafted(drafts.takeOver({ id: draft.id, user, revision }, by))
  log.info('draft_taken_over', { user: by, of: user, file })
  audit.record({ user: by, via, address, action: 'draft-taken-over', of: user, file })
}

/** Throws where a draft has another revision than the one that a request was made for; null is any. */
export function needRevision(draft: Draft, revision: number | null): void {
  if (revision !== null && revision !== draft.revision)
    throw new Refusal(toDraftProblem({ reason: 'changed', draft }))
}

/** What a draft makes of its file. */
export function toEdit({ path, base, change, texts }: Draft): Edit {
  return { kind: 'change', path, base, change, texts }
}

/** Publishes a draft, with a `file` as a new file; the draft goes, unless it was changed meanwhile. */
export async function publishDraft(
  workspace: Workspace,
  operator: Operator,
  { id, revision, file, isDry }: PublishWish,
): Promise<Publication> {
  const draft = readDraft(workspace, operator, id)
  needRevision(draft, revision)
  const { all, position } = draft.steps
  // What was decided against the work of others is no edit alone.
  const isMerged = all.slice(0, position).some(({ kind }) => kind === 'rebase')
  const published = await publish(workspace, [file === undefined ? toEdit(draft) : toNewFile(draft, file)], {
    ...{ operator, isDry, action: 'publish' },
    ...(isMerged && { occasion: { kind: 'merge' } }),
  })
  if (!isDry && workspace.drafts.read(id, draft.user)?.revision === draft.revision)
    workspace.drafts.discard(id, draft.user)
  return published
}

export interface PublishWish extends Pick<DraftRef, 'id' | 'revision'> {
  /** The path of a new file; undefined for the file of the draft. */
  readonly file: string | undefined
  readonly isDry: boolean
}

function toNewFile(draft: Draft, file: string): Edit {
  const path = needPath(file)
  const { mark, text } = needWritten(draft)
  return { kind: 'text', path, version: null, text: mark + text }
}

/** The document that a draft makes; throws where its change cannot be written. */
export function needWritten({ base, change, texts }: Pick<Draft, 'base' | 'change' | 'texts'>): MenuDocument {
  const { value, fault } = writeChange(base, change, texts)
  if (fault !== null) throw new Refusal('uneditable', {}, fault)
  return value
}

/** The sides that were chosen, by the ids of the conflicts with this version of the file. */
export interface Choices {
  readonly version: string
  readonly choices: Readonly<Record<string, 'mine' | 'theirs'>>
  /** The side of conflicts without a choice. Default: they are refused. */
  readonly rest?: 'mine' | 'theirs'
}

/** Puts a draft on the file as it is now; each conflict needs a choice. */
export function resolveDraft(
  workspace: Workspace,
  operator: Operator,
  ref: DraftRef,
  { version, choices, rest }: Choices,
): Draft {
  const draft = readDraft(workspace, operator, ref.id)
  const theirs = needDocument(workspace, draft.path, version)
  const missed: Conflict[] = []
  const { merged, change } = mergeInto(
    theirs,
    draft,
    byChoices(new Map(Object.entries(choices)), missed, rest),
  )
  const open = missed.length > 0 ? missed : merged.contradictory
  if (open.length > 0) throw new Refusal('undecided', { conflicts: [...new Set(open.map(conflictKey))] })
  const rebased = drafted(workspace.drafts.rebase(ref, theirs.bytes, change))
  if (ref.isDry !== true) workspace.log.info('draft_resolved', { user: draft.user, file: draft.path })
  return rebased
}
