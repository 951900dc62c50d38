import { isEqual, isList, isMap, isPlace, type Json, valueAt as valueBelow } from '../../model/json.js'
import { isWithin, parsePointer, type Steps } from '../../model/pointer.js'
import type { Operation } from './operation.js'

/** Follows what operations do to the values of a menu. */
export interface Follower {
  /** The copy of a value of an operation, or of one in the menu, that is put into it. */
  readonly copy: (value: Json) => Json
  readonly added: (value: Json) => void
  readonly removed: (value: Json) => void
  /** Called while the one before is still in its place. */
  readonly replaced: (before: Json, after: Json) => void
}

/** Thrown where an operation cannot be applied. */
export class Impossible extends Error {}

/** A value after operations; null where one of them cannot be applied. The value itself stays as it is. */
export function patch(value: Json, operations: readonly Operation[]): Json | null {
  const whole = { '': copyOf(value) }
  try {
    for (const operation of operations) applyInPlace(whole, operation, NOBODY)
    return whole['']
  } catch (thrown) {
    if (thrown instanceof Impossible) return null
    throw thrown
  }
}

/**
 * Applies an operation (RFC 6902, section 4) to a value in place, so that its items stay the same objects. Throws
 * `Impossible` where that cannot be done.
 *
 * @param whole the value, wrapped, so that it has a place like any other
 */
export function applyInPlace(whole: { '': Json }, operation: Operation, follower: Follower): void {
  const path = stepsOf(operation.path, 'path')
  if (operation.op === 'move') {
    move(whole, stepsOf(operation.from, 'from'), path, follower)
    return
  }
  const slot = slotAt(whole, path)
  const isThere = !isList(slot.around) && Object.hasOwn(slot.around, slot.step)
  if (operation.op === 'remove') {
    const value = get(slot)
    take(whole, slot)
    follower.removed(value)
  } else if ('from' in operation)
    put(slot, follower.copy(get(slotAt(whole, stepsOf(operation.from, 'from')))), follower)
  else if (operation.op === 'replace' || (operation.op === 'add' && isThere)) {
    const after = follower.copy(operation.value)
    follower.replaced(get(slot), after)
    set(slot, after)
  } else if (operation.op === 'add') {
    const value = follower.copy(operation.value)
    put(slot, value, follower)
    follower.added(value)
  } else if (!isEqual(get(slot), operation.value)) throw new Impossible('the value differs')
}

/** A copy that shares nothing, not even among its own parts: each item is an object of its own. */
export function copyOf(value: Json): Json {
  if (isList(value)) return value.map(copyOf)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]))
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  const steps = parsePointer(pointer)
  return steps === null ? undefined : valueBelow(value, steps)
}

const NOBODY: Follower = { copy: copyOf, added: () => {}, removed: () => {}, replaced: () => {} }

/** A place in a list or a map, where something is or can be put. */
interface Slot {
  readonly around: Json[] | { [key: string]: Json }
  readonly step: string
}

function move(whole: { '': Json }, from: Steps, path: Steps, follower: Follower): void {
  const slot = slotAt(whole, from)
  const moved = get(slot)
  if (isWithin(path, from)) {
    if (path.length > from.length) throw new Impossible('an item cannot be moved into itself')
    return
  }
  take(whole, slot)
  put(slotAt(whole, path), moved, follower)
}

function stepsOf(pointer: string, name: string): Steps {
  const steps = parsePointer(pointer)
  if (steps === null) throw new Impossible(`${name} is not a JSON Pointer`)
  return steps
}

function slotAt(whole: { '': Json }, steps: Steps): Slot {
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
function put({ around, step }: Slot, value: Json, { removed }: Follower): void {
  if (!Array.isArray(around)) {
    if (Object.hasOwn(around, step)) removed(around[step] as Json)
    set({ around, step }, value)
  } else around.splice(step === '-' ? around.length : indexIn(around.length, step), 0, value)
}

/** `__proto__` is a key like any other. */
function set({ around, step }: Slot, value: Json): void {
  Object.defineProperty(around, step, { value, configurable: true, enumerable: true, writable: true })
}

function take(whole: { '': Json }, slot: Slot): void {
  if (slot.around === whole) throw new Impossible('the whole menu cannot be removed')
  get(slot)
  if (Array.isArray(slot.around)) slot.around.splice(Number(slot.step), 1)
  else delete slot.around[slot.step]
}
