const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** What is a number in some notation, or looks like one. */
const LIKE_NUMBER = /^[-+]?(?:\.?\d[\w.+-]*|\.(?:inf|nan))$/i

/**
 * The value of a scalar without quotes, by the core schema (YAML 1.2.2, section 10.3.2): `1` is a number, `no` a text.
 *
 * @returns undefined for a number that is not written as it is printed, such as `1.0`, and for what only looks like one
 */
export function toCoreScalar(text: string): string | number | boolean | null | undefined {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (!LIKE_NUMBER.test(text)) return text
  const number = Number(text)
  return NUMBER.test(text) && String(number) === text ? number : undefined
}
