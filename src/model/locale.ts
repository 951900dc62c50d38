/** A canonical BCP 47 tag, such as `en` or `zh-Hant-TW`. */
export type Locale = string

/** Long enough for every registered tag; longer ones are not parsed (RFC 5646, section 4.4.1). */
const MAX_TAG_LENGTH = 64

/**
 * Canonical tags by themselves, since every label has the same few. The first that come are kept, in texts of their own:
 * a piece of a text would keep the whole of it.
 */
const CANONICAL = new Map<string, Locale>()
const MAX_CANONICAL = 200

/** The canonical form of a tag in any case, `_` accepted for `-`; null when it is not a BCP 47 tag. */
export function toLocale(tag: string): Locale | null {
  const known = CANONICAL.get(tag)
  if (known !== undefined) return known
  if (tag === '' || tag.length > MAX_TAG_LENGTH) return null
  try {
    const [locale = null] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'))
    if (locale === tag && CANONICAL.size < MAX_CANONICAL) CANONICAL.set(locale, locale)
    return locale
  } catch {
    return null
  }
}

/** The tag itself and then its parents, nearest first: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, section 3.4). */
export function parentsOf(locale: Locale): Locale[] {
  const subtags = locale.split('-')
  const found: Locale[] = []
  while (subtags.length > 0) {
    found.push(subtags.join('-'))
    subtags.pop()
    // A singleton such as `x` or `u` never ends a tag: it goes with what it introduced.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
  return found
}

/** RFC 4647 lookup: the first of the tag and its parents that is among `locales`, else null. */
export function lookUpLocale(tag: string, locales: readonly Locale[]): Locale | null {
  const locale = toLocale(tag)
  if (locale === null || locales.includes(locale)) return locale
  return parentsOf(locale).find((candidate) => locales.includes(candidate)) ?? null
}

/** What one deployment speaks: canonical tags in the order of preference, and the one to fall back to. */
export interface Locales {
  readonly locales: readonly Locale[]
  readonly defaultLocale: Locale
}

/**
 * Where the text of a label is looked for, in order: the effective locale, its parents, the default locale, the
 * configured locales. A label that has none of them gives any text it has.
 */
export function labelChain(effective: Locale, { locales, defaultLocale }: Locales): readonly Locale[] {
  return [...new Set([...parentsOf(effective), defaultLocale, ...locales])]
}
