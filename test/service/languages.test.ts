import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Locales } from '../../src/model/locale.js'
import { createHookCalls } from '../../src/service/hook-calls.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createLocaleOf } from '../../src/service/request-locale.js'
import { sized } from '../support/figures.js'
import { acceptLanguages, SITE } from './arbitraries.js'
import { localeOf } from './oracle.js'
import { settingsOf } from './services.js'

const LOCALES = { locales: ['en', 'es', 'zh-Hant'], defaultLocale: 'es' }
const negotiate = negotiatorOf(LOCALES)

/** The locale of a request that says nothing but this header. */
function negotiatorOf({ locales, defaultLocale }: Locales): (header: string | undefined) => string {
  const settings = settingsOf({ locales, default_locale: defaultLocale })
  const localeOf = createLocaleOf(settings, createHookCalls({}, SILENT_LOG))
  return (header) => localeOf({ headers: { 'accept-language': header } }, null).locale
}

test('Random Accept-Language headers give the locale of RFC 9110 and RFC 4647', () => {
  const ofSite = negotiatorOf(SITE)
  const question = { code: '', locale: null, sets: [], permissions: [] }
  fc.assert(
    fc.property(acceptLanguages, (header) => {
      assert.is(ofSite(header), localeOf(SITE, { ...question, acceptLanguage: header }), header)
    }),
    { numRuns: sized(300, 3_000) },
  )
})

test('The heaviest range that we speak wins, in any case, cut at its end until it is one of ours', () => {
  assert.is(negotiate('fr, en;q=0.5, es;q=0.4'), 'en')
  assert.is(negotiate('EN-gb-x-y'), 'en')
  assert.is(negotiate('zh-Hant-TW, en;q=0.9'), 'zh-Hant')
})

test('A blank before a weight does not void it', () => {
  assert.is(negotiate('en; q=0.1, es ; Q=0.9'), 'es')
})

test('A range of weight 0 is not taken', () => {
  assert.is(negotiate('en;q=0, es;q=0.1'), 'es')
})

test('Without a header, with any language welcome or with none of ours, the default locale answers', () => {
  for (const header of [undefined, '', '*', 'fr', 'zh', 'en;q=0', ';;,,', '__proto__', 'e'.repeat(9_000)])
    assert.is(negotiate(header), 'es', header)
})

test('A header of more than 500 characters counts like a short one', () => {
  const others = Array.from({ length: 200 }, (_, place) => `fr-x-a${place};q=0.1`).join(', ')
  for (let time = 0; time < 2; time++) {
    assert.is(negotiate(`en-GB, ${others}`), 'en')
    assert.is(negotiate(`${others}, zh-Hant;q=0.5`), 'zh-Hant')
  }
})

test.run()
