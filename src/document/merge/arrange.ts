import type { Side } from '../../change/change.js'
import { ownOf, placedItems } from '../../change/items.js'
import { isList, isMap, type Json, type JsonMap } from '../../change/json.js'
import type { Origin } from '../../change/merge/conflict.js'
import type { Merged } from '../../change/merge/merge.js'
import type { Donor } from '../edit/edit-menu.js'
import { pairItems } from '../edit/pairs.js'
import type { MenuDocument } from '../menu-document.js'

/** Three texts of a menu, or what they say. */
export type ThreeOf<T> = { readonly [side in Side]: T }

/** One of three values with its items where the merged value has them, and where their texts come from. */
export interface Arranged {
  readonly value: Json
  readonly donors: ReadonlyMap<string, Donor>
}

/** In whose words an item is written that a side does not have. */
const STAND_INS: ThreeOf<readonly Side[]> = {
  base: ['base', 'theirs', 'mine'],
  mine: ['mine', 'theirs', 'base'],
  theirs: ['theirs', 'mine', 'base'],
}

/**
 * Puts the items of one side where the merged value has them; each says what it says on that side, or where it is not
 * there, what another side says. Arranged so, three texts differ only in what lines can tell, and lines can be merged.
 */
export function arrange(side: Side, merged: Merged, documents: ThreeOf<MenuDocument>): Arranged {
  const values = valuesOf(documents)
  const items = {
    base: itemsOf(values.base),
    mine: itemsOf(values.mine),
    theirs: itemsOf(values.theirs),
  }
  const donors = new Map<string, Donor>()
  const toItems = (list: Json | undefined, at: string): readonly Json[] =>
    (isList(list) ? list : []).map((entry, place) => {
      const pointer = `${at}/${place}`
      const origin = merged.origins.get(pointer)
      const source = STAND_INS[side].find((each) => origin?.[each] != null) ?? side
      const from = origin?.[source] ?? ''
      if (source !== side) donors.set(pointer, { document: documents[source], pointer: from })
      const children = isMap(entry) ? entry['children'] : undefined
      const item = items[source].get(from) ?? {}
      return withItems(item, 'children', isList(children) ? toItems(children, `${pointer}/children`) : null)
    })
  const frame = isMap(values[side]) ? values[side] : {}
  const value = withItems(frame, 'items', toItems(isMap(merged.value) ? merged.value['items'] : [], '/items'))
  return { value, donors: withTrueSources(documents[side], value, merged.origins, side, donors) }
}

/** What three documents say; one that is empty was not there yet. */
export function valuesOf({ base, mine, theirs }: ThreeOf<MenuDocument>): ThreeOf<Json> {
  return { base: base.value ?? {}, mine: mine.value ?? {}, theirs: theirs.value ?? {} }
}

function itemsOf(value: Json): ReadonlyMap<string, JsonMap> {
  return new Map(placedItems(value).map(({ item, pointer }) => [pointer, item]))
}

/** A map with another list in the place of its own; null takes it away. */
function withItems(map: JsonMap, key: string, list: readonly Json[] | null): JsonMap {
  if (list === null) return key === 'children' ? ownOf(map) : map
  return { ...map, [key]: list }
}

/** Where the editor would take another item for the one that it is, it is told which: of equal ones each has its comments. */
function withTrueSources(
  document: MenuDocument,
  after: Json,
  origins: ReadonlyMap<string, Origin>,
  side: Side,
  donors: ReadonlyMap<string, Donor>,
): ReadonlyMap<string, Donor> {
  const pairs = pairItems(document.value ?? {}, after)
  const all = new Map(donors)
  for (const [pointer, origin] of origins) {
    const own = origin[side]
    if (own !== null && pairs.get(pointer) !== own) all.set(pointer, { document, pointer: own })
  }
  return all
}
