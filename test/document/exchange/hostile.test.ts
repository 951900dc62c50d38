import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Note } from '../../../src/document/exchange/conversion.js'
import { exportMenu } from '../../../src/document/exchange/export.js'
import { valueAt } from '../../../src/model/json.js'
import { parsePointer } from '../../../src/model/pointer.js'
import { isError } from '../../../src/model/problem.js'
import { figure, sized } from '../../support/figures.js'
import { parse } from '../parsing.js'
import { imported, importedItems, onlyMenu, toLines } from './importing.js'

/** The only refusal of an import that gives no menu. */
function onlyRefusal(given: unknown, limits: object = {}): Note {
  const { menus, notes, refusals } = imported(given, limits)
  assert.equal([menus, refusals], [[], 1])
  const [refused, ...more] = notes.filter(({ kind }) => kind === 'refused')
  if (refused === undefined || more.length > 0) throw new Error(toLines(notes).join('\n'))
  return refused
}

/** Texts that are refused before anything of them is looked at, where, and in which words. */
const TEXTS: readonly (readonly [text: string, pointer: string, what: RegExp])[] = [
  ['', '', /not JSON at line 1, column 1/],
  ['{"menu": {},\n "items": [}', '', /not JSON at line 2, column 12/],
  ['[NaN]', '', /not JSON at line 1, column 2/],
  ['[1,]', '', /not JSON at line 1, column 4/],
  ['// x\n[]', '', /not JSON at line 1, column 1/],
  ['[] []', '', /not JSON at line 1, column 4/],
  ["{'menu': 1}", '', /not JSON at line 1, column 2/],
  ['[01]', '', /not JSON/],
  ['["\u0001"]', '', /not JSON/],
  ['{"menu": {"code": "a", "c\\u006fde": "b"}, "items": []}', '/menu/code', /"code" appears twice/],
  ['[{"__proto__": 1, "__proto__": 2}]', '/0/__proto__', /appears twice/],
  ['[{"a": [1e999]}]', '/0/a/0', /not finite/],
  ['[{"a": "\\ud800"}]', '/0/a', /half a character/],
  ['[{"\\udc00": 1}]', '/0', /half a character/],
  ['null', '', /A menu must be/],
  ['5', '', /A menu must be/],
  ['"menus"', '', /A menu must be/],
  ['{}', '', /A menu must be/],
  ['[]', '', /no menus/],
  ['{"menus": []}', '', /no menus/],
  ['{"menus": {}}', '', /A menu must be/],
  ['[[]]', '/0', /A menu must be/],
  ['[{"menu": [], "items": []}]', '/0', /A menu must be/],
  ['[{"menu": {"code": "a"}, "items": null}]', '/0', /A menu must be/],
  ['[{"menu": {"code": "a"}, "items": {}}]', '/0', /A menu must be/],
]

for (const [text, pointer, what] of TEXTS) {
  test(`${JSON.stringify(text)} is refused`, () => {
    const refused = onlyRefusal(text)
    assert.is(refused.pointer, pointer)
    assert.match(refused.what, what)
  })
}

test('A text that is not UTF-8 is refused, and a byte order mark is not', () => {
  assert.match(onlyRefusal(Buffer.from([0x5b, 0xff, 0x5d])).what, 'Byte 1 ')
  const text = '\ufeff[{"menu": {"code": "a", "name": "A"}, "items": []}]'
  assert.is(onlyMenu(imported(text)).menu.code, 'a')
})

test('Lists and maps nested 100,000 deep are refused with a place, wherever they are', () => {
  const deep = 100_000
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['{"children":[', ']}'],
  ] as const) {
    const text = `${open.repeat(deep)}1${close.repeat(deep)}`
    assert.match(onlyRefusal(text).what, /more than 75 deep at line 1, column \d+\.$/)
    assert.match(onlyRefusal(`[{"menu": {"x": ${text}}, "items": []}]`).what, 'deep')
    assert.match(onlyRefusal(open.repeat(deep)).what, 'deep')
  }
  assert.match(onlyRefusal(`["${'[\\"'.repeat(200)}"]`).what, 'A menu must be')
})

test('Items as deep as levels allows are read, and deeper ones are refused with the place', () => {
  const nested = (levels: number): object =>
    levels === 1 ? { label: 'x', routeName: 'a' } : { label: 'x', children: [nested(levels - 1)] }
  assert.is(onlyMenu(importedItems(nested(32))).menu.items.length, 1)
  const { notes } = importedItems(nested(33))
  const pointer = `/items/0${'/children/0'.repeat(32)}`
  assert.equal(toLines(notes.filter(({ kind }) => kind === 'refused')), [`refused ${pointer}`])
})

