import type { Locale } from '../model/locale.js'
import { createLanguageNegotiator } from './accept-language.js'
import type { AskedHooks } from './ask-hooks.js'
import type { MenuRequest, Policies } from './hooks.js'
import type { Settings } from './settings.js'

/** What decided the locale: what was asked for, the hook, the host (`request.locale`) or Accept-Language. */
export type LocaleSource = 'asked' | 'hook' | 'host' | 'header'

export interface RequestLocale {
  readonly locale: Locale
  readonly source: LocaleSource
}

export interface RequestLocaleDeps {
  readonly settings: Settings
  readonly policies: Policies
  readonly hooks: AskedHooks
  readonly toEffectiveLocale: (tag: string) => Locale
}

/** The locale of a request that asks for none: by the hook, else what the host has put on the request, else Accept-Language. */
export function createRequestLocale(deps: RequestLocaleDeps): (request: MenuRequest) => RequestLocale {
  const { settings, policies, hooks, toEffectiveLocale } = deps
  const negotiate = createLanguageNegotiator(settings.locales)
  return (request) => {
    if (policies.resolveLocale !== undefined)
      return { locale: toEffectiveLocale(hooks.locale(request) ?? ''), source: 'hook' }
    const tag = hostLocaleOf(request)
    if (tag !== null) return { locale: toEffectiveLocale(tag), source: 'host' }
    const header = request.headers['accept-language']
    return { locale: negotiate(typeof header === 'string' ? header : undefined), source: 'header' }
  }
}

/** The tag that the host has put on a request; null where there is none. */
export function hostLocaleOf({ locale }: MenuRequest): string | null {
  return typeof locale === 'string' && locale !== '' ? locale : null
}
