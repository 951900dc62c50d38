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

/** The place of the first replacement character that is not in the bytes themselves. */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0
  for (const character of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    const isWritten = REPLACEMENT.every((byte, place) => bytes[at + place] === byte)
    if (character === '\ufffd' && !isWritten) return at
    const code = character.codePointAt(0) ?? 0
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return at
}

const REPLACEMENT = [0xef, 0xbf, 0xbd]
