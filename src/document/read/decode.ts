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

/** Bisects to the longest prefix that may begin some UTF-8 text, and leaves out a last character that is not whole. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (isUtf8(bytes.subarray(0, middle), { stream: true })) good = middle
    else bad = middle
  }
  while (good > 0 && !isUtf8(bytes.subarray(0, good), { stream: false })) good--
  return good
}

function isUtf8(bytes: Uint8Array, options: { readonly stream: boolean }): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, options)
    return true
  } catch {
    return false
  }
}
