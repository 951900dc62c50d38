import { toName } from '../../../change/actions/outcome.js'
import { placedItems } from '../../../change/items.js'
import { toContextKey } from '../../../model/context.js'
import { toClosed } from '../../../model/direction.js'
import { isMap } from '../../../model/json.js'
import { labelChain } from '../../../model/locale.js'
import { contentHash } from '../../../store/hash.js'
import { nameOfUser } from '../../deeds/author-names.js'
import { draftsOfOthers } from '../../deeds/edited-menu.js'
import { needPath } from '../../deeds/faults.js'
import { replaceFile } from '../../deeds/menus.js'
import { needDocument, storageOf, type Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import type { Page } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { createPathTo } from '../path-to.js'

/** What visitors get where this menu is selected: another file of the same menu, else the one without a context, else nothing. */
function whatComes({ current }: Workspace, file: string, t: Texts): string {
  const { served, files, index } = current()
  const { menu } = served.get(file) ?? {}
  // Visitors do not get it now either.
  if (menu === undefined) return ''
  const key = toContextKey(menu.context)
  const twin = files.find((each) => {
    return each.path !== file && each.menu?.code === menu.code && toContextKey(each.menu.context) === key
  })
  const next = twin?.menu ?? (key === NO_CONTEXT ? undefined : index.get(menu.code)?.get(NO_CONTEXT)?.menu)
  return next === undefined ? t.files.remove.empty : t.fill(t.files.remove.instead, { name: next.name })
}

const NO_CONTEXT = toContextKey({})

/** Items that the page names. */
const MOST = 30

/** Asks before a menu is deleted, and shows what goes. */
export function deletePage(workspace: Workspace): Page {
  const { home, settings } = workspace
  return formPage<string>({
    template: 'delete',
    find: (call) => needPath(fileIn(call)),
    view: ({ t, operator }, file) => {
      const document = needDocument(workspace, file)
      const chain = labelChain(t.lang, settings.locales)
      const items = placedItems(document.value)
      const { name = file } = isMap(document.value) ? document.value : {}
      return {
        title: t.fill(t.files.remove.title, { name: toClosed(String(name)) }),
        ...{ file, after: whatComes(workspace, file, t) },
        version: contentHash(document.bytes),
        count: items.length,
        names: items.slice(0, MOST).map(({ item }) => toName(item, t.actions, chain)),
        drafts: draftsOfOthers(workspace, file, operator.id).map(({ user }) => nameOfUser(workspace, user)),
        commits: storageOf(workspace).commit === 'auto',
      }
    },
    toErrors: ({ files }, { code }) => (code === 'changed' ? [toError(null, files.remove.stale)] : []),
    submit: async ({ operator }, form, file) => {
      const wish = { file, version: form.get('version') ?? '', text: null, isDry: false }
      await replaceFile(workspace, operator, wish)
      return { location: createPathTo(home)('history', file, { deleted: 'yes' }) }
    },
  })
}
