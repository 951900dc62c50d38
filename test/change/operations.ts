import fc from 'fast-check'
import { applyOperations } from '../../src/change/operations/apply.js'
import type { Operation } from '../../src/change/operations/operation.js'
import { isList, isMap, type Json } from '../../src/model/json.js'
import { toPointer } from '../../src/model/pointer.js'

/** Keys with all that a pointer has to write in another way, and names that every object has. */
const keys = fc.constantFrom('a', 'b', '', '0', '-', '~', '/', '~1', 'a/b', '__proto__', 'constructor')

/** Values of all kinds, a few levels deep. */
export const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1.5, '', 'text', '1'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
})).value

/** Every pointer into a value; with `ends`, also those at which something can be added. */
export function pointersInto(value: Json, ends: boolean, steps: readonly string[] = []): string[] {
  const found = [toPointer(steps)]
  const entries: [string, Json][] = isList(value)
    ? value.map((each, place) => [String(place), each])
    : isMap(value)
      ? Object.entries(value)
      : []
  for (const [step, each] of entries) found.push(...pointersInto(each, ends, [...steps, step]))
  if (ends && isList(value))
    found.push(toPointer([...steps, '-']), toPointer([...steps, String(value.length)]))
  if (ends && isMap(value)) found.push(toPointer([...steps, 'new']))
  return found
}

/** A value with operations that can be applied to it in order. */
export const changes: fc.Arbitrary<{ readonly value: Json; readonly operations: readonly Operation[] }> = fc
  .tuple(values, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), values), { maxLength: 6 }))
  .map(([value, wishes]) => {
    const operations: Operation[] = []
    let now = value
    for (const [kind, first, second, added] of wishes) {
      const operation = toOperation(now, kind, first, second, added)
      const applied = applyOperations(now, [operation])
      if (applied.fault !== null) continue
      operations.push(operation)
      now = applied.value.value
    }
    return { value, operations }
  })

function toOperation(value: Json, kind: number, first: number, second: number, added: Json): Operation {
  const pick = (list: readonly string[], place: number): string => list[place % list.length] ?? ''
  const path = pick(pointersInto(value, false), first)
  const target = pick(pointersInto(value, true), second)
  const all: readonly Operation[] = [
    { op: 'add', path: target, value: added },
    { op: 'remove', path },
    { op: 'replace', path, value: added },
    { op: 'move', from: path, path: target },
    { op: 'copy', from: path, path: target },
  ]
  return all[kind % all.length] as Operation
}
