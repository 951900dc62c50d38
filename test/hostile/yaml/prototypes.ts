const SHARED: readonly object[] = [
  ...[Object, Array, String, Number, Boolean, Function, RegExp, Map, Set, Error, Promise].flatMap((each) => [
    each,
    each.prototype as object,
  ]),
  ...[JSON, Math, Reflect],
]

/** What all objects of the process share, member by member, to compare before and after. */
export function prototypes(): readonly unknown[] {
  // As lists: an object with a `Symbol.toStringTag` of its own may count as equal to none but itself.
  return SHARED.map((shared) =>
    Reflect.ownKeys(shared).map((key) => [key, Object.getOwnPropertyDescriptor(shared, key)]),
  )
}
