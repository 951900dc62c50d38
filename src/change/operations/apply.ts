import { isEqual, isMap, type Json, type JsonMap } from '../../model/json.js'
import type { YamlLimits } from '../../model/limits.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Change, changeInPlace, type ItemOrigin, sameItems } from '../change.js'
import { ownOf, placedItems } from '../items.js'
import { countValues } from './count-values.js'
import type { Operation, OperationFault } from './operation.js'
import { applyInPlace, copyOf, type Follower, Impossible } from './patch.js'
import { addRemoved, contentKey, idKey, ownKey, type RemovedItems, takeRemoved } from './removed-items.js'

/** What operations may copy and compare, in values of the largest menu: a few short ones could double a value thirty times. */
const MAX_WORK = 8
const TOO_LARGE = 'the menu would be too large or nested too deep'

/** What operations made of a value. */
export interface Applied extends Change {
  readonly progress: Progress
}

/** What operations go on from. */
export interface Progress {
  /** Where items come from, step by step. */
  readonly origins: Change['origins']
  readonly removed: RemovedItems
  /** What operations may copy and compare, in values. */
  readonly work: number
}

/** What the first operations on a change go on from: all of them copy and compare what `limits` allow. */
export function progressOf({ origins }: Pick<Change, 'origins'>, base: Json, limits: YamlLimits): Progress {
  const present = new Set([...origins.values()].flatMap((each) => (each.side === 'base' ? each.pointer : [])))
  const removed: Parameters<typeof addRemoved>[0] = new Map()
  for (const { item, pointer } of placedItems(base))
    if (!present.has(pointer)) addRemoved(removed, item, { side: 'base', pointer })
  return { origins, removed, work: limits.nodes * MAX_WORK }
}

/**
 * Applies operations in order, all or none; the value itself stays as it is. Items keep their identity when they move. An
 * item replaced by another value is the same item, and so are matching items below it; a copy is new. An item that is taken
 * away and put back, in any order, is the same one if it has the same `id` or the same content.
 *
 * @param limits what the result may hold. Default: anything.
 * @param progress of earlier operations. Default: there were none.
 */
export function applyOperations(
  value: Json,
  operations: readonly Operation[],
  limits: YamlLimits = UNLIMITED,
  progress: Progress = progressOf(changeInPlace(value), value, limits),
): Result<Applied, OperationFault> {
  const whole = { '': copyOf(value) }
  const { removed, work } = progress
  const working: WorkingCopy = { whole, origins: new Map(), removed: new Map(removed), limits, work }
  const { origins } = working
  const follower = followItems(working)
  for (const { item, pointer } of placedItems(whole[''])) {
    const origin = progress.origins.get(pointer)
    if (origin !== undefined) origins.set(item, origin)
  }
  for (const [position, operation] of operations.entries()) {
    try {
      applyInPlace(whole, operation, follower)
    } catch (thrown) {
      if (!(thrown instanceof Impossible)) throw thrown
      return failed({ position, reason: thrown.message, isTest: operation.op === 'test' })
    }
  }
  if (countValues(whole[''], limits) === null)
    return failed({ position: operations.length - 1, reason: TOO_LARGE, isTest: false })
  const next: Progress = { origins: originsIn(working), removed: working.removed, work: working.work }
  // Only after the last operation is known what was taken away behind its copy.
  putBack(
    working,
    placedItems(whole['']).map(({ item }) => item),
    true,
  )
  return done({ value: whole[''], origins: originsIn(working), progress: next })
}

function originsIn({ whole, origins }: WorkingCopy): Change['origins'] {
  const known = placedItems(whole['']).flatMap(({ item, pointer }): [string, ItemOrigin][] => {
    const origin = origins.get(item)
    return origin === undefined ? [] : [[pointer, origin]]
  })
  return new Map(known)
}

/** A copy of a value that operations change in place, so that its items stay the same objects. */
interface WorkingCopy {
  /** The value, wrapped, so that it has a place like any other. */
  readonly whole: { '': Json }
  readonly origins: Map<Json, ItemOrigin>
  readonly removed: Parameters<typeof addRemoved>[0]
  readonly limits: YamlLimits
  /** How many values may still be copied or compared. */
  work: number
}

const UNLIMITED: YamlLimits = { depth: Infinity, nodes: Infinity, keysPerMap: Infinity }

/** Lets items keep their identity. */
function followItems(working: WorkingCopy): Follower {
  return {
    copy: (value) => {
      spend(working, value)
      return copyOf(value)
    },
    added: (value) => putBack(working, itemsIn(value)),
    removed: (value) => remember(working, itemsIn(value)),
    replaced: (before, after) => replace(working, before, after),
  }
}

function remember({ origins, removed }: WorkingCopy, items: readonly JsonMap[]): void {
  for (const item of items) addRemoved(removed, item, origins.get(item) ?? null)
}

/** Of some items that are new so far, those that were taken away before are the same ones. */
function putBack({ origins, removed }: WorkingCopy, items: readonly JsonMap[], isLast = false): void {
  const open = new Set(items.filter((item) => !origins.has(item)).reverse())
  for (const keyOf of [idKey, contentKey, ...(isLast ? [ownKey] : [])]) {
    if (removed.size === 0) return
    // The latest first: of equal items, each gets the origin that it had.
    for (const item of open) {
      const entry = takeRemoved(removed, keyOf(item), ({ origin }) => !isLast || origin !== null)
      if (entry === null) continue
      open.delete(item)
      if (entry.origin !== null) origins.set(item, entry.origin)
    }
  }
}

/** The items in a value: in a list of them, or the value and what is below it. */
function itemsIn(value: Json): readonly JsonMap[] {
  const below = placedItems(toMenu(value)).map(({ item }) => item)
  return isMap(value) ? [value, ...below] : below
}

/** The replacement of an item, or of a list of items, is the same, and so are matching items below it. */
function replace(working: WorkingCopy, before: Json, after: Json): void {
  spend(working, before)
  const { origins } = working
  const pairs = sameItems(toMenu(before), toMenu(after)).map(([old, now]) => [old.item, now.item] as const)
  const own = isMap(before) && isMap(after) ? [[before, after] as const] : []
  const [alike, likely] = [
    pairs.filter(([old, now]) => isEqual(ownOf(old), ownOf(now))),
    pairs.filter(([old, now]) => !isEqual(ownOf(old), ownOf(now))),
  ]
  const kept = new Set<Json>()
  const keep = ([old, now]: readonly [JsonMap, JsonMap]): void => {
    const origin = origins.get(old)
    if (origin === undefined || origins.has(now)) return
    origins.set(now, origin)
    kept.add(old)
  }
  for (const pair of [...own, ...alike]) keep(pair)
  // What was taken away before is back, rather than another one edited.
  putBack(working, itemsIn(after))
  for (const pair of likely) keep(pair)
  remember(
    working,
    itemsIn(before).filter((old) => !kept.has(old)),
  )
  putBack(working, itemsIn(after))
}

/** A value whose items are those of a list, or those below a menu or an item. */
function toMenu(value: Json): JsonMap {
  return { items: (isMap(value) ? (value['items'] ?? value['children']) : value) ?? [] }
}

/** Throws for a value over a limit, before anything recurses into it, and for more work than operations may make. */
function spend(working: WorkingCopy, value: Json): void {
  const count = countValues(value, working.limits)
  if (count === null) throw new Impossible(TOO_LARGE)
  working.work -= count
  if (working.work < 0) throw new Impossible('the operations copy too much at once')
}
