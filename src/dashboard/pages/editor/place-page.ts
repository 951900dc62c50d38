import { act, findItem } from '../../../change/actions/action.js'
import { describeRefusal, toName } from '../../../change/actions/outcome.js'
import { isWithin, levelOf } from '../../../change/actions/places.js'
import type { PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { takeStep } from '../../deeds/steps.js'
import { transferItem } from '../../deeds/transfer.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import type { Fields, Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import type { Texts } from '../../texts/language.js'
import { createMeasure, readSearch, toMenuRows } from '../menu-rows.js'
import { createPathTo } from '../path-to.js'

/** Menus that the page offers; a search finds the others. */
const MOST_MENUS = 50

/** A branch, and the menu that it goes to; null until one is chosen. */
interface Subject {
  readonly menu: EditedMenu
  /** Null where nothing is at the pointer, as after a move. */
  readonly item: PlacedItem | null
  readonly target: EditedMenu | null
}

/** Where an item goes: any parent that can hold it, and any position there, in its own menu or `elsewhere`. */
export function placePage(workspace: Workspace, way: 'here' | 'elsewhere'): Page {
  const { config, current, home, settings } = workspace
  const to = createPathTo(home)
  const measure = createMeasure([])
  const chainOf = ({ lang }: Texts) => labelChain(lang, settings.locales)

  /** The menus that a branch can go to, as far as they match a search. */
  const toMenus = (file: string, words: readonly string[], addressOf: (other: string) => string): object => {
    const others = toMenuRows(current(), [], words, measure).filter(
      (row) => row.file !== file && row.code !== null && row.errors.length === 0,
    )
    const menus = others.slice(0, MOST_MENUS).map((row) => ({ ...row, href: addressOf(row.file) }))
    return { menus, hasMore: others.length > menus.length }
  }

  return formPage<Subject>({
    template: 'place',
    find: ({ operator, query }, form) => {
      const file = fileIn({ query })
      const menu = findEdited(workspace, operator, file, form?.get('state'))
      const found = findItem(menu.items, query.get('item') ?? '')
      const item = found?.parent == null ? null : found
      if (way === 'here') return { menu, item, target: menu }
      const other = query.get('to')
      if (other === file) throw new Refusal('same-file')
      const target = other === undefined ? null : findEdited(workspace, operator, other, form?.get('toState'))
      return { menu, item, target }
    },
    view: ({ t, query }, { menu, item, target }, form) => {
      if (item === null) throw new Refusal('no-item')
      const nameOf = (each: PlacedItem): string => toName(each.item, t.actions, chainOf(t))
      const { file, state, items } = menu
      const at = { item: item.pointer }
      const { q, words } = readSearch(query)
      const isOther = way === 'elsewhere'
      return {
        title: t.fill((isOther ? t.transfer : t.placeForm).title, { name: nameOf(item) }),
        ...{ file, state, isOther, q, item: item.pointer },
        back: to('edit', file, { open: item.pointer }),
        below: items.all.filter((each) => each !== item && isWithin(each, item)).length,
        ...(target === null && toMenus(file, words, (other) => to('transfer', file, { ...at, to: other }))),
        target: target && {
          file: target.file,
          state: target.state,
          name: String((target.change.value as { readonly name?: unknown }).name ?? target.file),
          here: isOther ? to('transfer', file, { ...at, to: target.file }) : to('place', file, at),
          parents: target.items.all
            .filter((each) => each.item['type'] !== 'divider' && !isWithin(each, item))
            .map((each) => ({
              pointer: each.pointer,
              name: `${'\u2003'.repeat(levelOf(each) - 1)}${nameOf(each)}`,
            })),
        },
        parent: form?.get('parent') ?? (isOther ? '' : item.parent?.pointer),
        position: form?.get('position') ?? '',
      }
    },
    submit({ t, operator, query }, form, { menu, item, target }) {
      if (target === null) return {}
      const [state, toState] = [form.get('state') ?? '', form.get('toState') ?? '']
      const pointer = query.get('item') ?? ''
      const parent = form.get('parent') ?? ''
      const position = readPosition(form)
      const isMove = form.get('do') === 'move'
      const { value: step, fault } =
        way === 'here'
          ? takeStep(
              workspace,
              operator.id,
              menu,
              { state, wish: `move ${pointer} ${parent} ${position}`, key: form.get('key') },
              () => act(menu.items, pointer, { kind: 'move', parent, position }, config.options.limits),
            )
          : transferItem(
              workspace,
              operator.id,
              { menu, item, state },
              { menu: target, parent, position, state: toState },
              { wish: `transfer ${menu.file} ${pointer} ${isMove} ${parent} ${position}`, isMove },
            )
      if (fault === 'stale') return { errors: [toError(null, t.editor.stale)], status: 409 }
      if (fault !== null)
        return { errors: [toError('parent', describeRefusal(fault, item, t.actions, chainOf(t)))] }
      const { pointer: at, draft } = step
      const did =
        way === 'here'
          ? { did: 'move', open: at ?? '' }
          : { did: isMove ? 'moved-in' : 'copied-in', from: menu.file, at: at ?? '' }
      return { location: to('edit', target.file, at === null ? {} : did), draft }
    },
  })
}

/** The position that was typed, from 0; the end where that is no number. */
function readPosition(form: Fields): number {
  const typed = form.get('position')?.trim() ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(0, Number(typed) - 1) : Number.MAX_SAFE_INTEGER
}
