/** The ways to percent-encode one character of UTF-8, by how many bytes it has (RFC 3629, section 4). */
const CHARACTERS: readonly RegExp[] = [
  /%[0-7][0-9a-f]/iy,
  /%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]/iy,
  /%e(?:0%[ab]|d%[89]|[1-9a-cef]%[89ab])[0-9a-f]%[89ab][0-9a-f]/iy,
  /%f(?:0%[9ab]|4%8|[1-3]%[89ab])[0-9a-f](?:%[89ab][0-9a-f]){2}/iy,
]

/**
 * The offset of the first `%` that does not begin a percent-encoded character of UTF-8; null where there is none, and
 * `decodeURIComponent` takes the text. One pass: an error that is thrown costs as much as a thousand characters.
 */
export function malformedPercentAt(text: string): number | null {
  let at = text.indexOf('%')
  while (at !== -1) {
    const start = at
    const character = CHARACTERS.find((pattern) => {
      pattern.lastIndex = start
      return pattern.test(text)
    })
    if (character === undefined) return at
    at = text.indexOf('%', character.lastIndex)
  }
  return null
}
