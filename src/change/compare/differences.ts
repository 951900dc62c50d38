import { type PlacedItem, placedItems } from '../items.js'
import { isMap, type Json } from '../json.js'
import { type FieldChange, itemChanges, menuChanges } from './field-changes.js'
import { EVERYBODY, type Gate, isWider, isWiderThanAll, narrowBy } from './gate.js'
import { nameOf, targetOf } from './item-name.js'
import { matchItems } from './match.js'
import { movesBetween } from './moves.js'

/** What changed between two values of a menu; plain data, the machine form of all reports. */
export interface MenuDifference {
  /** Of the menu itself: code, name, context, display and keys of one's own. */
  readonly fields: readonly FieldChange[]
  /** Each item with a change, in reading order; one that was removed stands where it stood. */
  readonly items: readonly ItemDifference[]
}

export interface ItemDifference {
  readonly kind: 'added' | 'removed' | 'changed'
  /** Where it stood; null when it was added. */
  readonly before: ItemPlace | null
  /** Where it stands; null when it was removed. */
  readonly after: ItemPlace | null
  /** Whether it stands in another list, or at another place among those that stayed. */
  readonly moved: boolean
  /**
   * What changed of the item itself: of one that was added or removed, all that it says. Empty for one that only moved,
   * and for one that only the permissions or the hiding of those above it concern.
   */
  readonly fields: readonly FieldChange[]
  /** Whether there is a viewer, a set of permission keys, who may see it now and might not before. */
  readonly widens: boolean
  /** Whether there is a viewer who might see it before and may not now. */
  readonly narrows: boolean
  /**
   * Whether it is new here that it leads to a destination of which the menu had items before, none of which some viewer
   * might see who may see this one now: a guarded destination in the open.
   */
  readonly exposes: boolean
}

/** An item in one of the two values. */
export interface ItemPlace {
  /** A JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** The label in the first of the locales that has one. */
  readonly name: string
  /** The names of the items above it, from the top. */
  readonly path: readonly string[]
  /** Its place in its list, from 1. */
  readonly position: number
  readonly type: string
  /** Where it leads in words, `''` for nowhere. */
  readonly target: string
  /** Who may see it: null for nobody, else whoever has a key of each list; an empty list of lists is everybody. */
  readonly viewers: Gate
}

/**
 * Tells what changed between two values of a menu. Items are matched, so that a move is one; entries of a list that only
 * shifted did not move. Who may see an item follows from its permissions, its hiding and those of all above it; that a
 * section goes when nothing below it is left to see is not counted. Dividers show nothing, so nobody sees more or less
 * by them. `children` that are absent, null or empty are the same. `locales` are those to name items in.
 */
export function differences(before: Json, after: Json, locales: readonly string[] = []): MenuDifference {
  const match = matchItems(before, after)
  const [olds, news] = [toSeen(before, locales), toSeen(after, locales)]
  const placed = (seen: readonly SeenItem[]): PlacedItem[] => seen.map((each) => each.placed)
  const moves = movesBetween(placed(olds), placed(news), match)
  const guards = new Map<string, Gate[]>()
  for (const { place } of olds) {
    const gates = guards.get(place.target) ?? []
    gates.push(place.viewers)
    guards.set(place.target, gates)
  }
  const exposes = ({ target, viewers }: ItemPlace): boolean =>
    target !== '' && guards.has(target) && isWiderThanAll(guards.get(target) ?? [], viewers)
  const items: ItemDifference[] = []
  let open = 0
  const flushRemoved = (upTo: number): void => {
    for (; open < upTo; open++) {
      const old = olds[open]
      if (old !== undefined && !match.toAfter.has(old.placed.pointer)) items.push(toRemoved(old))
    }
  }
  const places = new Map(olds.map((each, place) => [each.placed.pointer, place]))
  for (const now of news) {
    const place = places.get(match.toBefore.get(now.placed.pointer) ?? '')
    const old = place === undefined ? undefined : olds[place]
    if (old === undefined || place === undefined) {
      const fields = itemChanges({}, now.placed.item)
      items.push({
        ...NO_CHANGE,
        kind: 'added',
        before: null,
        after: now.place,
        fields,
        exposes: exposes(now.place),
      })
      continue
    }
    const isMoved = moves.has(now.placed.pointer)
    if (!isMoved) flushRemoved(place)
    const changed = toChanged(old, now, isMoved)
    if (changed === null) continue
    const isLedElsewhere = old.place.target !== now.place.target
    items.push(isLedElsewhere ? { ...changed, exposes: exposes(now.place) } : changed)
  }
  flushRemoved(olds.length)
  const fields = isMap(before) && isMap(after) ? menuChanges(before, after) : []
  return { fields, items }
}

/** Whether nothing changed. */
export function isUnchanged({ fields, items }: MenuDifference): boolean {
  return fields.length === 0 && items.length === 0
}

/** Whether an item changed by itself, and not only by what is above it. */
export function isOwnChange({ kind, moved, fields }: ItemDifference): boolean {
  return kind !== 'changed' || moved || fields.length > 0
}

interface SeenItem {
  readonly placed: PlacedItem
  readonly place: ItemPlace
}

const NO_CHANGE = { moved: false, fields: [], widens: false, narrows: false, exposes: false } as const

function toSeen(value: Json, locales: readonly string[]): readonly SeenItem[] {
  const seen = new Map<string, ItemPlace>()
  return placedItems(value).map((placed) => {
    const { item, pointer, parent } = placed
    const above = parent === null ? undefined : seen.get(parent)
    const place: ItemPlace = {
      pointer,
      name: nameOf(item, locales),
      path: above === undefined ? [] : [...above.path, above.name],
      position: Number(pointer.slice(pointer.lastIndexOf('/') + 1)) + 1,
      type: typeof item['type'] === 'string' ? item['type'] : 'link',
      target: targetOf(item),
      viewers: narrowBy(above === undefined ? EVERYBODY : above.viewers, item),
    }
    seen.set(pointer, place)
    return { placed, place }
  })
}

function toRemoved({ place, placed }: SeenItem): ItemDifference {
  return { ...NO_CHANGE, kind: 'removed', before: place, after: null, fields: itemChanges(placed.item, {}) }
}

function toChanged(old: SeenItem, now: SeenItem, moved: boolean): ItemDifference | null {
  const [before, after] = [old.place, now.place]
  const shows = before.type !== 'divider' || after.type !== 'divider'
  const difference: ItemDifference = {
    kind: 'changed',
    before,
    after,
    moved,
    fields: itemChanges(old.placed.item, now.placed.item),
    widens: shows && isWider(before.viewers, after.viewers),
    narrows: shows && isWider(after.viewers, before.viewers),
    exposes: false,
  }
  return isOwnChange(difference) || difference.widens || difference.narrows ? difference : null
}
