/** Strings, and what separates keys from values. Strings are closed in valid JSON; other text takes one pass as well. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}:]/g

/**
 * Where a text that is JSON has a key for the second time in one object, in characters; null where no key is repeated. `JSON.parse`
 * keeps the last value and says nothing, and files with such a key are refused. One pass.
 */
export function repeatedKeyAt(json: string): number | null {
  const open: Set<unknown>[] = []
  let string = { text: '', at: 0 }
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (token !== ':') string = { text: token, at: index }
    else {
      const keys = open.at(-1)
      const key: unknown = JSON.parse(string.text)
      if (keys?.has(key) === true) return string.at
      keys?.add(key)
    }
  }
  return null
}

/** Where a text holds too much, in characters, and of what. */
export interface Surplus {
  readonly of: 'levels' | 'values'
  readonly at: number
}

/**
 * Where a text that may be JSON nests too deep or has too many values; null where it does neither. What recurses over it would
 * run out of stack. One loop: a pattern that takes long strings would run out of stack as well.
 */
export function findSurplus(
  text: string,
  { levels, values = Number.POSITIVE_INFINITY }: { readonly levels: number; readonly values?: number },
): Surplus | null {
  let [depth, count] = [0, 1]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') while (++at < text.length && text[at] !== '"') at += text[at] === '\\' ? 1 : 0
    if (sign === '[' || sign === '{') depth++
    if (sign === ']' || sign === '}') depth--
    if (sign === '[' || sign === '{' || sign === ',') count++
    if (depth > levels) return { of: 'levels', at }
    if (count > values) return { of: 'values', at }
  }
  return null
}
