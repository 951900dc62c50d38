import { findItem } from '../../../change/actions/action.js'
import { levelOf } from '../../../change/actions/places.js'
import type { Items, PlacedItem } from '../../../change/items.js'
import type { Fields } from '../page.js'

/** An item under which others can be put, as a list of choices shows it. */
interface Parent {
  readonly pointer: string
  readonly name: string
}

/** The items under which another one can be put; a branch cannot be put into itself. */
export function toParents(
  items: Items,
  nameOf: (item: PlacedItem) => string,
  branch: PlacedItem | null,
): readonly Parent[] {
  return items.all
    .filter(({ item }) => item['type'] !== 'divider')
    .filter(({ pointer }) => branch === null || !`${pointer}/`.startsWith(`${branch.pointer}/`))
    .map((each) => ({
      pointer: each.pointer,
      name: `${'\u2003'.repeat(levelOf(each) - 1)}${nameOf(each)}`,
    }))
}

/** The position that was typed, from 0; the end where that is no number. */
export function readPosition(form: Fields): number {
  const typed = form.get('position')?.trim() ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(0, Number(typed) - 1) : Number.MAX_SAFE_INTEGER
}

/** The item that a new one is put beside, or inside, so that it gets a position under a parent. */
export function besideOf(
  items: Items,
  parent: string,
  position: number,
): { readonly pointer: string; readonly where: 'before' | 'inside' } {
  const beside = findItem(items, parent)?.below[position]
  return beside === undefined
    ? { pointer: parent, where: 'inside' }
    : { pointer: beside.pointer, where: 'before' }
}
