/** A text from bytes, or the offset of the first byte that is not UTF-8. */
export type Decoded =
  | { readonly text: string; readonly badByte: null }
  | { readonly text: null; readonly badByte: number }

const BOM = '\ufeff'

/** Decodes UTF-8 strictly (WHATWG Encoding, fatal mode); a byte order mark is left out. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { text: text.startsWith(BOM) ? text.slice(1) : text, badByte: null }
  } catch {
    return { text: null, badByte: firstBadByte(bytes) }
  }
}

/** Bisects to the longest prefix that is the beginning of some UTF-8 text. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (isPrefixOfUtf8(bytes.subarray(0, middle))) good = middle
    else bad = middle
  }
  return Math.min(good, Math.max(0, bytes.length - 1))
}

function isPrefixOfUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
