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
