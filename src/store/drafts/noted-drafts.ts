import { nameOf } from './draft-folder.js'
import type { Drafted, Drafts } from './open-drafts.js'

/** The same drafts; `note` gets the name of each whose folder may have changed, whose it is, and whether it has gone. */
export function notedDrafts(
  drafts: Drafts,
  note: (name: string, user: string, isGone: boolean) => void,
): Drafts {
  const noteId = (id: string, user: string, isGone = false): void => {
    const name = nameOf(id)
    if (name !== null) note(name, user, isGone)
  }
  const noted = (drafted: Drafted, isDry = false): Drafted => {
    if (!isDry && drafted.value !== null) noteId(drafted.value.id, drafted.value.user)
    return drafted
  }
  return {
    ...drafts,
    open: (user, path, base, isDry) => noted(drafts.open(user, path, base, isDry), isDry),
    edit: (ref, operations, beyond) => noted(drafts.edit(ref, operations, beyond), ref.isDry),
    undo: (ref) => noted(drafts.undo(ref), ref.isDry),
    redo: (ref) => noted(drafts.redo(ref), ref.isDry),
    rebase: (ref, base, change) => noted(drafts.rebase(ref, base, change), ref.isDry),
    settle: (ref, isOther) => noted(drafts.settle(ref, isOther), ref.isDry),
    discard: (id, user) => {
      drafts.discard(id, user)
      noteId(id, user, true)
    },
    takeOver: (ref, by) => {
      const taken = noted(drafts.takeOver(ref, by))
      if (taken.value !== null) noteId(ref.id, ref.user, true)
      return taken
    },
  }
}
