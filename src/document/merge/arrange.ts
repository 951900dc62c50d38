import type { Change, ItemOrigin, Side, ThreeOf } from '../../change/change.js'
import { ownOf } from '../../change/items.js'
import type { Merged } from '../../change/merge/merge.js'
import { isList, isMap, type Json, valueAt } from '../../model/json.js'
import { parsePointer } from '../../model/pointer.js'

/** Which side's words an item has that a side lacks. */
const STAND_INS: ThreeOf<readonly Side[]> = {
  base: ['base', 'theirs', 'mine'],
  mine: ['mine', 'theirs', 'base'],
  theirs: ['theirs', 'mine', 'base'],
}

/**
 * Puts the items of one side where the merged value has them; each has that side's content or, if it is missing there,
 * another side's. Three texts arranged so differ only in ways that lines show, and lines can be merged.
 */
export function arrange(side: Side, merged: Merged, values: ThreeOf<Json>): Change {
  const origins = new Map<string, ItemOrigin>()
  const toItems = (list: Json | undefined, at: string): readonly Json[] =>
    (isList(list) ? list : []).map((entry, place) => {
      const pointer = `${at}/${place}`
      const origin = merged.origins.get(pointer)
      const source = STAND_INS[side].find((each) => origin?.[each] != null) ?? side
      const from = origin?.[source] ?? ''
      origins.set(pointer, { side: source, pointer: from })
      const children = isMap(entry) ? entry['children'] : undefined
      const item = valueAt(values[source], parsePointer(from) ?? [])
      const own = isMap(item) ? ownOf(item) : {}
      return isList(children) ? { ...own, children: toItems(children, `${pointer}/children`) } : own
    })
  const frame = isMap(values[side]) ? values[side] : {}
  const list = toItems(isMap(merged.value) ? merged.value['items'] : [], '/items')
  return { value: { ...frame, items: list }, origins }
}
