import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { type Locale, type Locales, lookUpLocale } from '../model/locale.js'

/** A visitor chooses the header: so many are remembered, and of a longer one nothing is. */
const MAX_KEPT = 500
const MAX_LENGTH = 500
/** So many of its tags are looked at, the preferred ones first. */
const MAX_TAGS = 50

/** The locale for an Accept-Language header (RFC 9110, section 12.5.4; lookup as in RFC 4647, section 3.4). */
export type LanguageNegotiator = (header: string | undefined) => Locale

export function createLanguageNegotiator({ locales, defaultLocale }: Locales): LanguageNegotiator {
  const kept = new LRUCache<string, Locale>({ max: MAX_KEPT })
  return (header) => {
    if (header === undefined) return defaultLocale
    if (header.length > MAX_LENGTH) return negotiate(header, locales) ?? defaultLocale
    const known = kept.get(header)
    if (known !== undefined) return known
    const locale = negotiate(header, locales) ?? defaultLocale
    kept.set(header, locale)
    return locale
  }
}

/** The first of the configured locales that a header asks for; null when it asks for none of them. */
export function negotiate(header: string, locales: readonly Locale[]): Locale | null {
  // Negotiator 1.0.0 takes no blank before a weight, and RFC 9110, section 12.4.2, allows it.
  const written = header.replace(/;\s*q\s*=\s*/gi, ';q=')
  const preferred = new Negotiator({ headers: { 'accept-language': written } }).languages()
  for (const tag of preferred.slice(0, MAX_TAGS)) {
    const locale = lookUpLocale(tag, locales)
    if (locale !== null) return locale
  }
  return null
}
