import { drafted, needWritten } from '../../deeds/drafts.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import { toMap } from '../../forms/typed-text.js'
import type { Page } from '../../page.js'
import { toShownChange } from '../files/outcome.js'
import { createPathTo } from '../path-to.js'

/** Shows the version of a draft that a merge of two replicas put aside, and asks which one the draft is to be. */
export function otherVersionPage(workspace: Workspace): Page {
  const { drafts, home } = workspace
  const to = createPathTo(home)
  return formPage<EditedMenu>({
    template: 'other-version',
    find: (call) => findEdited(workspace, call.operator, fileIn(call)),
    view: async ({ t }, { file, draft, change, state }) => {
      const other = draft && drafts.aside(draft)
      const sides = draft && other && { before: needWritten(draft), after: needWritten(other) }
      return {
        title: t.fill(t.otherVersion.title, { name: String(toMap(change.value)['name'] ?? file) }),
        ...{ file, state, isOpen: other !== null, back: to('edit', file) },
        change: sides && (await toShownChange(workspace, { path: file, ...sides }, t)),
      }
    },
    submit: ({ t, operator: { id: user } }, form, { file, draft, state }) => {
      if (form.get('state') !== state || draft === null)
        return { errors: [toError(null, t.editor.stale)], status: 409 }
      const isOther = form.get('do') === 'use'
      drafted(drafts.settle({ id: draft.id, user, revision: draft.revision }, isOther))
      return { location: to('edit', file, { did: isOther ? 'other-used' : 'other-left' }) }
    },
  })
}
