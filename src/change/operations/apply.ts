import {
  isEqual,
  isList,
  isMap,
  isPlace,
  type Json,
  type JsonMap,
  valueAt as valueBelow,
} from '../../model/json.js'
import type { YamlLimits } from '../../model/limits.js'
import { isWithin, parsePointer, type Steps } from '../../model/pointer.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Change, changeInPlace, type ItemOrigin, sameItems } from '../change.js'
import { placedItems } from '../items.js'
import { countValues } from './count-values.js'
import type { Operation, OperationFault } from './operation.js'

/** What operations may copy and compare, in values of the largest menu: a few short ones could double a value thirty times. */
const MAX_WORK = 8
const TOO_LARGE = 'the menu would be larger, or nested deeper, than a menu may be'

/** What operations made of a value. */
export interface Applied extends Change {
  /** What further operations may copy and compare, in values. */
  readonly work: number
}

/**
 * Applies operations in order, all or none; the value itself stays as it is. Items keep their identity when they move. An
 * item replaced by another value is the same item, and so are matching items below it; a copy is new.
 *
 * @param limits what the result may hold. Default: anything.
 * @param known where the items of the value come from. Default: all of them from their places in `base`.
 * @param work what the operations may copy and compare, in values. Default: as much as the first ones may.
 */
export function applyOperations(
  value: Json,
  operations: readonly Operation[],
  limits: YamlLimits = UNLIMITED,
  known: Change['origins'] = changeInPlace(value).origins,
  work: number = limits.nodes * MAX_WORK,
): Result<Applied, OperationFault> {
  const whole = { '': copyOf(value) }
  const draft: Draft = { whole, origins: new Map(), limits, work }
  const { origins } = draft
  for (const { item, pointer } of placedItems(whole[''])) {
    const origin = known.get(pointer)
    if (origin !== undefined) origins.set(item, origin)
  }
  for (const [position, operation] of operations.entries()) {
    try {
      applyOperation(draft, operation)
    } catch (thrown) {
      if (!(thrown instanceof Impossible)) throw thrown
      return failed({ position, reason: thrown.message, isTest: operation.op === 'test' })
    }
  }
  if (countValues(whole[''], limits) === null)
    return failed({ position: operations.length - 1, reason: TOO_LARGE, isTest: false })
  const kept = placedItems(whole['']).flatMap(({ item, pointer }): [string, ItemOrigin][] => {
    const origin = origins.get(item)
    return origin === undefined ? [] : [[pointer, origin]]
  })
  return done({ value: whole[''], origins: new Map(kept), work: draft.work })
}

/** A copy of a value that operations change in place, so that its items stay the same objects. */
interface Draft {
  /** The value, wrapped, so that it has a place like any other. */
  readonly whole: { '': Json }
  readonly origins: Map<Json, ItemOrigin>
  readonly limits: YamlLimits
  /** How many values may still be copied or compared. */
  work: number
}

const UNLIMITED: YamlLimits = { depth: Infinity, nodes: Infinity, keysPerMap: Infinity }

/** A place in a list or a map, where something is or can be put. */
interface Slot {
  readonly around: Json[] | { [key: string]: Json }
  readonly step: string
}

/** Thrown where an operation cannot be applied, and caught where all are. */
class Impossible extends Error {}

function applyOperation(draft: Draft, operation: Operation): void {
  const path = stepsOf(operation.path, 'path')
  if (operation.op === 'move') {
    move(draft, stepsOf(operation.from, 'from'), path)
    return
  }
  const slot = slotAt(draft, path)
  const isThere = !isList(slot.around) && Object.hasOwn(slot.around, slot.step)
  if (operation.op === 'remove') take(draft, slot)
  else if (operation.op === 'copy')
    put(slot, copyIn(draft, get(slotAt(draft, stepsOf(operation.from, 'from')))))
  else if (operation.op === 'replace' || (operation.op === 'add' && isThere))
    replace(draft, slot, copyIn(draft, operation.value))
  else if (operation.op === 'add') put(slot, copyIn(draft, operation.value))
  else if (!isEqual(get(slot), operation.value)) throw new Impossible('the value is another one')
}

