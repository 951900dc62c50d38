import { SIMPLE_ACTIONS } from '../../../change/actions/action.js'
import type { MenuLimits } from '../../../change/actions/places.js'
import type { PageNames } from '../../../change/find-items.js'
import type { Items } from '../../../change/items.js'
import { toClosed } from '../../../model/direction.js'
import { textsOf } from '../../../model/label.js'
import { toPlainName } from '../../../model/plain-name.js'
import type { Routes } from '../../../model/route.js'
import { contentHash } from '../../../store/hash.js'
import type { EditorData } from '../../browser/page-data.js'
import { countChanges } from '../../deeds/draft-changes.js'
import type { EditedMenu } from '../../deeds/edited-menu.js'
import { toMap, toTyped } from '../../forms/typed-text.js'
import type { Call } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { plainValue } from '../menu-rows.js'
import { isVisibleNow } from '../times.js'

/** What the script of the editor starts from, as JSON that HTML can hold. */
export function toEditorData(
  { t, operator }: Call,
  { file, state, disk, draft, change }: EditedMenu,
  { limits, ...own }: Pick<EditorData, 'chain' | 'pages' | 'service'> & { readonly limits: MenuLimits },
): string {
  const { does, nestUnder, unnestFrom, menuOf, close, hidden } = t.editor
  const { unchanged, changes, below, undone, redone } = t.editor
  const { position = 0, all = [] } = draft?.steps ?? {}
  const { items, levels } = limits
  const data: EditorData = {
    ...{ ...own, file, state, user: operator.id, csrf: operator.csrf },
    disk: disk && contentHash(disk.bytes),
    value: change.value,
    steps: position,
    redoable: all.length - position,
    changes: draft === null ? 0 : countChanges(draft),
    limits: { items, levels },
    texts: {
      ...t.browser,
      ...{ actions: t.actions, nest: does.nest, nestUnder, unnest: does.unnest, unnestFrom, menuOf, close },
      ...{ hidden, unchanged, changes, below, undone, redone },
      ...{ preview: t.files.tabs.preview, tree: t.tree },
    },
  }
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, toEscape)
}

/** That a new menu is live, and for whom, or that it will be. */
export function describeCreated({ file, change }: EditedMenu, t: Texts): string {
  const { lang, menus, fill } = t
  const menu = toMap(change.value)
  if (!isVisibleNow(menu)) return menus.createdForLater
  const pairs = Object.entries(toMap(menu['context']))
  const words = pairs.map(([key, value]) =>
    toClosed(`${toPlainName(key)} = ${plainValue(toTyped(value), t)}`),
  )
  const context = new Intl.ListFormat(lang).format(words)
  return fill(words.length === 0 ? menus.created : menus.createdFor, { file, context })
}

/** What people call the pages that items lead to, in all languages. */
export function pageNamesIn({ all }: Items, routes: Routes | null): PageNames {
  const names = all.map(({ item }) => String(item['routeName']))
  return Object.fromEntries(names.map((name) => [name, textsOf(routes?.get(name)?.title ?? '').join('\n')]))
}

/** The menu of a row as a template for the script, with all that can be in it. */
export function toAnyRow({ editor: { does } }: Texts): object {
  const actions = SIMPLE_ACTIONS.map((kind) => ({ kind, label: does[kind], reason: '…' }))
  return { pointer: '', name: '', actions, canHold: true }
}

/** A character as JSON may write it. */
function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
