import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Options } from '../../../src/config/options.js'
import { type Asked, explainItems, itemOf } from './explaining.js'

// Section 4 of the contract: why which language answers, and where the text of each label is from.

const LANGUAGES: Partial<Options> = { locales: ['fr', 'en', 'es', 'pt-BR'], default_locale: 'es' }

function localeOf(asked: Asked) {
  return explainItems([], { options: LANGUAGES, ...asked }).locale
}

/** What a client names as `_locale`, the effective locale, and what is said of it. */
const NAMED: readonly (readonly [asked: string, effective: string, said: RegExp])[] = [
  ['en', 'en', /as requested/],
  ['PT_br', 'pt-BR', /as requested/],
  ['es-MX', 'es', /es-MX.* es is the closest/],
  ['en-GB-oxendict', 'en', /en is the closest/],
  ['de', 'es', /de .*none of the locales fr, en, es, pt-BR.*default locale/],
  ['pt', 'es', /none of the locales.*default locale/],
  ['not a tag!', 'es', /none of the locales.*default locale/],
  ['__proto__', 'es', /none of the locales.*default locale/],
]

for (const [asked, effective, said] of NAMED) {
  test(`_locale ${asked} answers in ${effective}, and the explanation shows why`, () => {
    const locale = localeOf({ locale: asked })
    assert.equal([locale.asked, locale.effective], [asked, effective])
    assert.match(locale.why, said)
  })
}

test('Without a locale the default one answers, as the explanation shows', () => {
  const locale = localeOf({})
  assert.equal([locale.asked, locale.effective], [null, 'es'])
  assert.match(locale.why, /none was requested.*default locale/)
})

test('A locale of Accept-Language is explained with the header', () => {
  const headers = { 'accept-language': 'de, en-GB;q=0.8' }
  const locale = localeOf({ headers })
  assert.equal([locale.asked, locale.effective], [null, 'en'])
  assert.match(locale.why, 'Accept-Language: de, en-GB;q=0.8')
  assert.not.match(locale.why, 'default')
})

test('An Accept-Language with none of our locales is explained by the default locale', () => {
  const { effective, why } = localeOf({ headers: { 'accept-language': 'de, it;q=0.5' } })
  assert.is(effective, 'es')
  assert.match(why, /Accept-Language: de, it;q=0\.5.*default locale/)
})

test('A requested locale takes precedence over Accept-Language and the hook', () => {
  const policies = { resolveLocale: () => 'fr' }
  const { effective, why } = localeOf({ locale: 'en', headers: { 'accept-language': 'fr' }, policies })
  assert.is(effective, 'en')
  assert.match(why, 'as requested')
})

test('A locale of the hook resolveLocale is explained with the hook, and takes precedence over Accept-Language', () => {
  const policies = { resolveLocale: () => 'EN_us' }
  const { effective, why } = localeOf({ headers: { 'accept-language': 'fr' }, policies })
  assert.is(effective, 'en')
  assert.match(why, 'resolveLocale')
  assert.not.match(why, 'Accept-Language')
})

/** What a hook may do that gives no locale of ours. */
const NO_LOCALE: Readonly<Record<string, () => string>> = {
  'names none of ours': () => 'de',
  'names no language': () => 'tlh!',
  throws: () => {
    throw new Error('a secret')
  },
  'answers nothing': () => undefined as unknown as string,
}

for (const [rule, resolveLocale] of Object.entries(NO_LOCALE)) {
  test(`Where the hook resolveLocale ${rule}, the explanation shows that the default locale answers`, () => {
    const { effective, why } = localeOf({ policies: { resolveLocale } })
    assert.is(effective, 'es')
    assert.match(why, 'resolveLocale')
    assert.match(why, /default locale/)
  })
}

/** A label, the text and the locale that it gives for pt-BR, and what is said of it. */
const LABELS: readonly (readonly [label: string, text: string, from: string | null, said: RegExp])[] = [
  ['Plain', 'Plain', null, /one text for every locale/],
  ['{ es: S, pt: P, pt-BR: B }', 'B', 'pt-BR', /the effective locale/],
  ['{ es: S, pt: P, de: D }', 'P', 'pt', /parent of pt-BR/],
  ['{ en: E, es: S, fr: F }', 'S', 'es', /the default locale.*no text in pt-BR/],
  ['{ de: D, en: E, fr: F }', 'F', 'fr', /the first of the locales.*no text in pt-BR/],
  ['{ de: D, en: E }', 'E', 'en', /the first of the locales/],
  ['{ de: D, it: I }', 'D', 'de', /none in any of the locales/],
  ['{ pt-BR: "", es: S }', 'S', 'es', /the default locale/],
  ['{ pt-BR: null, pt: "  ", en: E }', 'E', 'en', /the first of the locales/],
]

for (const [label, text, from, said] of LABELS) {
  test(`The label ${label} gives ${text} in pt-BR, and the explanation shows from which locale`, () => {
    const explanation = explainItems([`{ url: /, label: ${label} }`], { options: LANGUAGES, locale: 'pt-BR' })
    const told = itemOf(explanation, text).label
    assert.is(told.locale, from)
    assert.match(told.why, said)
    if (from !== null) assert.match(told.why, from)
  })
}

test('Any text is explained as one of several where there are several', () => {
  const items = ['{ url: /, label: { de: D, it: I } }']
  assert.not.match(itemOf(explainItems(items, { options: LANGUAGES }), 'D').label.why, 'the only text')
})

test('The label of an item that is not shown is explained as well, and a divider has none', () => {
  const items = ['{ url: /, label: { es: S }, hidden: true }', '{ type: divider }']
  const explanation = explainItems(items, { options: LANGUAGES })
  assert.is(itemOf(explanation, 'S').label.locale, 'es')
  const divider = itemOf(explanation, '')
  assert.equal([divider.itemType, divider.label.locale], ['divider', null])
  assert.match(divider.label.why, 'divider')
})

test('A text is explained as written: data, not markup', () => {
  const explanation = explainItems([`{ url: /, label: '<b> & {{7*7}}' }`])
  assert.is(itemOf(explanation, '<b> & {{7*7}}').label.text, '<b> & {{7*7}}')
})

test.run()
