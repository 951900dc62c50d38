import { isEqual, isList, isMap, type Json, withKey, withoutKey } from '../json.js'
import { isWithin, parsePointer, type Steps } from '../pointer.js'
import type { Operation, OperationFault } from './operation.js'

/** What operations make of a value; else why one of them cannot be applied, and then none is. */
export type Applied =
  | { readonly value: Json; readonly fault: null }
  | { readonly value: null; readonly fault: OperationFault }

/** Applies operations in order, all or none. The value itself stays as it is; what did not change is shared. */
export function applyOperations(value: Json, operations: readonly Operation[]): Applied {
  let now = value
  for (const [position, operation] of operations.entries()) {
    try {
      now = applyOperation(now, operation)
    } catch (thrown) {
      if (!(thrown instanceof Impossible)) throw thrown
      return { value: null, fault: { position, reason: thrown.message, isTest: operation.op === 'test' } }
    }
  }
  return { value: now, fault: null }
}

/** Thrown where an operation cannot be applied, and caught where all are. */
class Impossible extends Error {}

function applyOperation(value: Json, operation: Operation): Json {
  const path = stepsOf(operation.path, 'path')
  switch (operation.op) {
    case 'add':
      return add(value, path, operation.value)
    case 'remove':
      return remove(value, path)
    case 'replace':
      return replace(value, path, operation.value)
    case 'copy':
      return add(value, path, get(value, stepsOf(operation.from, 'from')))
    case 'move': {
      const from = stepsOf(operation.from, 'from')
      const moved = get(value, from)
      if (isWithin(path, from) && path.length > from.length) {
        throw new Impossible('nothing can be moved into itself')
      }
      return path.length === from.length && isWithin(path, from)
        ? value
        : add(remove(value, from), path, moved)
    }
    case 'test':
      if (!isEqual(get(value, path), operation.value)) throw new Impossible('the value is another one')
      return value
  }
}

function stepsOf(pointer: string, name: string): Steps {
  const steps = parsePointer(pointer)
  if (steps === null) throw new Impossible(`${name} is no JSON Pointer`)
  return steps
}

function get(value: Json, steps: Steps): Json {
  let now = value
  for (const step of steps) now = below(now, step)
  return now
}

function below(value: Json, step: string): Json {
  if (isList(value)) return value[indexIn(value.length - 1, step)] as Json
  if (isMap(value) && Object.hasOwn(value, step)) return value[step] as Json
  throw new Impossible(`there is no ${JSON.stringify(step)}`)
}

/** The index that a step names, at most `last` (RFC 6901, section 4: digits without leading zeros). */
function indexIn(last: number, step: string): number {
  if (!/^(0|[1-9]\d*)$/.test(step)) throw new Impossible(`${JSON.stringify(step)} is no index of a list`)
  const index = Number(step)
  if (index > last) throw new Impossible(`there is no entry ${step}`)
  return index
}

/** Changes the value around the last step, and with it all that is around that. */
function changeAt(value: Json, steps: Steps, change: (around: Json, step: string) => Json): Json {
  const [step = '', ...rest] = steps
  if (rest.length === 0) return change(value, step)
  const changed = changeAt(below(value, step), rest, change)
  return isList(value)
    ? value.with(Number(step), changed)
    : withKey(value as { [key: string]: Json }, step, changed)
}

function add(value: Json, steps: Steps, added: Json): Json {
  if (steps.length === 0) return added
  return changeAt(value, steps, (around, step) => {
    if (isMap(around)) return withKey(around, step, added)
    if (!isList(around)) throw new Impossible(`${JSON.stringify(step)} would be below a single value`)
    return around.toSpliced(step === '-' ? around.length : indexIn(around.length, step), 0, added)
  })
}

function remove(value: Json, steps: Steps): Json {
  if (steps.length === 0) throw new Impossible('the whole cannot be removed')
  return changeAt(value, steps, (around, step) => {
    below(around, step)
    return isList(around)
      ? around.toSpliced(Number(step), 1)
      : withoutKey(around as { [key: string]: Json }, step)
  })
}

function replace(value: Json, steps: Steps, next: Json): Json {
  if (steps.length === 0) return next
  return changeAt(value, steps, (around, step) => {
    below(around, step)
    return isList(around)
      ? around.with(Number(step), next)
      : withKey(around as { [key: string]: Json }, step, next)
  })
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  try {
    return get(value, stepsOf(pointer, 'path'))
  } catch {
    return undefined
  }
}
