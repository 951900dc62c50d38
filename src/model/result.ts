/**
 * An operation that can fail as expected: a value or a fault. Anything thrown is a bug or a machine failure.
 *
 *     const { value, fault } = readContextSets(sets, limits)
 *     if (fault !== null) return fault.detail
 */
export type Result<Value, Fault> =
  | { readonly value: Value; readonly fault: null }
  | { readonly value: null; readonly fault: Fault }

export function done<Value>(value: Value): { readonly value: Value; readonly fault: null } {
  return { value, fault: null }
}

export function failed<Fault>(fault: Fault): { readonly value: null; readonly fault: Fault } {
  return { value: null, fault }
}
