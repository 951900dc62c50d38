import { isList, type Json, type JsonMap, valueAt } from '../model/json.js'
import { parsePointer } from '../model/pointer.js'
import { done, failed, type Result } from '../model/result.js'
import type { Change } from './change.js'
import { matchMenus } from './compare/match.js'
import { type Items, ownOf, type PlacedItem, placedItems } from './items.js'
import { applyOperations } from './operations/apply.js'
import type { Operation, OperationFault } from './operations/operation.js'

/** An item of another value of a menu with the items below it. */
export interface Branch {
  readonly item: JsonMap
  /** Where each of its items is in that value, by its pointer below the first item, which is `''`. */
  readonly origins: ReadonlyMap<string, string>
}

/** A branch as another menu can have it: ids are unique in a menu, so those that it has already stay behind. */
export function withFreeIds(branch: PlacedItem, menu: Items): JsonMap {
  const taken = new Set(menu.all.map(({ item }) => item['id']))
  const free = ({ item, below }: PlacedItem): JsonMap => {
    const { id, ...rest } = item
    const own = id === undefined || taken.has(id) ? rest : item
    return isList(item['children']) ? { ...own, children: below.map(free) } : own
  }
  return free(branch)
}

/** The branch at a pointer; null where no item is there. */
export function branchAt(value: Json, pointer: string): Branch | null {
  const found = placedItems(value).find((each) => each.pointer === pointer)
  return found === undefined ? null : toBranch(found, () => true)
}

/** A branch without those items, and what is below them, that it must not have. */
function toBranch({ item, pointer, below }: PlacedItem, isWanted: (item: PlacedItem) => boolean): Branch {
  const origins = new Map([['', pointer]])
  if (!isList(item['children'])) return { item, origins }
  const children = below.filter(isWanted).map((child, place) => {
    const branch = toBranch(child, isWanted)
    for (const [at, origin] of branch.origins) origins.set(`/children/${place}${at}`, origin)
    return branch.item
  })
  return { item: { ...item, children }, origins }
}

/** The change that puts a branch at a place of a list of items (`-` for its end), whose items are of the side `theirs`. */
export function graft(value: Json, branch: Branch, at: string): Result<Change, OperationFault> {
  const [list, step] = [at.slice(0, at.lastIndexOf('/')), at.slice(at.lastIndexOf('/') + 1)]
  const there = valueAt(value, parsePointer(list) ?? [])
  const place = step === '-' ? `${list}/${isList(there) ? there.length : 0}` : at
  const empty: readonly Operation[] = there === undefined ? [{ op: 'add', path: list, value: [] }] : []
  const applied = applyOperations(value, [...empty, { op: 'add', path: place, value: branch.item }])
  if (applied.fault !== null) return applied
  const added = [...branch.origins].map(
    ([below, pointer]) => [place + below, { side: 'theirs', pointer }] as const,
  )
  return done({ value: applied.value.value, origins: new Map([...applied.value.origins, ...added]) })
}

/** Why an item cannot be put back: it was not there, or the item that was above it is gone. */
export type RestoreFault = 'no-item' | 'parent-gone'

/**
 * The change that puts one item back as it was in an earlier value. An item that is still there gets its fields back, and keeps
 * its place and the items below it; one that is gone comes back behind the neighbours that it had, with those items below
 * it that are gone, too. What comes back is of the side `theirs`.
 */
export function restoreItem(before: Json, now: Json, pointer: string): Result<Change, RestoreFault> {
  const { before: items, toAfter } = matchMenus(before, now)
  const old = items.all.find((each) => each.pointer === pointer)
  if (old === undefined) return failed('no-item')
  const twin = toAfter.get(old)
  if (twin !== undefined) {
    const { children } = twin.item
    const value = { ...ownOf(old.item), ...(children !== undefined && { children }) }
    return orFault(applyOperations(now, [{ op: 'replace', path: twin.pointer, value }]))
  }
  const home = toAfter.get(old.parent)
  if (home === undefined) return failed('parent-gone')
  const list = home.pointer === '' ? '/items' : `${home.pointer}/children`
  const branch = toBranch(old, (item) => !toAfter.has(item))
  return orFault(graft(now, branch, `${list}/${placeIn(home, old, toAfter)}`))
}

/** The index behind the nearest neighbour that is left before an item, else before the one that is left behind it. */
function placeIn(
  home: PlacedItem,
  old: PlacedItem,
  toAfter: ReadonlyMap<PlacedItem | null, PlacedItem>,
): string {
  const siblings = (old.parent?.below ?? []).map((each) => toAfter.get(each))
  const isHere = (twin: PlacedItem | undefined): boolean => twin?.parent === home
  const above = siblings.slice(0, old.place).findLast(isHere)
  if (above !== undefined) return String(above.index + 1)
  const below = siblings.slice(old.place).find(isHere) ?? home.below[old.place]
  return below === undefined ? '-' : String(below.index)
}

/** Places come from the value itself: no operation on them fails. */
function orFault({ value, fault }: Result<Change, OperationFault>): Result<Change, RestoreFault> {
  return fault === null ? done(value) : failed('no-item')
}
