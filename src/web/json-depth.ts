/**
 * Where a text that may be JSON nests deeper than a number of levels, in characters; null where it does not. What recurses over
 * it would run out of stack. One loop: a pattern that takes long strings would run out of stack as well.
 */
export function tooDeepAt(text: string, levels: number): number | null {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') while (++at < text.length && text[at] !== '"') at += text[at] === '\\' ? 1 : 0
    if (sign === '[' || sign === '{') depth++
    if (sign === ']' || sign === '}') depth--
    if (depth > levels) return at
  }
  return null
}
