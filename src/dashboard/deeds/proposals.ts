import { type Change, type ItemOrigin, type Side, sameItems } from '../../change/change.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { mergeInto } from '../../document/merge/merge-into.js'
import { toCommitMessage } from '../../review/diff/commit-message.js'
import { toDiffMarkdown } from '../../review/diff/markdown.js'
import { menusFolderOf } from '../../review/reading.js'
import type { DraftRef } from '../../store/drafts/open-drafts.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { menuTreePath } from '../../store/git/commit-tree.js'
import { blobsAt, readBlobs } from '../../store/git/objects.js'
import type { Published } from '../../store/publish/plan.js'
import type { Proposal, ProposalList } from '../../store/remote/proposals.js'
import type { Proposed } from '../../store/remote/propose.js'
import type { Operator } from '../access/operator.js'
import { Refusal } from '../refusal.js'
import { drafted, needRevision, readDraft, startDraft, toEdit } from './drafts.js'
import { ownDraft } from './edited-menu.js'
import { needPath } from './faults.js'
import type { ProposalDesk } from './proposal-desk.js'
import { MAX_TITLE } from './proposal-limits.js'
import { recordProposal } from './publish-records.js'
import { findDocument, refusalOf, toReadable, type Workspace } from './workspace.js'

export interface ProposeWish extends Pick<DraftRef, 'id' | 'revision'> {
  readonly title: string
  /** What reviewers should know. */
  readonly text: string
  /** Whether a draft that continues a proposal becomes another one. */
  readonly isNew: boolean
  readonly isDry: boolean
}

/** What became of a proposal. */
export interface Outcome extends Proposed {
  /** The page of its pull request; null where there is none yet. */
  readonly url: string | null
  /** The page that opens one; null where the host is not known. */
  readonly link: string | null
  /** Why the host opened none, in words; null where nothing failed. */
  readonly reason: string | null
}

/** The proposals of a service; throws where it has none. */
export function needProposals({ proposals }: Pick<Workspace, 'proposals'>): ProposalDesk {
  if (proposals === null) throw new Refusal('no-proposals')
  return proposals
}

/** Pushes a draft as a branch, and opens its pull request; the draft goes, unless it was changed meanwhile. */
export async function proposeDraft(
  workspace: Workspace,
  operator: Operator,
  { id, revision, title: given, text, isNew, isDry }: ProposeWish,
): Promise<Outcome> {
  const desk = needProposals(workspace)
  const draft = readDraft(workspace, operator, id)
  needRevision(draft, revision)
  const title = toTitle(given)
  if (title === '') throw new Refusal('bad-body', { pointer: '/title' }, 'The title is empty.')
  const edits = [toEdit(draft)]
  const seen = isNew ? null : desk.continued.of(id)
  const { value: proposed, fault } = await desk.propose(edits, {
    ...{ author: operator.author, title, text: text.trim(), seen, isDry },
  })
  if (fault !== null) {
    if (fault.reason === 'unchanged') throw new Refusal('nothing-to-propose')
    if (fault.reason === 'moved') throw new Refusal('proposal-changed')
    throw refusalOf(workspace, operator, edits, fault, isDry)
  }
  const { branch, commit, files } = proposed
  const link = desk.linkOf(branch)
  if (commit === null) return { ...proposed, url: null, link, reason: null }
  if (workspace.drafts.read(id, draft.user)?.revision === draft.revision)
    workspace.drafts.discard(id, draft.user)
  else desk.continued.set(id, { branch, commit })
  recordProposal(workspace, operator, { branch, commit, file: draft.path })
  const changes = desk.host === null ? '' : toDiffMarkdown(await workspace.compare(files))
  const body = [text.trim(), changes].filter((part) => part !== '').join('\n\n')
  const opened = await desk.host?.open({ branch, into: desk.into, title, text: body })
  const { value: pull, fault: reason } = opened ?? NO_PULL
  desk.forget()
  if (reason !== null) workspace.log.error('pull_request_failed', { branch, reason })
  return { ...proposed, url: pull?.url ?? null, link, reason }
}

const NO_PULL = { value: null, fault: null } as const

/** One line without control characters. */
function toTitle(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE)
}

