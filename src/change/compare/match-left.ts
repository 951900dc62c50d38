import { toKey } from '../../model/json.js'
import type { Items, PlacedItem } from '../items.js'
import { groupItems } from './groups.js'
import { type Match, matchItems, maySame, strangersAround } from './match.js'

/**
 * Matches the items of two values as `matchItems` does, and then the rest: an item that changed its type is the only one
 * with its label, and a divider with other fields is the one between the same neighbours. Treated as new, they would appear
 * twice where the other side changed them, too.
 */
export function matchAll(before: Items, after: Items): Match {
  const match = matchItems(before, after)
  const toAfter = new Map(match.toAfter)
  const toBefore = new Map(match.toBefore)
  const labels = groupItems(
    before.all.filter(({ pointer }) => !toAfter.has(pointer)),
    after.all.filter(({ pointer }) => !toBefore.has(pointer)),
    ({ item }) => (item['label'] === undefined ? [] : [toKey(item['label'])]),
  )
  const byLabel = new Map(
    labels.flatMap(({ olds, news }) => (olds.length === 1 && news.length === 1 ? [[olds[0], news[0]]] : [])),
  )
  const dividerFor = (old: PlacedItem): PlacedItem | undefined => {
    const parent = old.parent === null ? null : toAfter.get(old.parent)
    if (parent === undefined) return undefined
    const [above] = before.around(old)
    // Only the one behind the same neighbour can be it.
    const place = above === undefined ? 0 : (after.at(toAfter.get(above.pointer))?.place ?? -2) + 1
    const found = after.below(parent)[place]
    if (found?.item['type'] !== 'divider') return undefined
    return strangersAround(old, found, { before, after, toAfter }) === 0 ? found : undefined
  }
  for (const old of before.all) {
    if (toAfter.has(old.pointer)) continue
    const now = old.item['type'] === 'divider' ? dividerFor(old) : byLabel.get(old)
    if (now === undefined || toBefore.has(now.pointer) || !maySame(old, now)) continue
    toAfter.set(old.pointer, now.pointer)
    toBefore.set(now.pointer, old.pointer)
  }
  return { before, after, toAfter, toBefore }
}