function move(draft: Draft, from: Steps, path: Steps): void {
  const slot = slotAt(draft, from)
  const moved = get(slot)
  if (isWithin(path, from)) {
    if (path.length > from.length) throw new Impossible('nothing can be moved into itself')
    return
  }
  take(draft, slot)
  put(slotAt(draft, path), moved)
}

function stepsOf(pointer: string, name: string): Steps {
  const steps = parsePointer(pointer)
  if (steps === null) throw new Impossible(`${name} is not a JSON Pointer`)
  return steps
}

function slotAt({ whole }: Draft, steps: Steps): Slot {
  const [step = '', ...above] = ['', ...steps].reverse().map(String)
  const around = above.reduceRight<Json>(below, whole)
  if (isList(around) || isMap(around)) return { around: around as Slot['around'], step }
  throw new Impossible(`${JSON.stringify(step)} would be below a single value`)
}

function get({ around, step }: Slot): Json {
  return below(around, step)
}

function below(value: Json, step: string): Json {
  if (isList(value)) return value[indexIn(value.length - 1, step)] as Json
  if (isMap(value) && Object.hasOwn(value, step)) return value[step] as Json
  throw new Impossible(`there is no ${JSON.stringify(step)}`)
}

/** The index that a step names, at most `last`. */
function indexIn(last: number, step: string): number {
  if (!isPlace(step)) throw new Impossible(`${JSON.stringify(step)} is not an index of a list`)
  const index = Number(step)
  if (index > last) throw new Impossible(`there is no entry ${step}`)
  return index
}

/** Inserts a value into a list; in a map, replaces the existing one. */
function put({ around, step }: Slot, value: Json): void {
  if (!Array.isArray(around)) set({ around, step }, value)
  else around.splice(step === '-' ? around.length : indexIn(around.length, step), 0, value)
}

/** `__proto__` is a key like any other. */
function set({ around, step }: Slot, value: Json): void {
  Object.defineProperty(around, step, { value, configurable: true, enumerable: true, writable: true })
}

function take({ whole }: Draft, slot: Slot): void {
  if (slot.around === whole) throw new Impossible('the whole cannot be removed')
  get(slot)
  if (Array.isArray(slot.around)) slot.around.splice(Number(slot.step), 1)
  else delete slot.around[slot.step]
}

/** The replacement of an item, or of a list of items, is the same, and so are matching items below it. */
function replace(draft: Draft, slot: Slot, after: Json): void {
  const before = get(slot)
  spend(draft, before)
  const { origins } = draft
  const below = sameItems(toMenu(before), toMenu(after)).map(([old, now]) => [old.item, now.item] as const)
  for (const [old, now] of [[before, after] as const, ...below]) {
    const origin = origins.get(old)
    if (origin !== undefined && isMap(now)) origins.set(now, origin)
  }
  set(slot, after)
}

/** A value whose items are those of a list, or those below a menu or an item. */
function toMenu(value: Json): JsonMap {
  return { items: (isMap(value) ? (value['items'] ?? value['children']) : value) ?? [] }
}

/** Throws for a value over a limit, before anything recurses into it, and for more work than operations may make. */
function spend(draft: Draft, value: Json): void {
  const count = countValues(value, draft.limits)
  if (count === null) throw new Impossible(TOO_LARGE)
  draft.work -= count
  if (draft.work < 0) throw new Impossible('the operations copy more than can be done at once')
}

function copyIn(draft: Draft, value: Json): Json {
  spend(draft, value)
  return copyOf(value)
}

/** A copy that shares nothing, not even among its own parts: each item is an object of its own. */
function copyOf(value: Json): Json {
  if (isList(value)) return value.map(copyOf)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]))
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  const steps = parsePointer(pointer)
  return steps === null ? undefined : valueBelow(value, steps)
}
