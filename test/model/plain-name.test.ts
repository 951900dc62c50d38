import * as assert from 'uvu/assert'
import { toPlainName, toPlainPattern } from '../../src/model/plain-name.js'
import { test } from '../support/test.js'

test('A technical name is read as people would write it', () => {
  for (const [name, plain] of [
    ['partnerId', 'Partner ID'],
    ['signedIn', 'Signed in'],
    ['max_price', 'Max price'],
    ['led-candles', 'Led candles'],
    ['id', 'ID'],
    ['HTML', 'HTML'],
    ['Season', 'Season'],
    ['état', 'État'],
    ['شريك', 'شريك'],
    ['_', '_'],
    ['', ''],
  ] as const)
    assert.is(toPlainName(name), plain, name)
})

test('A pattern is read without the place of the language, and without the names of its parameters', () => {
  for (const [pattern, plain] of [
    ['/:_locale/rooms/:room?', '/rooms/…'],
    ['/:_locale?/new', '/new'],
    ['/:_locale', '/'],
    ['/:_localeOf/new', '/…/new'],
    ['/exports/:report.csv', '/exports/….csv'],
    ['/account', '/account'],
  ] as const)
    assert.is(toPlainPattern(pattern), plain, pattern)
})

test.run()
