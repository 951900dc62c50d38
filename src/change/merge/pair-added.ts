import { isMap, type Json, type JsonMap } from '../../model/json.js'
import type { Pairs } from '../compare/kinship.js'
import { type Match, matchItems } from '../compare/match.js'
import type { PlacedItem } from '../items.js'

/**
 * The same items added by both sides, those of `mine` with those of `theirs`: items with one id, and those that match as
 * between two versions, under one parent or, if no text of either label was in the base, anywhere. A divider without content
 * of its own is the same only between the same items.
 */
export function pairAdded(mine: Match, theirs: Match): ReadonlyMap<PlacedItem, PlacedItem> {
  const shared = mine.before.all.flatMap((base): Pairs => {
    const [one, twin] = [mine.toAfter.get(base), theirs.toAfter.get(base)]
    return one === undefined || twin === undefined ? [] : [[one, twin]]
  })
  const isAdded = (placed: PlacedItem): boolean => !mine.toBefore.has(placed) && !theirs.toBefore.has(placed)
  const { toAfter } = matchItems(mine.after, theirs.after, { pairs: shared, isOpen: isAdded })
  const texts = new Set(mine.before.all.flatMap(({ item }) => textsOf(item)))
  const isNew = ({ item }: PlacedItem): boolean => {
    const own = textsOf(item)
    return own.length > 0 && !own.some((text) => texts.has(text))
  }
  const known = new Map<PlacedItem | null, PlacedItem | null>([
    [mine.after.menu, theirs.after.menu],
    ...shared,
  ])
  const twins = new Set(known.values())
  const pairs = new Map<PlacedItem, PlacedItem>()
  const isElsewhere = (one: PlacedItem, twin: PlacedItem): boolean => {
    const above = one.parent?.below.slice(0, one.place).findLast((each) => known.has(each))
    const twinAbove = twin.parent?.below.slice(0, twin.place).findLast((each) => twins.has(each))
    return (above && known.get(above)) !== twinAbove
  }
  for (const one of mine.after.all.filter(isAdded)) {
    const twin = toAfter.get(one)
    if (twin === undefined) continue
    const hasId = one.item['id'] !== undefined && one.item['id'] === twin.item['id']
    if (!hasId && known.get(one.parent) !== twin.parent && !(isNew(one) && isNew(twin))) continue
    if (isBareDivider(one.item) && isElsewhere(one, twin)) continue
    known.set(one, twin)
    twins.add(twin)
    pairs.set(one, twin)
  }
  return pairs
}

function isBareDivider(item: JsonMap): boolean {
  return item['type'] === 'divider' && Object.keys(item).length === 1
}

/** The texts of a label. */
function textsOf({ label }: JsonMap): readonly Json[] {
  return (isMap(label) ? Object.values(label) : [label ?? null]).filter((text) => typeof text === 'string')
}
