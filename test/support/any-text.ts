import fc from 'fast-check'

const BEFORE_SURROGATES = 0xd800
const SURROGATES = 0x800
const CODE_POINTS = 0x110000

/** What texts are made of: letters and signs of ASCII, what a person counts as one sign, and any code point. */
const units: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((point) => String.fromCodePoint(point)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('ä', 'a\u0308', 'ß', '—', '中', 'ن', '\u{1f600}', '👩‍💻', '🇪🇸', '\u{1d4b3}'),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: CODE_POINTS - SURROGATES - 1 }).map(toSign) },
)

/**
 * Any text without halves of surrogate pairs. `maxLength` counts units. fast-check's own `grapheme` and `binary` take
 * 1.2 s of processor to set up, in each process that names them.
 */
export function anyText(options: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...options, unit: units })
}

/** The code points before and behind the surrogates, counted without a gap. */
function toSign(place: number): string {
  return String.fromCodePoint(place < BEFORE_SURROGATES ? place : place + SURROGATES)
}
