import { findItem } from '../../change/actions/action.js'
import { matchItems } from '../../change/compare/match.js'
import type { Items } from '../../change/items.js'
import { toKey } from '../../model/json.js'

/**
 * The pointer that the item at a pointer of a menu has in another version of it. Null where the item is gone, and where it is
 * one of several alike and their number changed, so it cannot be identified.
 */
export function findAgain(seen: Items, pointer: string, now: Items): string | null {
  if (seen === now) return pointer
  const item = findItem(seen, pointer)
  if (item === null) return null
  const key = toKey(item.item)
  const [before, after] = [seen, now].map(({ all }) => all.filter((each) => toKey(each.item) === key).length)
  if (before !== 1 && before !== after) return null
  return matchItems(seen, now).toAfter.get(item)?.pointer ?? null
}
