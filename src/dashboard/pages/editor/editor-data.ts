import { SIMPLE_ACTIONS } from '../../../change/actions/action.js'
import type { MenuLimits } from '../../../change/actions/places.js'
import type { Locale } from '../../../model/locale.js'
import { contentHash } from '../../../store/hash.js'
import type { EditorData } from '../../browser/page-data.js'
import type { EditedMenu } from '../../deeds/edited-menu.js'
import type { Call } from '../../page.js'
import type { Texts } from '../../texts/en.js'

/** What the script of the editor starts from, as JSON that HTML can hold. */
export function toEditorData(
  { t, operator }: Call,
  { file, state, disk, draft, change }: EditedMenu,
  {
    limits,
    chain,
    service,
  }: { readonly limits: MenuLimits; readonly chain: readonly Locale[]; readonly service: string },
): string {
  const { nest, unnest } = t.editor.does
  const { menuOf, close, hidden, unchanged, undone, redone } = t.editor
  const { position = 0, all = [] } = draft?.steps ?? {}
  const { items, levels } = limits
  const data: EditorData = {
    ...{ service, file, state, user: operator.id, csrf: operator.csrf },
    disk: disk && contentHash(disk.bytes),
    value: change.value,
    steps: position,
    redoable: all.length - position,
    limits: { items, levels },
    chain,
    texts: {
      ...t.browser,
      ...{ actions: t.actions, close, hidden, unchanged, undone, redone },
      preview: t.files.tabs.preview,
      nest: [nest(null), nest('{name}')],
      unnest: [unnest(null), unnest('{name}')],
      menuOf: menuOf('{name}'),
    },
  }
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, toEscape)
}

/** The menu of a row as a template for the script, with all that can be in it. */
export function toAnyRow({ editor: { does } }: Texts): object {
  const actions = SIMPLE_ACTIONS.map((kind) => {
    const words = does[kind]
    return { kind, label: typeof words === 'string' ? words : words(null), reason: '…' }
  })
  return { pointer: '', name: '', actions, focus: '', canHold: true }
}

/** A character as JSON may write it. */
function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
