const names = new Map<string, Intl.DisplayNames>()

/** What a locale is called in the language of a page, such as `Mexican Spanish`; empty where it has no name there. */
export function localeName(lang: string, locale: string): string {
  const known = names.get(lang) ?? new Intl.DisplayNames(lang, { type: 'language', fallback: 'none' })
  names.set(lang, known)
  try {
    return known.of(locale) ?? ''
  } catch {
    // A label may have any key.
    return ''
  }
}

/** Languages in a sentence: `German and Arabic`. */
export function toLanguageNames(locales: readonly string[], lang: string): string {
  return new Intl.ListFormat(lang).format(locales.map((each) => localeName(lang, each) || each))
}
