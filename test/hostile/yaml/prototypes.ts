const SHARED: readonly object[] = [
  ...[Object, Array, String, Number, Boolean, Function, RegExp, Map, Set, Error, Promise].flatMap((each) => [
    each,
    each.prototype as object,
  ]),
  ...[JSON, Math, Reflect],
]

/** What all objects of the process share, to compare before and after. */
export function prototypes(): readonly unknown[] {
  return SHARED.map((shared) => Object.getOwnPropertyDescriptors(shared))
}
