import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toLabelText } from '../../src/model/label.js'
import { labelChain, lookUpLocale, toLocale } from '../../src/model/locale.js'
import { sized } from '../support/figures.js'
import { RUNS } from './arbitraries.js'
import { labelText, lookUp } from './oracle.js'

const LOOKUPS: readonly [tag: string, locales: readonly string[], found: string | null][] = [
  ['es', ['en', 'es'], 'es'],
  ['es-MX', ['en', 'es'], 'es'],
  ['es-MX', ['es', 'es-MX'], 'es-MX'],
  ['ES_mx', ['en', 'es-MX'], 'es-MX'],
  ['EN', ['en'], 'en'],
  ['zh_hant_tw', ['zh-Hant', 'zh'], 'zh-Hant'],
  ['zh-TW', ['zh-Hant'], null],
  ['es', ['es-MX'], null],
  ['fr', ['en', 'es'], null],
  ['iw', ['he'], 'he'],
  ['en-x-private', ['en'], 'en'],
  ['de-CH-u-co-phonebk', ['de', 'de-CH'], 'de-CH'],
  ['', ['en'], null],
  ['*', ['en'], null],
  ['not a tag', ['en'], null],
  ['en-', ['en'], null],
  ['e', ['en'], null],
  ['toString', ['en'], null],
  [`en-${'a'.repeat(10_000)}`, ['en'], null],
]

for (const [tag, locales, found] of LOOKUPS) {
  test(`${tag.slice(0, 30) || 'No tag'} among ${locales.join(', ')} is ${found ?? 'none'}`, () => {
    assert.is(lookUpLocale(tag, locales), found)
  })
}

test('The canonical form of a tag has the usual case and hyphens', () => {
  assert.is(toLocale('ZH_HANT_tw'), 'zh-Hant-TW')
  assert.is(toLocale('nope!'), null)
})

/** Tags that have no other canonical form but for their case. */
const tags: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('en', 'es', 'zh', 'de'),
    fc.constantFrom('', '-Hant', '-Latn'),
    fc.constantFrom('', '-MX', '-TW', '-419'),
    fc.constantFrom('', '-x-a', '-x-a-b'),
  )
  .map((parts) => parts.join(''))

/** The same tag as somebody may type it. */
const typed: fc.Arbitrary<string> = fc
  .tuple(tags, fc.constantFrom('lower', 'upper', 'as is'), fc.boolean())
  .map(([tag, letters, underscore]) => {
    const cased = letters === 'lower' ? tag.toLowerCase() : letters === 'upper' ? tag.toUpperCase() : tag
    return underscore ? cased.replaceAll('-', '_') : cased
  })

test('Lookup follows RFC 4647 for any tag and any locales', () => {
  const law = fc.property(typed, fc.uniqueArray(tags, { maxLength: 6 }), (tag, locales) => {
    assert.is(lookUpLocale(tag, locales), lookUp(tag, locales))
  })
  fc.assert(law, { ...RUNS, numRuns: sized(700, 7_000) })
})

const CONFIGURED = { locales: ['fr', 'en', 'de'], defaultLocale: 'en' }
const FALLBACKS: readonly [label: Record<string, string>, effective: string, text: string][] = [
  [{ es: 'Panel', 'es-MX': 'Tablero', en: 'Dashboard' }, 'es-MX', 'Tablero'],
  [{ es: 'Panel', en: 'Dashboard' }, 'es-MX', 'Panel'],
  [{ fr: 'Tableau', en: 'Dashboard' }, 'es-MX', 'Dashboard'],
  [{ de: 'Übersicht', fr: 'Tableau' }, 'es-MX', 'Tableau'],
  [{ ja: 'ダッシュボード' }, 'es-MX', 'ダッシュボード'],
  [{ 'es-MX': 'Tablero', ja: 'ダッシュボード' }, 'es', 'Tablero'],
]

for (const [label, effective, text] of FALLBACKS) {
  test(`${JSON.stringify(label)} in ${effective} reads ${text}`, () => {
    assert.is(toLabelText(label, labelChain(effective, CONFIGURED)).text, text)
  })
}

test('One text is the same for every locale, and comes from none', () => {
  const found = toLabelText('<b>Menuscript</b>', labelChain('es', CONFIGURED))
  assert.equal(found, { text: '<b>Menuscript</b>', locale: null })
})

test('A label follows the contract for any texts, locale and configuration, and knows its source', () => {
  const labels = fc
    .uniqueArray(tags, { minLength: 1, maxLength: 6 })
    .map((keys) => Object.fromEntries(keys.map((key) => [key, `in ${key}`])))
  const configured = fc.uniqueArray(tags, { minLength: 1, maxLength: 5 })
  const law = fc.property(labels, tags, configured, fc.nat(), (label, effective, locales, nth) => {
    const defaultLocale = locales[nth % locales.length] ?? 'en'
    const found = toLabelText(label, labelChain(effective, { locales, defaultLocale }))
    assert.is(found.text, labelText(label, effective, defaultLocale, locales))
    assert.is(found.text, `in ${found.locale}`)
  })
  fc.assert(law, { ...RUNS, numRuns: sized(700, 7_000) })
})

test.run()
