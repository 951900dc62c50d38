import { describeRefusal, toName } from '../../../change/actions/outcome.js'
import { isWithin } from '../../../change/actions/places.js'
import { actOnAll, chooseItems } from '../../../change/actions/several.js'
import { fromShortName, type PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { takeStep } from '../../deeds/steps.js'
import { transferItems } from '../../deeds/transfer.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import type { Fields, Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import type { Texts } from '../../texts/language.js'
import { createMeasure, readSearch, toMenuRows } from '../menu-rows.js'
import { createPathTo } from '../path-to.js'
import { toPlaces } from './places.js'

/** Items that are named where several are moved. */
const MOST_NAMED = 10

/** Menus that the page offers; a search finds the others. */
const MOST_MENUS = 50

/** Branches, and the menu that they go to; null until one is chosen. */
interface Subject {
  readonly menu: EditedMenu
  /** None where nothing is at a pointer, as after a move. */
  readonly chosen: readonly PlacedItem[]
  readonly target: EditedMenu | null
}

/** Where items go: any parent that can hold them, and any position there, in their own menu or `elsewhere`. */
export function placePage(workspace: Workspace, way: 'here' | 'elsewhere'): Page {
  const { config, current, home, settings } = workspace
  const to = createPathTo(home)
  const measure = createMeasure([])
  const chainOf = ({ lang }: Texts) => labelChain(lang, settings.locales)

  /** The menus that a branch can go to, as far as they match a search. */
  const toMenus = (file: string, words: readonly string[], addressOf: (other: string) => string): object => {
    const others = toMenuRows(current(), [], words, measure, settings).filter(
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
      const chosen = chooseItems(menu.items, pointersIn(query)).value ?? []
      if (way === 'here') return { menu, chosen, target: menu }
      const other = query.get('to')
      if (other === file) throw new Refusal('same-file')
      const target = other === undefined ? null : findEdited(workspace, operator, other, form?.get('toState'))
      return { menu, chosen, target }
    },
    view: ({ t, query }, { menu, chosen, target }, form) => {
      const [item] = chosen
      if (item === undefined) throw new Refusal('no-item')
      const nameOf = (each: PlacedItem): string => toName(each.item, t.actions, chainOf(t))
      const { file, state, items } = menu
      const name = query.has('items') ? 'items' : 'item'
      const at = { [name]: query.get(name) ?? '' }
      const isAlong = (each: PlacedItem): boolean => chosen.some((one) => isWithin(each, one))
      const { q, words } = readSearch(query)
      const isOther = way === 'elsewhere'
      return {
        title:
          chosen.length === 1
            ? t.fill((isOther ? t.transfer : t.placeForm).title, { name: nameOf(item) })
            : t.fill(isOther ? t.tree.transferTitle : t.tree.placeTitle, { count: chosen.length }),
        ...{ file, state, isOther, q, at },
        names: chosen.length > 1 ? chosen.slice(0, MOST_NAMED).map(nameOf) : [],
        hasMoreNames: chosen.length > MOST_NAMED,
        back: to('edit', file, { open: item.pointer }),
        below: items.all.filter(isAlong).length - chosen.length,
        ...(target === null && toMenus(file, words, (other) => to('transfer', file, { ...at, to: other }))),
        target: target && {
          file: target.file,
          state: target.state,
          name: String((target.change.value as { readonly name?: unknown }).name ?? target.file),
          here: isOther ? to('transfer', file, { ...at, to: target.file }) : to('place', file, at),
          places: toPlaces(target.items, isAlong, nameOf, t),
        },
        place:
          form?.get('place') ??
          (isOther ? ` ${target === null ? 1 : target.items.menu.below.length + 1}` : toPlace(item, isAlong)),
      }
    },
    submit({ t, operator, query }, form, { menu, chosen, target }) {
      if (target === null) return {}
      const [state, toState] = [form.get('state') ?? '', form.get('toState') ?? '']
      const pointers = pointersIn(query)
      const [parent = '', place = ''] = form.has('parent')
        ? [form.get('parent'), form.get('position')]
        : (form.get('place') ?? '').split(' ')
      const position = readPosition(place)
      const isMove = form.get('do') === 'move'
      const { value: step, fault } =
        way === 'here'
          ? takeStep(
              workspace,
              operator.id,
              menu,
              { state, wish: `move ${pointers} ${parent} ${position}`, key: form.get('key') },
              () => actOnAll(menu.items, pointers, { kind: 'move', parent, position }, config.options.limits),
            )
          : transferItems(
              workspace,
              operator.id,
              { menu, chosen, state },
              { menu: target, parent, position, state: toState },
              { wish: `transfer ${menu.file} ${pointers} ${isMove} ${parent} ${position}`, isMove },
            )
      if (fault === 'stale') return { errors: [toError(null, t.editor.stale)], status: 409 }
      if (fault !== null) {
        const item = fault.item ?? chosen[0] ?? null
        const reason = describeRefusal(fault, item, t.actions, chainOf(t))
        const name = toName(item?.item ?? {}, t.actions, chainOf(t))
        const isOne = chosen.length === 1 || fault.item === undefined
        return { errors: [toError('parent', isOne ? reason : t.fill(t.tree.refused, { name, reason }))] }
      }
      const { pointer: at, draft } = step
      const did =
        way === 'here'
          ? pointers.length === 1
            ? { did: 'move', at: at ?? '' }
            : { did: 'move-all', count: String(chosen.length), at: at ?? '' }
          : {
              ...(isMove ? { did: 'moved-in' } : { did: 'copied-in', from: menu.file }),
              at: at ?? '',
              ...(chosen.length > 1 && { count: String(chosen.length) }),
            }
      return { location: to('edit', target.file, at === null ? {} : did), draft }
    },
  })
}

/** Where an item is, as the form names places. */
function toPlace({ parent, place }: PlacedItem, isAlong: (item: PlacedItem) => boolean): string {
  const before = parent?.below.slice(0, place).filter((each) => !isAlong(each)) ?? []
  return `${parent?.pointer ?? ''} ${before.length + 1}`
}

/** The items that an address is about: one by its pointer, or several by their short names. */
function pointersIn(query: Fields): readonly string[] {
  const several = query.get('items')
  return several === undefined ? [query.get('item') ?? ''] : several.split('.').map(fromShortName)
}

/** The position that was typed, from 0; the end where that is no number. */
function readPosition(place: string): number {
  const typed = place.trim()
  return /^\d{1,6}$/.test(typed) ? Math.max(0, Number(typed) - 1) : Number.MAX_SAFE_INTEGER
}
