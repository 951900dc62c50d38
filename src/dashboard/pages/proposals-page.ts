import { toClosed } from '../../model/direction.js'
import { allows } from '../../service/hooks.js'
import type { Proposal } from '../../store/remote/proposals.js'
import { ownDraft } from '../deeds/edited-menu.js'
import {
  continueProposal,
  listProposals,
  needProposal,
  needProposals,
  proposedFile,
} from '../deeds/proposals.js'
import type { Workspace } from '../deeds/workspace.js'
import { formPage } from '../forms/form-page.js'
import type { Call, Page, PageReply } from '../page.js'
import type { Texts } from '../texts/language.js'
import { toAge } from './editor/age.js'
import { toShownChange } from './files/outcome.js'
import { createPathTo } from './path-to.js'

/** Menus of a proposal whose changes are shown. */
const MAX_SHOWN = 10

/** The page of a proposal; `did` is what has just become of it. */
export function toProposalPath(home: string, branch: string, did?: 'proposed' | 'updated'): string {
  return `${home}/proposals?${new URLSearchParams({ branch, ...(did && { did }) })}`
}

/** The open proposals, and each of them with its changes. */
export function proposalsPage(workspace: Workspace): Page {
  const { current, home } = workspace
  const to = createPathTo(home)
  const nameOf = (file: string): string => current().served.get(file)?.menu.name ?? file

  const toShown = ({ branch, title, author, changed, state, pull, files }: Proposal, t: Texts): object => ({
    ...{ branch, state, pull, menus: files.map(nameOf) },
    title: toClosed(title),
    href: toProposalPath(home, branch),
    ...{ author: toClosed(author), age: toAge(changed, t) },
  })
  const listPage = async ({ t }: Call): Promise<PageReply> => {
    const { proposals, away } = await listProposals(workspace)
    const rows = proposals.map((each) => toShown(each, t))
    const model = { title: t.proposals.title, current: 'proposals', rows, away: away?.what }
    return { template: 'proposals', model }
  }

  const page = formPage({
    template: 'proposal',
    role: 'view',
    find: ({ query }) => query.get('branch') ?? '',
    view: async ({ t, operator, query }, branch) => {
      const desk = needProposals(workspace)
      const proposal = await needProposal(workspace, branch)
      const menus = await Promise.all(
        proposal.files.slice(0, MAX_SHOWN).map(async (file) => {
          const change = await proposedFile(workspace, proposal, file)
          const canContinue = change.before !== null && change.after !== null && allows(operator.role, 'edit')
          return {
            ...{ file, name: nameOf(file), change: await toShownChange(workspace, change, t) },
            draft: canContinue && ownDraft(workspace, file, operator.id) !== null ? to('edit', file) : null,
            canContinue,
          }
        }),
      )
      const did = query.get('did') ?? ''
      return {
        ...toShown(proposal, t),
        ...{ title: toClosed(proposal.title), current: 'proposals', shown: menus },
        done: did === 'proposed' ? t.proposals.done : did === 'updated' ? t.proposals.updated : null,
        more: proposal.files.length - menus.length,
        link: desk.linkOf(branch),
        command: `git fetch origin ${branch} && git merge FETCH_HEAD`,
        path: toProposalPath(home, branch),
      }
    },
    submit: async ({ operator }, form, branch) => {
      const file = form.get('file') ?? ''
      await continueProposal(workspace, operator, { branch, file, isDry: false })
      return { location: to('edit', file) }
    },
  })
  return { ...page, show: (call: Call) => (call.query.has('branch') ? page.show(call) : listPage(call)) }
}
