import { findItem } from '../../../change/actions/action.js'
import { ownOf, type PlacedItem, readItems } from '../../../change/items.js'
import { type JsonMap, toKey } from '../../../model/json.js'
import { contentHash } from '../../../store/hash.js'
import type { EditedMenu } from '../../deeds/edited-menu.js'
import { withHiddenValues } from '../../forms/item-form.js'
import type { Call, Fields } from '../../page.js'

/** What a form is about: an item, or a new one beside or inside another. */
export interface Subject {
  readonly menu: EditedMenu
  /** The item, or the one beside or inside which the new one goes. */
  readonly at: PlacedItem
  readonly where: Where | null
  /** The item that the fields show. */
  readonly item: JsonMap
  /** What visitors have of it; null for nothing. */
  readonly before: JsonMap | null
  /** Identifies what the item was when the form was loaded. */
  readonly was: string
}

type Where = 'before' | 'after' | 'inside'
const WHERES: readonly Where[] = ['before', 'after', 'inside']

/** What the address of a form means in a menu as it is now; with `was`, it is about that item, wherever it has moved. */
export function toSubject(menu: EditedMenu, query: Fields): Subject {
  const where = WHERES.find((each) => each === query.get('new')) ?? null
  const named = findItem(menu.items, query.get('item') ?? '')
  const at = findMarked(menu, query.get('was') ?? '', named)?.at ?? named
  if (where !== null || at === null || at.parent === null)
    return { menu, at: at ?? menu.items.menu, where: where ?? 'inside', item: {}, before: null, was: '' }
  const { base, change } = menu
  const origin = change.origins.get(at.pointer)
  const before = origin === undefined ? null : findItem(readItems(base.value ?? {}), origin.pointer)
  const own = ownOf(at.item)
  const published = before === null ? null : ownOf(before.item)
  return { menu, at, where, item: withHiddenValues(own, published), before: published, was: toMark(own) }
}

/**
 * The subject of a form that was loaded before the menu changed, and, where the item itself did, what it was then; null if that
 * is unknown.
 */
export function findAgain(
  { query }: Call,
  form: Fields,
  subject: Subject,
): { readonly subject: Subject; readonly base: JsonMap | null } | null {
  const { menu, where, at } = subject
  if (where !== null && query.has('new')) return { subject, base: null }
  const found = findMarked(menu, form.get('was') ?? '', at)
  return found && { subject: toSubject(menu, new Map([['item', found.at.pointer]])), base: found.base }
}

/** The item that was so when a form was loaded: it still is, or only its published version is. */
function findMarked(
  { items, base, change }: EditedMenu,
  was: string,
  named: PlacedItem | null,
): { readonly at: PlacedItem; readonly base: JsonMap | null } | null {
  if (was === '') return null
  const isSo = ({ item }: PlacedItem): boolean => toMark(ownOf(item)) === was
  if (named !== null && isSo(named)) return { at: named, base: null }
  const same = items.all.filter(isSo)
  if (same.length > 0) return onlyOf(same, (at) => ({ at, base: null }))
  const published = readItems(base.value ?? {}).all.filter(isSo)
  return onlyOf(published, ({ pointer, item }) => {
    const [now] = [...change.origins].find(([, origin]) => origin.pointer === pointer) ?? []
    const at = now === undefined ? null : findItem(items, now)
    return at && { at, base: ownOf(item) }
  })
}

function onlyOf<Each, Found>([only, ...others]: readonly Each[], find: (only: Each) => Found): Found | null {
  return only === undefined || others.length > 0 ? null : find(only)
}

function toMark(item: JsonMap): string {
  return contentHash(toKey(item)).slice(0, 12)
}
