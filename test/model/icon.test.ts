import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { iconLibrary, toClientIcon } from '../../src/model/icon.js'

const PREFIXES = new Map([
  ['bootstrap-icons', 'bi'],
  ['bi', 'wrong'],
  ['none', ''],
])

const ICONS: readonly [written: string | null, sent: string | null][] = [
  ['bootstrap-icons:house', 'bi:house'],
  ['bi:house', 'wrong:house'],
  ['mdi:home', 'mdi:home'],
  ['house', 'house'],
  ['bootstrap-icons', 'bootstrap-icons'],
  ['bootstrap-icons:a:b', 'bi:a:b'],
  ['x:bootstrap-icons:a', 'x:bootstrap-icons:a'],
  ['Bootstrap-Icons:house', 'Bootstrap-Icons:house'],
  ['none:house', ':house'],
  ['__proto__:house', '__proto__:house'],
  [null, null],
]

for (const [written, sent] of ICONS) {
  test(`The icon ${written} reaches clients as ${sent}`, () =>
    assert.is(toClientIcon(written, PREFIXES), sent))
}

test('Without a map every icon stays as written', () => {
  for (const [written] of ICONS) assert.is(toClientIcon(written, new Map()), written)
})

test('The library of an icon is the part before its first colon', () => {
  assert.is(iconLibrary('bootstrap-icons:house:fill'), 'bootstrap-icons')
  assert.is(iconLibrary('house'), null)
})

test.run()
