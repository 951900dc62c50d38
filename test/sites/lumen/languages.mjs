/** The languages of Lumen's sites, each named in itself. */
export const LANGUAGES = [
  { code: 'en', name: 'English', dir: 'ltr' },
  { code: 'es', name: 'Español', dir: 'ltr' },
  { code: 'de', name: 'Deutsch', dir: 'ltr' },
  { code: 'ar', name: 'العربية', dir: 'rtl' },
]

export const LOCALES = LANGUAGES.map(({ code }) => code)

/** The language that an address begins with: `es` of `/es/lamps`; null when it begins with none. */
export function localeOfPath(path) {
  const [, first] = path.split(/[/?#]/)
  return LOCALES.includes(first) ? first : null
}

/** The same address in each language, for switching. */
export function toLanguageLinks(target, locale) {
  return LANGUAGES.map((language) => ({
    ...language,
    href: target.replace(/^\/[^/?#]+/, `/${language.code}`),
    isCurrent: language.code === locale,
  }))
}

/** The texts of one language, out of texts that stand beside their translations. */
export function inLanguage(texts, locale) {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text[locale] ?? text.en]))
}
