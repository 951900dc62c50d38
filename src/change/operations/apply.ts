import {
  isEqual,
  isList,
  isMap,
  isPlace,
  type Json,
  type JsonMap,
  valueAt as valueBelow,
} from '../../model/json.js'
import { isWithin, parsePointer } from '../../model/pointer.js'
import { done, failed, type Result } from '../../model/result.js'
import { type Change, changeBetween, type ItemOrigin } from '../change.js'
import { placedItems } from '../items.js'
import type { Operation, OperationFault } from './operation.js'

/**
 * Applies operations in order, all or none; the value itself stays as it is. Items keep their identity when they move. An
 * item replaced by another value is the same item, and so are matching items below it; a copy is new. All origins are in
 * `base`.
 */
export function applyOperations(
  value: Json,
  operations: readonly Operation[],
): Result<Change, OperationFault> {
  const draft: Draft = { whole: { '': copyOf(value) }, origins: new Map() }
  for (const { item, pointer } of placedItems(draft.whole[''])) {
    draft.origins.set(item, { side: 'base', pointer })
  }
  for (const [position, operation] of operations.entries()) {
    try {
      applyOperation(draft, operation)
    } catch (thrown) {
      if (!(thrown instanceof Impossible)) throw thrown
      return failed({ position, reason: thrown.message, isTest: operation.op === 'test' })
    }
  }
  const origins = new Map<string, ItemOrigin>()
  for (const { item, pointer } of placedItems(draft.whole[''])) {
    const origin = draft.origins.get(item)
    if (origin !== undefined) origins.set(pointer, origin)
  }
  return done({ value: draft.whole[''], origins })
}

/** A copy of a value that operations change in place, so that its items stay the same objects. */
interface Draft {
  /** The value, wrapped, so that it has a place like any other. */
  readonly whole: { '': Json }
  readonly origins: Map<JsonMap, ItemOrigin>
}

type MutableMap = { [key: string]: Json }

/** A place in a list or a map, where something is or can be put. */
interface Slot {
  readonly around: Json[] | MutableMap
  readonly step: string
}

/** Thrown where an operation cannot be applied, and caught where all are. */
class Impossible extends Error {}

function applyOperation(draft: Draft, operation: Operation): void {
  const path = stepsOf(operation.path, 'path')
  switch (operation.op) {
    case 'add':
      add(draft, path, operation.value)
      break
    case 'remove':
      take(draft, path)
      break
    case 'replace':
      replace(draft, path, operation.value)
      break
    case 'copy':
      put(slotAt(draft, path), copyOf(get(slotAt(draft, stepsOf(operation.from, 'from')))))
      break
    case 'move':
      move(draft, stepsOf(operation.from, 'from'), path)
      break
    case 'test':
      if (!isEqual(get(slotAt(draft, path)), operation.value))
        throw new Impossible('the value is another one')
  }
}

function move(draft: Draft, from: readonly string[], path: readonly string[]): void {
  const moved = get(slotAt(draft, from))
  if (isWithin(path, from)) {
    if (path.length > from.length) throw new Impossible('nothing can be moved into itself')
    return
  }
  take(draft, from)
  put(slotAt(draft, path), moved)
}

function stepsOf(pointer: string, name: string): readonly string[] {
  const steps = parsePointer(pointer)
  if (steps === null) throw new Impossible(`${name} is not a JSON Pointer`)
  return steps
}

function slotAt({ whole }: Draft, steps: readonly string[]): Slot {
  const step = steps.at(-1) ?? ''
  const around = ['', ...steps].slice(0, -1).reduce<Json>(below, whole)
  if (!isList(around) && !isMap(around)) {
    throw new Impossible(`${JSON.stringify(step)} would be below a single value`)
  }
  return { around: around as Json[] | MutableMap, step }
}

function get({ around, step }: Slot): Json {
  return below(around, step)
}

function below(value: Json, step: string): Json {
  if (isList(value)) return value[indexIn(value.length - 1, step)] as Json
  if (isMap(value) && Object.hasOwn(value, step)) return value[step] as Json
  throw new Impossible(`there is no ${JSON.stringify(step)}`)
}

/** The index that a step names, at most `last` (RFC 6901, section 4: digits without leading zeros). */
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

function add(draft: Draft, steps: readonly string[], value: Json): void {
  const { around, step } = slotAt(draft, steps)
  if (!Array.isArray(around) && Object.hasOwn(around, step)) replace(draft, steps, value)
  else put({ around, step }, copyOf(value))
}

function take(draft: Draft, steps: readonly string[]): void {
  if (steps.length === 0) throw new Impossible('the whole cannot be removed')
  const slot = slotAt(draft, steps)
  get(slot)
  if (Array.isArray(slot.around)) slot.around.splice(Number(slot.step), 1)
  else delete slot.around[slot.step]
}

function replace(draft: Draft, steps: readonly string[], value: Json): void {
  const slot = slotAt(draft, steps)
  const [before, after] = [get(slot), copyOf(value)]
  handOn(draft, before, after)
  set(slot, after)
}

/** Treats the replacement of an item, or of a list of items, as the same, and matching items below it. */
function handOn({ origins }: Draft, before: Json, after: Json): void {
  const pass = (old: Json | undefined, now: JsonMap): void => {
    const origin = isMap(old) ? origins.get(old) : undefined
    if (origin !== undefined) origins.set(now, origin)
  }
  if (isMap(after)) pass(before, after)
  const [olds, news] = [toMenu(before), toMenu(after)]
  const change = changeBetween(olds, news)
  for (const { item, pointer } of placedItems(news)) {
    const origin = change.origins.get(pointer)
    if (origin !== undefined) pass(valueAt(olds, origin.pointer), item)
  }
}

/** A value whose items are those of a list, or those below a menu or an item. */
function toMenu(value: Json): JsonMap {
  return { items: (isMap(value) ? (value['items'] ?? value['children']) : value) ?? [] }
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
