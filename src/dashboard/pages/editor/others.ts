import { allows } from '../../../service/hooks.js'
import { nameOfUser } from '../../deeds/author-names.js'
import { countChanges } from '../../deeds/draft-changes.js'
import { isLeft } from '../../deeds/drafts.js'
import { draftsOfOthers } from '../../deeds/edited-menu.js'
import { isActive } from '../../deeds/file-states.js'
import { authorsOf } from '../../deeds/publish-records.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { toAge } from './age.js'

/** Who published a version of a file, and when: `Bo, 2 minutes ago`; null where that is not known. */
export function describePublisher(
  workspace: Workspace,
  file: string,
  version: string | null | undefined,
  t: Texts,
): string | null {
  const last = authorsOf(workspace).get(`${file} ${version}`)
  return last === undefined ? null : `${toAge(last.time, t)} · ${nameOfUser(workspace, last.user)}`
}

/** The same for the page of a menu, and whether it was the operator, who may want to undo it. */
export function describeLast(
  workspace: Workspace,
  { operator, t }: Call,
  file: string,
  version: string | null,
): { readonly lastBy: string | null; readonly isOwnPublish: boolean } {
  const lastBy = describePublisher(workspace, file, version, t)
  const { user, isEdit = false } = authorsOf(workspace).get(`${file} ${version}`) ?? {}
  return { lastBy, isOwnPublish: isEdit && user === operator.id }
}

/** The notes on other users' drafts of a menu, and whether each can be taken over. */
export function describeOthers(workspace: Workspace, { operator, t }: Call, file: string): readonly object[] {
  return draftsOfOthers(workspace, file, operator.id).map((draft) => {
    const { user, takenFrom, changed } = draft
    const active = allows(operator.role, 'edit') ? t.editor.others : t.together.editing
    return {
      ...{ user, name: nameOfUser(workspace, user) },
      ...{ changes: countChanges(draft), age: toAge(changed, t), isLeft: isLeft(draft) },
      sentence: takenFrom === operator.id ? t.takeOver.taken : isActive(draft) ? active : t.together.waiting,
    }
  })
}
