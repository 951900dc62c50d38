import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import { labelChain } from '../../../model/locale.js'
import { findEdited, isSame } from '../../deeds/edited-menu.js'
import { lastChangeOf } from '../../deeds/last-change.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn } from '../../forms/form-page.js'
import type { Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { createPathTo } from '../path-to.js'
import { toAge } from './age.js'

/** Who changed an item last: a page of its own, as a long history takes time. The script puts its words into the form of the item. */
export function whoPage(workspace: Workspace): Page {
  const to = createPathTo(workspace.home)
  return {
    role: 'view',
    show: async (call) => {
      const { t, operator, query } = call
      const { file, base, change, disk, items } = findEdited(workspace, operator, fileIn(call))
      const pointer = query.get('item') ?? ''
      const item = findItem(items, pointer)
      if (item === null || item.parent === null) throw new Refusal('no-item')
      const origin = change.origins.get(pointer)
      const isKnown = origin?.side === 'base' && isSame(base, disk)
      const last = isKnown ? await lastChangeOf(workspace, file, origin.pointer) : null
      const { changedBy, unknown } = t.together
      const name = toName(item.item, t.actions, labelChain(t.lang, workspace.settings.locales))
      const model = {
        title: t.fill(t.together.whoTitle, { name }),
        file,
        back: to('edit', file, { at: pointer }),
        text: last === null ? unknown : t.fill(changedBy, { user: last.user, age: toAge(last.time, t) }),
        subject: last?.subject ?? null,
      }
      return { template: 'who', model }
    },
  }
}
