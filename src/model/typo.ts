const SHORTEST = 4

/**
 * Whether two words are surely meant to be one: they differ in case, blanks, `_` and `-` only, or by one letter that is
 * missing, too many, another one or has changed places. Short words and numbers are what they are.
 */
export function isOneTypo(one: string, other: string): boolean {
  return isOneSlip(toFolded(one), toFolded(other))
}

/** The same of two folded words. */
export function isOneSlip(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.min(a.length, b.length) < SHORTEST || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  const room = Math.min(a.length, b.length) - start
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (/\d/.test(left + right)) return false
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** A word without what people vary when they write it. */
export function toFolded(word: string): string {
  return toComposed(word)
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
}

/** A text in a form shared by all lookalikes: letters composed (Unicode, UAX #15), and nothing invisible. */
export function toComposed(text: string): string {
  return text.normalize('NFC').replace(/\p{Cf}+/gu, '')
}
