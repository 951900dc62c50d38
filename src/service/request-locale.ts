import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { type Locale, lookUpLocale } from '../model/locale.js'
import type { HookCalls } from './hook-calls.js'
import type { MenuRequest } from './hooks.js'
import type { Settings } from './settings.js'

/** What decided the locale: what was asked for, the hook, the host (`request.locale`) or Accept-Language. */
export type LocaleSource = 'asked' | 'hook' | 'host' | 'header'

export interface RequestLocale {
  /** The effective locale. */
  readonly locale: Locale
  readonly localeSource: LocaleSource
  /** The tag or the header that was looked up; null where there is none. */
  readonly localeSaid: string | null
}

/** The locale of a request; `asked` is the tag that its client named, null where it named none. */
export type LocaleOf = (request: MenuRequest, asked: Locale | null) => RequestLocale

/** A visitor chooses the header: this many are remembered, and of a longer one nothing is. */
const MAX_KEPT = 500
const MAX_LENGTH = 500
/** At most this many of its tags are considered, the preferred ones first. */
const MAX_TAGS = 50

/**
 * Decides the locale of each request: what its client asked for, else what the hook says, else what the host has put on the
 * request, else Accept-Language, else the default locale.
 */
export function createLocaleOf(
  { locales: { locales, defaultLocale } }: Settings,
  hooks: HookCalls,
): LocaleOf {
  const kept = new LRUCache<string, Locale>({ max: MAX_KEPT })
  const toLocale = (tag: string): Locale => lookUpLocale(tag, locales) ?? defaultLocale
  const negotiated = (header: string): Locale => {
    const known = kept.get(header)
    if (known !== undefined) return known
    const locale = negotiate(header, locales) ?? defaultLocale
    if (header.length <= MAX_LENGTH) kept.set(header, locale)
    return locale
  }
  return (request, asked) => {
    if (asked !== null) return { locale: asked, localeSource: 'asked', localeSaid: asked }
    if (hooks.policies.resolveLocale !== undefined) {
      const tag = hooks.locale(request)
      return { locale: toLocale(tag ?? ''), localeSource: 'hook', localeSaid: tag }
    }
    const tag = request.locale
    if (typeof tag === 'string' && tag !== '')
      return { locale: toLocale(tag), localeSource: 'host', localeSaid: tag }
    const header = request.headers['accept-language']
    if (typeof header !== 'string') return { locale: defaultLocale, localeSource: 'header', localeSaid: null }
    return { locale: negotiated(header), localeSource: 'header', localeSaid: header }
  }
}

/**
 * The first of the configured locales that an Accept-Language header asks for (RFC 9110, section 12.5.4; lookup as in RFC 4647,
 * section 3.4); null when it asks for none of them.
 */
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
