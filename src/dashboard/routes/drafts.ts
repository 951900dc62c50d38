import {
  discardDraft,
  drafted,
  listDrafts,
  openDraft,
  publishDraft,
  readDraft,
  resolveDraft,
} from '../deeds/drafts.js'
import { readPatch, toDrafted, toPublished, toRef } from './call.js'
import { KEEPING, MERGING, PATCHING, PUBLISHING, STEPPING } from './problems.js'
import { bare, json, type Route } from './route.js'

/** Drafts; `{id}` is that of one. */
export const DRAFT_ROUTES: Readonly<Record<string, Route>> = {
  'GET /drafts': bare('view', {
    says: 'Who is editing which file',
    gives: { 200: 'DraftList' },
    run: ({ workspace }, { operator }) => ({ value: { drafts: listDrafts(workspace, operator) } }),
  }),
  'POST /drafts': bare('edit', {
    says: 'Start the own draft of a file, or of the `version` of it that was shown, or resume it',
    query: ['file', 'version', 'dry_run'],
    gives: { 200: 'Draft', 201: 'Draft' },
    problems: [...KEEPING, 'changed', 'broken-file'],
    run: ({ workspace }, { operator, file, query, isDry }) => {
      const wish = { file, version: query.get('version'), isDry }
      return toDrafted(openDraft(workspace, operator, wish), isDry ? 200 : 201)
    },
  }),
  'GET /drafts/{id}': bare('edit', {
    says: 'One of your drafts',
    gives: { 200: 'Draft' },
    problems: ['no-draft', 'draft-unreadable'],
    run: ({ workspace }, { operator, id }) => toDrafted(readDraft(workspace, operator, id)),
  }),
  'PATCH /drafts/{id}': json('edit', 'Patch', {
    says: 'Add a step to a draft, by a JSON Patch (RFC 6902)',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    problems: [...STEPPING, ...PATCHING],
    run: ({ workspace }, call) =>
      toDrafted(drafted(workspace.drafts.edit(toRef(call), readPatch(call.body)))),
  }),
  'DELETE /drafts/{id}': bare('edit', {
    says: 'Discard a draft',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 204: null },
    problems: ['draft-changed', 'bad-version', 'busy', 'not-written', 'read-only'],
    run: ({ workspace }, call) => {
      discardDraft(workspace, call.operator, toRef(call))
      return { status: 204 }
    },
  }),
  'POST /drafts/{id}/undo': bare('edit', {
    says: 'Undo the last step',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    problems: [...STEPPING, 'nothing-to-undo'],
    run: ({ workspace }, call) => toDrafted(drafted(workspace.drafts.undo(toRef(call)))),
  }),
  'POST /drafts/{id}/redo': bare('edit', {
    says: 'Redo the step that was undone last',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    problems: [...STEPPING, 'nothing-to-redo'],
    run: ({ workspace }, call) => toDrafted(drafted(workspace.drafts.redo(toRef(call)))),
  }),
  'POST /drafts/{id}/publish': bare('edit', {
    says: 'Publish a draft; with `file` as a new file',
    query: ['file?', 'dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Published' },
    problems: [...PUBLISHING, ...MERGING, 'draft-changed', 'bad-version'],
    run: async ({ workspace }, call) => {
      const wish = { ...toRef(call), file: call.query.get('file') }
      return toPublished(await publishDraft(workspace, call.operator, wish))
    },
  }),
  'POST /drafts/{id}/resolve': json('edit', 'Choices', {
    says: 'Rebase a draft onto the current file, and resolve each conflict',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Draft' },
    problems: [...STEPPING, 'changed', 'undecided', 'no-file'],
    run: ({ workspace }, call) => toDrafted(resolveDraft(workspace, call.operator, toRef(call), call.body)),
  }),
}
