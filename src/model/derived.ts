/**
 * A function that computes its answer once for each value. Answers hang on the values that they are derived from, and die with
 * them: there is nothing to invalidate.
 */
export function derived<From extends object, To>(derive: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, To>()
  return (from) => {
    const before = known.get(from)
    if (before !== undefined || known.has(from)) return before as To
    const answer = derive(from)
    known.set(from, answer)
    return answer
  }
}

/**
 * The same for answers that take much memory and are soon computed again: one lasts while somebody holds it, and then until
 * garbage is collected.
 */
export function derivedForNow<From extends object, To extends object>(
  derive: (from: From) => To,
): (from: From) => To {
  const known = new WeakMap<From, WeakRef<To>>()
  return (from) => {
    const before = known.get(from)?.deref()
    if (before !== undefined) return before
    const answer = derive(from)
    known.set(from, new WeakRef(answer))
    return answer
  }
}
