import { type Locale, toLocale } from './locale.js'

/** English names of languages by their codes; those that have none are absent. */
const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Whether the language of a tag may be one. The codes of two letters are all known (ISO 639-1), and none of five or more
 * was ever registered (RFC 5646, section 2.2.1); of the thousands of three letters, Unicode names only some.
 */
export function isLanguage(locale: Locale): boolean {
  const [language = ''] = locale.split('-')
  const isJudged = language.length === 2 || language.length > 4
  return !isJudged || languages.of(language) !== undefined
}

/** The code that was probably meant by a tag whose language is none: `jp` is where `ja` is spoken, `sp` begins `Spanish`; else null. */
export function toLanguage(locale: Locale): Locale | null {
  const [word = ''] = locale.toLowerCase().split('-')
  // ZZ is the region that is unknown.
  if (word.length === 2 && word !== 'zz' && regions.of(word.toUpperCase()) !== undefined) {
    return new Intl.Locale(`und-${word}`).maximize().language
  }
  const found = allLanguages().filter(([, name]) => name.startsWith(word))
  const [code = null] = found.find(([, name]) => name === word) ?? found[0] ?? []
  return code
}

/** The codes of two letters with their English names. */
function allLanguages(): readonly (readonly [code: Locale, name: string])[] {
  const codes = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second))
  return codes.flatMap((code) => {
    const name = toLocale(code) === code ? languages.of(code) : undefined
    return name === undefined ? [] : [[code, name.toLowerCase()] as const]
  })
}
