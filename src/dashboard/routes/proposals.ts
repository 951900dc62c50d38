import { toProblemMember } from '../deeds/faults.js'
import { continueProposal, listProposals, needProposals, proposeDraft } from '../deeds/proposals.js'
import { toFileValue } from '../deeds/workspace.js'
import { toDrafted, toRef } from './call.js'
import { KEEPING, MERGING, WRITING } from './problems.js'
import { bare, json, type Route } from './route.js'

/** Proposals: drafts that were pushed as branches. */
export const PROPOSAL_ROUTES: Readonly<Record<string, Route>> = {
  'POST /drafts/{id}/propose': json('edit', 'Proposal', {
    says: 'Push a draft as a branch, and open its pull request',
    query: ['dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Proposed', 201: 'Proposed' },
    problems: [
      ...WRITING.filter((code) => code !== 'propose-only'),
      ...MERGING,
      ...(['no-proposals', 'nothing-to-propose', 'proposal-changed'] as const),
      ...(['bad-path', 'changed', 'invalid-menu', 'draft-changed', 'bad-version'] as const),
    ],
    run: async ({ workspace }, call) => {
      const { title, text = null, isNew = false } = call.body
      const wish = { ...toRef(call), title, text: text ?? '', isNew }
      const { files, problems, ...proposed } = await proposeDraft(workspace, call.operator, wish)
      const [file] = files.map(toFileValue)
      const value = { ...proposed, ...file, problems: problems.map(toProblemMember) }
      return { status: call.isDry || proposed.isUpdate ? 200 : 201, value }
    },
  }),
  'GET /proposals': bare('view', {
    says: 'The open proposals, the one that was changed last first',
    gives: { 200: 'ProposalList' },
    problems: ['no-proposals'],
    run: async ({ workspace }) => {
      const desk = needProposals(workspace)
      const { proposals, away } = await listProposals(workspace)
      const shown = proposals.map(({ pull, base, ...proposal }) => ({
        ...{ ...proposal, comments: pull?.comments ?? null, url: pull?.url ?? null },
        link: desk.linkOf(proposal.branch),
      }))
      return { value: { proposals: shown, away } }
    },
  }),
  'POST /proposals/draft': json('edit', 'Continued', {
    says: 'Make what a proposal changes of a menu your draft',
    query: ['dry_run'],
    gives: { 200: 'Draft', 201: 'Draft' },
    problems: [
      ...KEEPING,
      ...(['no-proposals', 'no-proposal', 'no-file', 'own-draft', 'bad-path', 'broken-file'] as const),
    ],
    run: async ({ workspace }, { operator, body, isDry }) =>
      toDrafted(await continueProposal(workspace, operator, { ...body, isDry }), isDry ? 200 : 201),
  }),
}
