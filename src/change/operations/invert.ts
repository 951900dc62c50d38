import { isList, type Json } from '../json.js'
import { isWithin, parsePointer, type Steps, toPointer } from '../pointer.js'
import { applyOperations, valueAt } from './apply.js'
import type { Operation } from './operation.js'

/**
 * The operations that undo others: applied to what those made of `value`, they give a value that is equal to it. Null
 * when the operations themselves cannot be applied to `value`.
 */
export function invertOperations(value: Json, operations: readonly Operation[]): readonly Operation[] | null {
  const inverse: Operation[] = []
  let now = value
  for (const operation of operations) {
    const applied = applyOperations(now, [operation])
    if (applied.fault !== null) return null
    inverse.unshift(...invert(now, operation))
    now = applied.value
  }
  return inverse
}

function invert(before: Json, operation: Operation): readonly Operation[] {
  switch (operation.op) {
    case 'test':
      return []
    case 'remove':
      return [{ op: 'add', path: operation.path, value: valueAt(before, operation.path) as Json }]
    case 'replace':
      return [{ op: 'replace', path: operation.path, value: valueAt(before, operation.path) as Json }]
    case 'add':
    case 'copy':
      return [withdraw(before, operation.path)]
    case 'move': {
      if (operation.from === operation.path) return []
      const between = without(before, operation.from)
      const covered = coveredBy(between, operation.path)
      if (covered === undefined) return moveBack(before, toEntry(between, operation.path), operation.from)
      // What was covered comes back first: the way to it is that of the value in between.
      return [
        { op: 'replace', path: operation.path, value: covered },
        { op: 'add', path: operation.from, value: valueAt(before, operation.from) as Json },
      ]
    }
  }
}

/** A move to below where it starts from is none (RFC 6902, section 4.4), though the entry there is another by then. */
function moveBack(before: Json, from: string, path: string): readonly Operation[] {
  if (!isWithin(stepsOf(path), stepsOf(from))) return [{ op: 'move', from, path }]
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value: valueAt(before, path) as Json },
  ]
}

/** The value without what a move takes away first. */
function without(before: Json, from: string): Json {
  return applyOperations(before, [{ op: 'remove', path: from }]).value
}

/** Takes away what was added, or brings back what it replaced. */
function withdraw(before: Json, path: string): Operation {
  const covered = coveredBy(before, path)
  return covered === undefined
    ? { op: 'remove', path: toEntry(before, path) }
    : { op: 'replace', path, value: covered }
}

/** What stands where something is added to a map; an entry of a list only moves on. */
function coveredBy(before: Json, path: string): Json | undefined {
  const steps = stepsOf(path)
  if (steps.length === 0) return before
  return isList(valueAt(before, toPointer(steps.slice(0, -1)))) ? undefined : valueAt(before, path)
}

/** The path of an entry that was added at the end of a list (`-`), once it is there. */
function toEntry(before: Json, path: string): string {
  const steps = stepsOf(path)
  const around = valueAt(before, toPointer(steps.slice(0, -1)))
  return isList(around) && steps.at(-1) === '-'
    ? toPointer([...steps.slice(0, -1), String(around.length)])
    : path
}

/** The steps of a pointer that was applied, and so is one. */
function stepsOf(pointer: string): Steps {
  return parsePointer(pointer) ?? []
}
