import { nameOfUser } from '../../deeds/author-names.js'
import { isLeft, takeOverDraft } from '../../deeds/drafts.js'
import { draftsOfOthers } from '../../deeds/edited-menu.js'
import { needPath } from '../../deeds/faults.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import type { Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { createPathTo } from '../path-to.js'
import { toAge } from './age.js'

/** Asks before the draft of a user who is away becomes the operator's own. */
export function takeOverPage(workspace: Workspace): Page {
  const to = createPathTo(workspace.home)
  return formPage({
    template: 'take-over',
    find: (call) => {
      const file = needPath(fileIn(call))
      const { operator, query } = call
      const draft = draftsOfOthers(workspace, file, operator.id).find(
        (each) => each.user === query.get('user') && isLeft(each),
      )
      if (draft === undefined) throw new Refusal('no-draft')
      return draft
    },
    view: ({ t }, { user, path: file, changed, revision }) => ({
      title: t.fill(t.takeOver.title, { user: nameOfUser(workspace, user) }),
      lead: t.fill(t.takeOver.lead, { user: nameOfUser(workspace, user), age: toAge(changed, t) }),
      ...{ file, user, revision, back: to('edit', file) },
    }),
    toErrors: ({ takeOver }, { code }) => (code === 'own-draft' ? [toError(null, takeOver.own)] : []),
    submit: ({ operator }, form, { path: file, user }) => {
      takeOverDraft(workspace, operator, { file, user, revision: Number(form.get('revision')) })
      return { location: to('edit', file, { did: 'taken-over' }) }
    },
  })
}
