/** Length of `%41`. */
const ENCODED = 3

/** The least and the greatest second byte behind some first ones (RFC 3629, section 4). */
const SECOND: ReadonlyMap<number, readonly [least: number, most: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])
const FOLLOWING = [0x80, 0xbf] as const

/**
 * The offset of the first `%` that does not begin a percent-encoded character of UTF-8; null where there is none, and
 * `decodeURIComponent` takes the text. One pass: an error that is thrown costs as much as a thousand characters.
 */
export function malformedPercentAt(text: string): number | null {
  let at = text.indexOf('%')
  while (at !== -1) {
    const bytes = bytesOfCharacter(text, at)
    if (bytes === 0) return at
    at = text.indexOf('%', at + bytes * ENCODED)
  }
  return null
}

/** The byte that `%41` at an offset stands for; -1 where there is no such thing. */
export function encodedByteAt(text: string, at: number): number {
  if (text[at] !== '%') return -1
  const high = hexDigit(text.charCodeAt(at + 1))
  const low = hexDigit(text.charCodeAt(at + 2))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

/** How many bytes the character at an offset has; 0 where it is none. */
function bytesOfCharacter(text: string, at: number): number {
  const first = encodedByteAt(text, at)
  if (first < 0x80) return first === -1 ? 0 : 1
  if (first < 0xc2 || first > 0xf4) return 0
  const bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let place = 1; place < bytes; place++) {
    const [least, most] = (place === 1 ? SECOND.get(first) : undefined) ?? FOLLOWING
    const byte = encodedByteAt(text, at + place * ENCODED)
    if (byte < least || byte > most) return 0
  }
  return bytes
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