test('Keys such as __proto__ are keys like any other, and change nothing else', () => {
  const text = `{"menu": {"code": "a", "name": "A", "__proto__": {"name": "evil"}, "context": {"__proto__": 1}},
    "items": [{"label": "x", "routeName": "r", "routeParams": {"__proto__": "p"}, "constructor": 1, "toString": 2}]}`
  const { value, menu } = onlyMenu(imported(text))
  assert.is(JSON.stringify(menu.context), '{"__proto__":1}')
  assert.is(
    JSON.stringify((value['items'] as object[])[0]),
    '{"label":"x","routeName":"r","routeParams":{"__proto__":"p"},"x-constructor":1,"x-toString":2}',
  )
  assert.equal([value['x-__proto__'], value['name']], [{ name: 'evil' }, 'A'])
  assert.is(Object.getPrototypeOf(value), Object.prototype)
})

const ITEM = { label: 'x', routeName: 'a' }

test('Items, menus and bytes beyond the limits are refused with the place', () => {
  const items = (count: number): object[] => Array.from({ length: count }, () => ITEM)
  const menu = (code: string, count: number): object => ({ menu: { code, name: code }, items: items(count) })
  const one = onlyRefusal(menu('a', 2_001))
  assert.equal([one.pointer, one.what], ['/items/2000', 'The menu has 2001 items, and 2000 are allowed.'])
  const limits = { items: 12 }
  const most = Array.from({ length: 10 }, (_, place) => menu(`m${place}`, 12))
  assert.is(imported(most, limits).refusals, 0)
  const surplus = imported([...most, menu('e', 1)], limits)
  assert.equal([surplus.menus.length, toLines(surplus.notes)], [10, ['refused /10/items']])
  const many = Array.from({ length: 501 }, (_, place) => menu(`m${place}`, 0))
  assert.is(onlyRefusal(many).what, 'The JSON has 501 menus, and 500 are allowed.')
  assert.match(onlyRefusal(menu('a', 200), { bytes: 5_000 }).what, /^The file has \d+ bytes, and 5000/)
  assert.match(onlyRefusal(menu('a', 200), { bytes: 500 }).what, /^The JSON has \d+ bytes, and 5000/)
})

test('Ten megabytes of anything are refused in a moment', () => {
  const size = 10_000_000
  const row = `${JSON.stringify(ITEM)},`
  const long = 'x'.repeat(size)
  const texts = [
    '['.repeat(size),
    `"${long}`,
    `[${'{},'.repeat(size / 3)}{}]`,
    `{"menu": {"code": "a"}, "items": [${row.repeat(size / row.length)}${JSON.stringify(ITEM)}]}`,
    `[${'{"menu":{"code":"a"},"items":[]},'.repeat(size / 33)}{}]`,
    `{"menu": {${Array.from({ length: 600 }, (_, place) => `"k${place}":1`).join()}, "x": "${long}"}, "items": []}`,
    `{"menu": {"code": "a", "x": "${long}"}, "items": []}`,
    `{"menu": {"code": "a", "x": [${'1,'.repeat(size / 2)}1]}, "items": []}`,
  ]
  for (const text of texts) {
    for (const bytes of [1_048_576, 8_388_608]) {
      const started = performance.now()
      const { menus, refusals, notes } = imported(text, { bytes })
      assert.is(menus.length, 0)
      assert.ok(refusals > 0 && notes.length <= 1_000)
      figure(`10 MB of ${text.slice(0, 24)}`, `${Math.round(performance.now() - started)} ms`, '1 s')
    }
  }
})

test('The most that is read is read in a moment', () => {
  const items = Array.from({ length: 2_000 }, () => ITEM)
  const large = ['a', 'b', 'c', 'd'].map((code) => ({ menu: { code, name: code }, items }))
  const many = Array.from({ length: 500 }, (_, place) => ({
    menu: { code: `m${place}`, name: 'x' },
    items: [ITEM],
  }))
  const wide = { menu: { code: 'a', name: 'a', x: Array.from({ length: 190_000 }, () => 1) }, items: [] }
  for (const [name, payload] of Object.entries({ large, many, wide })) {
    const started = process.cpuUsage()
    assert.is(imported(payload).refusals, 0)
    const { user } = process.cpuUsage(started)
    figure(`the most that is read: ${name}`, `${Math.round(user / 1_000)} ms of processor`, '1 s')
  }
})

