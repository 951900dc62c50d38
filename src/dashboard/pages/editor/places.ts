import type { Items, PlacedItem } from '../../../change/items.js'
import type { Texts } from '../../texts/language.js'

/** A place in a list of items, or inside one that has no list yet. */
interface Place {
  /** The pointer of its parent and a position from 1. */
  readonly value: string
  readonly text: string
  /** Its level, from 0. */
  readonly level: number
}

/** All places that items can go to, but for those in what goes along, as they follow each other in the menu. */
export function toPlaces(
  { menu, all }: Items,
  isAlong: (item: PlacedItem) => boolean,
  nameOf: (item: PlacedItem) => string,
  { fill, placeForm }: Texts,
): readonly Place[] {
  const names = new Map<string, number>()
  for (const name of all.map(nameOf)) names.set(name, (names.get(name) ?? 0) + 1)
  /** With the name of the item above it where others have the same name. */
  const toName = (item: PlacedItem, parent: PlacedItem): string => {
    const name = nameOf(item)
    return parent === menu || names.get(name) === 1 ? name : `${name} (${nameOf(parent)})`
  }
  const enter = (parent: PlacedItem, start: string, level: number): readonly Place[] => {
    const items = parent.below.filter((each) => !isAlong(each))
    const places = items.flatMap((each, place) => {
      const name = toName(each, parent)
      const isLeaf = each.below.every(isAlong)
      const inside = isLeaf
        ? [{ value: `${each.pointer} 1`, text: fill(placeForm.inside, { name }), level: level + 1 }]
        : enter(each, fill(placeForm.startOf, { name }), level + 1)
      const after = { value: `${parent.pointer} ${place + 2}`, text: fill(placeForm.after, { name }), level }
      return [...(each.item['type'] === 'divider' ? [] : inside), after]
    })
    return [{ value: `${parent.pointer} 1`, text: start, level }, ...places]
  }
  return enter(menu, placeForm.start, 0)
}
