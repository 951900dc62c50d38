import { readCookie, toCookie } from '../lumen/accounts.mjs'
import { inLanguage, LANGUAGES, LOCALES, localeOfPath, toLanguageLinks } from '../lumen/languages.mjs'
import { HOUSE_TEXTS } from '../lumen/texts.mjs'
import { SHOP_TEXTS } from './texts.mjs'

const TEXTS = { ...HOUSE_TEXTS, ...SHOP_TEXTS }

/** Tells all templates who asks, in which language, and which variants of the menus are meant for them. */
export function createVisitReader(sessions, now) {
  return (request, response, next) => {
    const user = sessions.userOf(request)
    const inAddress = localeOfPath(request.path)
    const locale = inAddress ?? chosenLanguage(request, user)
    // Whoever reads Spanish pages and then signs in goes on in Spanish.
    if (inAddress !== null && readCookie(request, 'language') !== locale) keepLanguage(response, locale)
    Object.assign(response.locals, {
      request,
      user,
      locale,
      dir: LANGUAGES.find(({ code }) => code === locale).dir,
      languages: toLanguageLinks(request.originalUrl, locale),
      isShop: inAddress !== null,
      text: inLanguage(TEXTS, locale),
      contexts: toContexts(user, now()),
    })
    next()
  }
}

export function keepLanguage(response, locale) {
  response.append('Set-Cookie', toCookie('language', locale))
}

/** Outside the shop the language is not in the address: the visitor's own choice, the account's, the browser's. */
function chosenLanguage(request, user) {
  const chosen = readCookie(request, 'language')
  if (LOCALES.includes(chosen)) return chosen
  return user?.language ?? (request.acceptsLanguages(LOCALES) || 'en')
}

/** The variants of each menu that a visitor would take, the best first; null is the menu for everybody. */
function toContexts(user, today) {
  const isWinter = today.getMonth() >= 10 || (today.getMonth() === 0 && today.getDate() <= 6)
  return {
    main: isWinter ? [{ season: 'winter' }, null] : null,
    account: user === null ? [{ signedIn: false }, null] : null,
    sidebar: toPartnerContexts(user),
  }
}

function toPartnerContexts(user) {
  if (user === null || user.partnerId === null) return null
  const { partnerId, role } = user
  return role === null ? [{ partnerId }, null] : [{ partnerId, role }, { partnerId }, null]
}