test('Notes are listed up to a limit and counted beyond it, and a refusal is never hidden by them', () => {
  const items = Array.from({ length: 700 }, () => ({ ...ITEM, badge: 1 }))
  const found = importedItems(...items, { ...ITEM, icon: '<b>' })
  assert.equal([found.notes.length, found.omitted, found.refusals], [501, 200, 1])
  assert.is(found.notes.at(-1)?.pointer, '/items/700/icon')
})

const FIELDS =
  'menu items menus code name context icon ulId classMenu depthLimit collapsible label translations itemType linkType routeName routeParams externalUrl permissionKeys permissionKey isUnanimous targetBlank position children base x-a __proto__'.split(
    ' ',
  )
const WORDS = [
  'link',
  'section',
  'divider',
  'service',
  'route',
  'external',
  '/x',
  'en',
  '',
  ' ',
  '1',
  'javascript:x',
]

/** Any JSON out of the words of the format, in any place. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, ...FIELDS, null, true, false, 0, 1, -1, 1.5, 1e300),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 6 }),
  ),
})).value

/** A sound answer has places that exist, texts without errors, and menus that an export and an import give back. */
function assertSound(json: string): void {
  const { menus, notes, refusals } = imported(json)
  const value: unknown = JSON.parse(json)
  assert.is(notes.filter(({ kind }) => kind === 'refused').length, refusals)
  for (const { pointer, what } of notes) {
    const steps = parsePointer(pointer)
    assert.ok(steps !== null && what !== '')
    const around = valueAt(value, steps.slice(0, -1))
    assert.ok(typeof around === 'object' || steps.length === 0, `${pointer} in ${json}`)
  }
  for (const { text, value: once } of menus) {
    const { problems, menu } = parse(Buffer.from(text))
    assert.equal([menu === null, problems.filter(isError)], [false, []])
    const exported = exportMenu(once, { locales: ['en', 'es', 'pt-BR'], defaultLocale: 'en' })
    assert.equal(exported.notes, [])
    const again = onlyMenu(imported(exported.block)).value
    if (!isDeepStrictEqual(again, once)) assert.equal(again, once)
  }
}

test('Any JSON gets a sound answer', () => {
  const blocks = fc.record({ menu: anything, items: fc.array(anything, { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.oneof(anything, blocks), (value) => assertSound(JSON.stringify(value))),
    { numRuns: sized(150, 20_000) },
  )
})

test('A menu with one value replaced by anything gets a sound answer', () => {
  const menu = {
    code: 'a',
    name: 'A',
    context: { a: 1 },
    icon: 'a',
    classMenu: 'b',
    depthLimit: 1,
    collapsible: true,
  }
  const item = {
    ...ITEM,
    translations: { en: 'y' },
    routeParams: { a: 1 },
    permissionKeys: ['p'],
    position: 1,
  }
  const block = { menu, items: [{ ...item, children: [item] }] }
  const spots = [
    ...Object.keys(menu).map((key) => ['menu', key]),
    ...FIELDS.flatMap((key) => [
      ['items', '0', key],
      ['items', '0', 'children', '0', key],
    ]),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...spots), anything, (spot, value) => {
      const copy = structuredClone(block)
      const around = valueAt(copy, spot.slice(0, -1)) as object
      Object.defineProperty(around, spot.at(-1) ?? '', { value, enumerable: true, configurable: true })
      assertSound(JSON.stringify(copy))
    }),
    { numRuns: sized(150, 20_000) },
  )
})

test('Bytes of any kind, and JSON cut off or changed anywhere, never throw', () => {
  const json = JSON.stringify([{ menu: { code: 'a', name: 'A' }, items: [ITEM, { ...ITEM, position: 0 }] }])
  for (let length = 0; length < json.length; length++) assert.is(imported(json.slice(0, length)).refusals, 1)
  const edit = fc.record({
    at: fc.nat(json.length),
    length: fc.nat(3),
    by: fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '1', 'null', '\\', '\n'),
  })
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 3 }), fc.uint8Array({ maxLength: 40 }), (edits, bytes) => {
      const changed = edits.reduce(
        (text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length),
        json,
      )
      for (const given of [changed, bytes]) {
        const { menus, refusals } = imported(given)
        assert.ok(menus.length > 0 || refusals > 0)
      }
    }),
    { numRuns: sized(150, 20_000) },
  )
})

test.run()
