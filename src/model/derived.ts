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
