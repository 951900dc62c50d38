import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLanguage, toLanguage } from '../../src/model/language.js'
import { toLocale } from '../../src/model/locale.js'

test('Codes of ISO 639 are languages, with any script and region; codes of three letters may be', () => {
  for (const tag of 'en es pt-BR zh-Hant-TW iw he nb gsw yue aaa br se uk x-ours en-XA sr-Latn'.split(' ')) {
    assert.ok(isLanguage(toLocale(tag) ?? ''), tag)
  }
})

test('The codes of two letters are those that Unicode names', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const canonical = codes.filter((code) => toLocale(code) === code)
  assert.equal(
    canonical.filter(isLanguage),
    canonical.filter((code) => names.of(code) !== undefined),
  )
})

test('A text written for an unknown language leads to the code that was meant', () => {
  const meant = {
    ...{ sp: 'es', jp: 'ja', cz: 'cs', gr: 'el', cn: 'zh', dk: 'da', ua: 'uk', us: 'en', gb: 'en' },
    ...{ english: 'en', spanish: 'es', German: 'de', 'jp-JP': 'ja', en_us: null, zz: null, klingons: null },
  }
  for (const [tag, code] of Object.entries(meant)) {
    const locale = toLocale(tag) ?? ''
    assert.is(isLanguage(locale), tag === 'en_us', tag)
    if (tag !== 'en_us') assert.is(toLanguage(locale), code, tag)
  }
})

test.run()
