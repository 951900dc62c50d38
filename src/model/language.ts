import type { Locale } from './locale.js'

/**
 * The codes of two letters (ISO 639-1), each in its canonical form. They are written out because the first question to
 * `Intl.DisplayNames` takes as long as all the rest of a short command.
 */
const CODES: ReadonlySet<string> = new Set(
  `
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik
    io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml
    mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd
    se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt tw ty ug uk ur uz ve vi vo
    wa wo xh yi yo za zh zu
  `
    .trim()
    .split(/\s+/),
)

/**
 * Whether the language of a tag may be one. The codes of two letters are all known (ISO 639-1), and none of five or more
 * was ever registered (RFC 5646, section 2.2.1); of the thousands of three letters, Unicode names only some.
 */
export function isLanguage(locale: Locale): boolean {
  const [language = ''] = locale.split('-')
  return language.length === 2 ? CODES.has(language) : language.length < 5
}

/** The code probably meant by a tag with an unknown language: `jp` is where `ja` is spoken, `sp` begins `Spanish`; else null. */
export function toLanguage(locale: Locale): Locale | null {
  const [word = ''] = locale.toLowerCase().split('-')
  // ZZ is the region that is unknown.
  const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  if (word.length === 2 && word !== 'zz' && regions.of(word.toUpperCase()) !== undefined) {
    return new Intl.Locale(`und-${word}`).maximize().language
  }
  const found = namedLanguages().filter(([, name]) => name.startsWith(word))
  const [code = null] = found.find(([, name]) => name === word) ?? found[0] ?? []
  return code
}

/** The codes of two letters with their English names. */
function namedLanguages(): readonly (readonly [code: Locale, name: string])[] {
  const languages = new Intl.DisplayNames(['en'], { type: 'language' })
  return [...CODES].map((code) => [code, languages.of(code)?.toLowerCase() ?? ''])
}
