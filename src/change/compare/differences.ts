import { groupBy } from '../../model/group-by.js'
import { isMap } from '../../model/json.js'
import { nameOf, targetOf } from '../../model/label.js'
import type { Items, PlacedItem } from '../items.js'
import { type Audience, audiencesOf, isWider } from './audience.js'
import { type FieldChange, itemChanges, menuChanges } from './field-changes.js'
import { movesBetween } from './item-fates.js'
import type { Match } from './match.js'

/** What changed between two values of a menu; plain data, the machine form of all reports. */
export interface MenuDifference {
  /** Of the menu itself: code, name, context, display and custom keys. */
  readonly fields: readonly FieldChange[]
  /** Each changed item, in reading order; a removed one is where it was. */
  readonly items: readonly ItemDifference[]
}

export interface ItemDifference {
  readonly kind: 'added' | 'removed' | 'changed'
  /** Where it was; null when it was added. */
  readonly before: ItemPlace | null
  /** Where it is; null when it was removed. */
  readonly after: ItemPlace | null
  /** Whether it is in another list, or at another place among those that stayed. */
  readonly moved: boolean
  /**
   * What changed of the item itself: everything about one that was added or removed. Empty for one that only moved, and for
   * one affected only by the permissions or the hiding of items above it.
   */
  readonly fields: readonly FieldChange[]
  /** Whether some viewer, a set of permission keys, may see it now and might not before. */
  readonly widens: boolean
  /** Whether some viewer might see it before and may not now. */
  readonly narrows: boolean
  /**
   * Whether its destination is new here and some viewer who may see this item could see none of the items that led to that
   * destination before: a guarded destination in the open.
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
  /** How many items its list has. */
  readonly count: number
  readonly type: string
  /** Its destination in words, `''` for none. */
  readonly target: string
  /** Who may see it: null for nobody, else viewers with a key of each list; an empty list of lists is everybody. */
  readonly viewers: Audience
}

/**
 * What changed between two values of a menu. Items are matched, so that a move is one change; entries of a list that only
 * shifted did not move. Who may see an item follows from its permissions, its hiding and those of all items above it; that a
 * section goes when it has nothing left to show does not count. Dividers show nothing, so they never change what anyone sees.
 * `children` that are absent, null or empty are the same. `locales` are those to name items in.
 */
export function differences(match: Match, locales: readonly string[] = []): MenuDifference {
  const { before, after, toAfter, toBefore } = match
  const [olds, news] = [toPlaces(before, locales), toPlaces(after, locales)]
  const moves = movesBetween(match)
  const byTarget = groupBy(olds.values(), ({ target }) => target)
  const items: ItemDifference[] = []
  const report = (old: PlacedItem | null, now: PlacedItem | null): void => {
    const [was = null, is = null] = [olds.get(old), news.get(now)]
    const isShown = was !== null && is !== null && !(isDivider(was) && isDivider(is))
    const isElsewhere = is !== null && is.target !== '' && is.target !== was?.target
    const known = isElsewhere ? byTarget.get(is.target)?.map(({ viewers }) => viewers) : undefined
    const difference: ItemDifference = {
      kind: was === null ? 'added' : is === null ? 'removed' : 'changed',
      before: was,
      after: is,
      moved: now !== null && moves.has(now),
      fields: itemChanges(old?.item ?? {}, now?.item ?? {}),
      widens: isShown && isWider([was.viewers], is.viewers),
      narrows: isShown && isWider([is.viewers], was.viewers),
      exposes: known !== undefined && is !== null && isWider(known, is.viewers),
    }
    if (isOwnChange(difference) || difference.widens || difference.narrows) items.push(difference)
  }
  const removed = before.all.filter((old) => !toAfter.has(old)).reverse()
  const reportRemoved = (order: number): void => {
    while ((removed.at(-1)?.order ?? order) < order) report(removed.pop() ?? null, null)
  }
  for (const now of after.all) {
    const old = toBefore.get(now) ?? null
    if (old !== null && !moves.has(now)) reportRemoved(old.order)
    report(old, now)
  }
  reportRemoved(before.all.length)
  const isMenu = isMap(before.value) && isMap(after.value)
  return { fields: isMenu ? menuChanges(before.value, after.value) : [], items }
}

/** Whether nothing changed. */
export function isUnchanged({ fields, items }: MenuDifference): boolean {
  return fields.length === 0 && items.length === 0
}

/** Whether an item itself changed, and not only the items above it. */
export function isOwnChange({ kind, moved, fields }: ItemDifference): boolean {
  return kind !== 'changed' || moved || fields.length > 0
}

/** What became of an item, in a word. */
export type ItemMark = 'new' | 'changed' | 'moved'

/** The mark of an item that is there and differs; null for any other. */
export function markOf(item: ItemDifference): ItemMark | null {
  if (item.after === null || !isOwnChange(item)) return null
  return item.kind === 'added' ? 'new' : item.fields.length > 0 ? 'changed' : 'moved'
}

type Places = Pick<ItemDifference, 'before' | 'after'>

/** Makes the function that says whether an item of a difference went with one above it. */
export function goneBranches(items: readonly Places[]): (item: Places) => boolean {
  const gone = new Set(
    items.flatMap(({ before, after }) => (after === null && before ? [before.pointer] : [])),
  )
  return ({ before, after }) => {
    if (after !== null || before === null) return false
    const steps = before.pointer.split('/children/')
    return steps.some((_, place) => place > 0 && gone.has(steps.slice(0, place).join('/children/')))
  }
}

/**
 * How many changes a difference has for people, as reviews list them: an item is one, however much of it changed, as are a
 * branch that is gone and the menu itself.
 */
export function numberOfChanges(items: readonly ItemDifference[], isMenuChanged: boolean): number {
  const own = items.filter(isOwnChange)
  const isBelowGone = goneBranches(own)
  return own.filter((item) => !isBelowGone(item)).length + Number(isMenuChanged)
}

function isDivider({ type }: ItemPlace): boolean {
  return type === 'divider'
}

function toPlaces(items: Items, locales: readonly string[]): ReadonlyMap<PlacedItem | null, ItemPlace> {
  const audiences = audiencesOf(items)
  const places = new Map<PlacedItem | null, ItemPlace>()
  for (const placed of items.all) {
    const { item, pointer, parent, index } = placed
    const above = places.get(parent)
    places.set(placed, {
      pointer,
      name: nameOf(item, locales),
      path: above === undefined ? [] : [...above.path, above.name],
      position: index + 1,
      count: parent === null ? 1 : parent.below.length,
      type: typeof item['type'] === 'string' ? item['type'] : 'link',
      target: targetOf(item),
      viewers: audiences.get(placed) ?? null,
    })
  }
  return places
}
