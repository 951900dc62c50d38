import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { toMenuName, toMenuText, toNewMenuText } from '../../src/document/new-menu.js'
import type { Context, MenuItem } from '../../src/model/menu.js'
import { anyText } from '../support/any-text.js'
import { sized } from '../support/figures.js'
import { fileOf } from '../support/snapshot-of.js'

const MAIN = { schema: null, code: 'main', name: 'Main', context: {} }

/** Words that YAML would read as something else, if they were not quoted. */
const WORDS =
  'on no null ~ true 123 1e3 0x1F 0o7 .inf - --- ... << = 2024-01-01 # {a} [b] {{7*7}} % @x ` !tag > |'.split(
    ' ',
  )
const PHRASES = ['- x', 'a: b # c', ': ', '&a *b', '"', "'", ' 値 ', 'two\nlines', '\nx', 'x\n', '\u2028']

const texts = fc.oneof(
  fc.constantFrom(...WORDS, ...PHRASES),
  // Control characters are refused in every file.
  anyText({ maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text)),
)
const codes = fc.oneof(
  fc.constantFrom(...'on null 123 1e3 0x1F - --- 2024-01-01 __proto__ _ a.b y e1'.split(' ')),
  fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/),
)
const names = texts.filter((text) => text.trim() !== '')
const scalars = fc.oneof(
  texts,
  fc.integer(),
  fc.constantFrom(1.5, -0.5e-7, 9007199254740991, true, false, null),
)
const contexts: fc.Arbitrary<Context> = fc
  .uniqueArray(fc.tuple(fc.oneof(texts, fc.constant('__proto__')), scalars), {
    maxLength: 4,
    selector: ([key]) => key,
  })
  .map((pairs) => Object.fromEntries(pairs))

test('Any code, name and context come back from the text as they were, without a problem', () => {
  fc.assert(
    fc.property(codes, names, contexts, (code, name, context) => {
      const text = toNewMenuText({ schema: '../s.json', code, name, context })
      const { menu, problems } = fileOf('x.yaml', text)
      assert.equal(problems, [], text)
      assert.equal([menu?.code, menu?.name], [code, name])
      assert.is(JSON.stringify(menu?.context), JSON.stringify(context))
    }),
    { numRuns: sized(150, 1_500) },
  )
})

test('A key that YAML would merge by is quoted, for the parser refuses one that is not', () => {
  const { menu, problems } = fileOf('x.yaml', toNewMenuText({ ...MAIN, context: { '<<': 1 } }))
  assert.equal([menu?.context, problems], [{ '<<': 1 }, []])
})

test('A new menu is short, and in the order in which people write one', () => {
  const context = { partnerId: 3, plan: 'pro' }
  assert.is(
    toNewMenuText({
      schema: '../schemas/menu.schema.json',
      code: 'sidebar',
      name: 'Partner sidebar',
      context,
    }),
    `# yaml-language-server: $schema=../schemas/menu.schema.json
version: 1
code: sidebar
name: Partner sidebar
context: { partnerId: 3, plan: pro }
items:
  - label: Home
    url: /
`,
  )
})

test('Without a schema there is no modeline, and without a context no context', () => {
  const text = toNewMenuText(MAIN)
  assert.ok(text.startsWith('version: 1\n'))
  assert.not.match(text, 'context')
})

test('A new menu has something to see: one link', () => {
  const items: readonly MenuItem[] = fileOf('x.yaml', toNewMenuText(MAIN)).menu?.items ?? []
  assert.is(items.length, 1)
  assert.equal([items[0]?.type, items[0]?.id, items[0]?.hidden], ['link', null, false])
})

test('A long text stays on one line', () => {
  const text = toNewMenuText({
    ...MAIN,
    name: 'word '.repeat(39).trim(),
    context: { a: 'word '.repeat(60).trim() },
  })
  assert.is(text.trimEnd().split('\n').length, 7)
})

/** A code, and the name for people that is made of it. */
const NAMES: readonly (readonly [code: string, name: string])[] = [
  ['main', 'Main'],
  ['partner-sidebar', 'Partner sidebar'],
  ['partnerSidebar', 'Partner sidebar'],
  ['shop_main.menu', 'Shop main menu'],
  ['123', '123'],
  ['-', '-'],
  ['_._', '_._'],
  ['--a--', 'A'],
]

test('A name for people is made of the code, and is never blank', () => {
  for (const [code, name] of NAMES) assert.is(toMenuName(code), name)
  fc.assert(fc.property(codes, (code) => assert.is.not(toMenuName(code).trim(), '')))
})

test('A text with line breaks, whatever it begins with, is read as it was', () => {
  for (const start of ['-', '?', ':', '#', ' -', ''])
    for (const badge of [{ a: `${start}\n$` }, [`${start}\n$`, 'b']]) {
      const value = { version: 1, code: 'main', name: 'Main', items: [], 'x-badge': badge }
      assert.equal(parse(toMenuText(null, value)), value)
    }
})

test.run()