/** The title that a proposal of some files has unless somebody gives it another one. */
export async function toSubject({ compare }: Workspace, files: readonly Published[]): Promise<string> {
  const { menus } = await compare(files)
  return toCommitMessage(menus, files[0]?.path ?? '', { kind: 'edit' }).split('\n')[0] ?? ''
}

/** The open proposals. */
export function listProposals(workspace: Workspace): Promise<ProposalList> {
  return needProposals(workspace).list()
}

/** One of the open proposals. */
export async function needProposal(workspace: Workspace, branch: string): Promise<Proposal> {
  const { proposals } = await listProposals(workspace)
  const found = proposals.find((each) => each.branch === branch)
  if (found === undefined) throw new Refusal('no-proposal')
  return found
}

/** What a proposal makes of a menu file that it changes: of the present one, or of the one that it was made for where both conflict. */
export async function proposedFile(
  workspace: Workspace,
  proposal: Proposal,
  file: string,
): Promise<Published & { readonly hasConflicts: boolean }> {
  const [before, after] = await textsOf(workspace, proposal, file)
  const { value: live } = findDocument(workspace, file)
  if (before?.value && after?.value && live?.value) {
    const { merged, written } = mergeInto(live, { base: before, change: changeBetween(before, after) })
    if (merged.conflicts.length === 0 && written.value !== null)
      return { path: file, before: live, after: written.value, hasConflicts: false }
  }
  return { path: file, before, after, hasConflicts: proposal.state === 'conflicts' }
}

/** Makes what a proposal changes of a menu file the draft of an operator, from where the proposal began. */
export async function continueProposal(
  workspace: Workspace,
  operator: Operator,
  { branch, file, isDry }: { readonly branch: string; readonly file: string; readonly isDry: boolean },
): Promise<Draft> {
  const desk = needProposals(workspace)
  needPath(file)
  desk.forget()
  const proposal = await needProposal(workspace, branch)
  if (!proposal.files.includes(file)) throw new Refusal('no-file')
  const own = ownDraft(workspace, file, operator.id)
  if (own !== null) throw new Refusal('own-draft')
  const [before, after] = await textsOf(workspace, proposal, file)
  if (before === null || after === null) throw new Refusal('no-file')
  const [base, mine] = [toReadable(before), toReadable(after)]
  const draft = drafted(startDraft(workspace, operator.id, base, isDry))
  const change = changeBetween(base, mine, 'theirs')
  if (isDry) return { ...draft, change }
  const { id, user, revision } = draft
  const made = drafted(workspace.drafts.rebase({ id, user, revision }, base.bytes, change))
  desk.continued.set(id, { branch, commit: proposal.commit })
  workspace.log.info('proposal_continued', { user, branch, file })
  return made
}

/** The change that makes one text of another, by the items that they have in common; `side` names the first one. */
function changeBetween(before: MenuDocument, after: MenuDocument, side: Side = 'base'): Change {
  const [base, value] = [before.value ?? {}, after.value ?? {}]
  const origins = sameItems(base, value).map(([old, now]): [string, ItemOrigin] => [
    now.pointer,
    { side, pointer: old.pointer },
  ])
  return { value, origins: new Map(origins) }
}

/** A menu file where a proposal began, and as it has it; null where it has none, or one that is too large. */
async function textsOf(
  { config, repository, documents }: Workspace,
  { base, commit }: Proposal,
  file: string,
): Promise<readonly [before: MenuDocument | null, after: MenuDocument | null]> {
  const path = repository && menuTreePath(repository, menusFolderOf(config), file)
  if (repository === null || path === null) return [null, null]
  const found = await blobsAt(
    repository,
    [base, commit].map((each) => `${each}:${path}`),
  )
  const { bytes: most } = config.options.limits
  const [before, after] = found.map((each) => (each !== null && each.bytes <= most ? each.blob : null))
  const texts = await readBlobs(
    repository,
    [before, after].filter((blob) => blob != null),
  )
  const read = (blob: string | null | undefined): MenuDocument | null => {
    const bytes = texts.get(blob ?? '')
    return bytes === undefined ? null : documents.read(file, bytes)
  }
  return [read(before), read(after)]
}
