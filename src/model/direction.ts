const POP = '\u202c'
const POP_ISOLATE = '\u2069'

/**
 * A text that ends every direction that it begins (UAX #9), such as a right-to-left override: in a sentence, the words after
 * it read as they are written.
 */
export function toClosed(text: string): string {
  const open: string[] = []
  for (const [mark] of text.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)) {
    if (mark === POP_ISOLATE) open.length = open.includes(mark) ? open.lastIndexOf(mark) : open.length
    else if (mark !== POP) open.push(mark < '\u2066' ? POP : POP_ISOLATE)
    else if (open.at(-1) === mark) open.pop()
  }
  return text + open.reverse().join('')
}

/** The scripts in use that are written from right to left (Unicode CLDR, scriptMetadata). */
const RIGHT_TO_LEFT = 'Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa'

/** The direction of texts in a locale. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    const { script = '' } = new Intl.Locale(locale).maximize()
    return script !== '' && RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr'
  } catch {
    // A label may have any key.
    return 'ltr'
  }
}
