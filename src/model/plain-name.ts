/** A technical name as people would write it: `partnerId` is `Partner ID`, and `max_price` is `Max price`. */
export function toPlainName(name: string): string {
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[\s_-]+/)
  const plain = words.map((word) => (/^id$/i.test(word) ? 'ID' : word.replace(/^\p{Lu}(?=\p{Ll})/u, toLower)))
  return (
    plain
      .join(' ')
      .trim()
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) || name
  )
}

const toLower = (letter: string): string => letter.toLowerCase()

const PLACE_OF_LOCALE = /\/:_locale\??(?=\/|$)/

/** A pattern of a route as editors read it: `/:_locale/rooms/:room?` is `/rooms/…`, as the language is not theirs to fill. */
export function toPlainPattern(pattern: string): string {
  return pattern.replace(PLACE_OF_LOCALE, '').replace(/:[^/?.]+\??/g, '…') || '/'
}
