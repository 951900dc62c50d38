import type { Items, PlacedItem } from '../../../change/items.js'
import type { Texts } from '../../texts/language.js'

/** The places in a list of items, or inside one that has no list yet. */
interface PlaceGroup {
  /** The names of the items above, from the top; empty for the top level. */
  readonly path: readonly string[]
  readonly places: readonly { readonly value: string; readonly text: string }[]
}

/** All places that items can go to, but for those in what goes along; each with the pointer of its parent and a position from 1. */
export function toPlaces(
  { menu }: Items,
  isAlong: (item: PlacedItem) => boolean,
  nameOf: (item: PlacedItem) => string,
  { fill, placeForm }: Texts,
): readonly PlaceGroup[] {
  const enter = (parent: PlacedItem, path: readonly string[]): readonly PlaceGroup[] => {
    const items = parent.below.filter((each) => !isAlong(each))
    const isLeaf = (each: PlacedItem): boolean => !each.below.some((below) => !isAlong(below))
    const places = items.flatMap((each, place) => [
      { value: `${parent.pointer} ${place + 2}`, text: fill(placeForm.after, { name: nameOf(each) }) },
      ...(isLeaf(each) && each.item['type'] !== 'divider'
        ? [{ value: `${each.pointer} 1`, text: fill(placeForm.inside, { name: nameOf(each) }) }]
        : []),
    ])
    const start = path.length === 0 ? placeForm.start : fill(placeForm.startOf, { name: path.at(-1) ?? '' })
    const first = { value: `${parent.pointer} 1`, text: start }
    const below = items.filter((each) => !isLeaf(each))
    return [
      { path, places: [first, ...places] },
      ...below.flatMap((each) => enter(each, [...path, nameOf(each)])),
    ]
  }
  return enter(menu, [])
}
