import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse as parseYaml } from 'yaml'
import { TRANSLATION_FORMATS } from '../../../src/document/exchange/translation-rows.js'
import { toMenuText } from '../../../src/document/new-menu.js'
import { anyText } from '../../support/any-text.js'
import { sized } from '../../support/figures.js'
import { cellsOf, csvOf, exported, imported, menuOf } from './translating.js'
import { validMenus } from './valid-menus.js'

const RUNS = { numRuns: sized(60, 5_000) }
type Labels = Record<string, unknown>
interface Holder {
  label: string | Labels
}

/** What has a label that can be translated, in reading order, found without the code under test. */
function holdersIn(menu: {
  readonly display?: Partial<Holder>
  readonly items?: readonly object[]
}): readonly Holder[] {
  const below = (items: readonly object[]): readonly Holder[] =>
    items.flatMap((each) => {
      const { type, children = [] } = each as { type?: string; children?: readonly object[] }
      return [...(type === 'divider' ? [] : [each as Holder]), ...below(children)]
    })
  return [...(menu.display?.label == null ? [] : [menu.display as Holder]), ...below(menu.items ?? [])]
}

function isGap({ label }: Holder, locale: string): boolean {
  if (typeof label === 'string') return locale !== 'en'
  const text = label[locale]
  return typeof text !== 'string' || text.trim() === ''
}

function fill(holder: Holder, locale: string, text: string): void {
  if (typeof holder.label === 'string') holder.label = { en: holder.label }
  holder.label = { ...holder.label, [locale]: text }
}

for (const format of TRANSLATION_FORMATS)
  test(`${format}: what is exported and imported without a change changes nothing, in any menu`, () => {
    fc.assert(
      fc.property(validMenus, (value) => {
        const texts = { 'a.yaml': toMenuText(null, value) }
        const columns = format === 'csv' ? undefined : ['es']
        const { edits, outdated, faults } = imported(texts, exported(texts, format, columns))
        assert.equal([edits, outdated, faults], [[], [], []])
      }),
      RUNS,
    )
  })

const labels = anyText({ minLength: 1, maxLength: 12 }).filter(
  (text) => text.trim() !== '' && !/[\p{Cc}\ufffe\uffff]/u.test(text),
)

test('Filling gaps of a CSV file changes exactly these labels, as a reader of YAML sees them', () => {
  fc.assert(
    fc.property(validMenus, fc.array(fc.tuple(fc.nat(), fc.nat(), labels)), (value, fillings) => {
      const text = toMenuText(null, value)
      const wanted = parseYaml(text)
      const holders = holdersIn(wanted)
      const [head = [], ...rows] = cellsOf(exported({ 'a.yaml': text })).map((row) => [...row])
      assert.is(rows.length, holders.length)
      for (const [row, column, filling] of fillings) {
        const [place, locale] = [row % Math.max(1, rows.length), head[4 + (column % 3)] ?? '']
        const [cells, holder] = [rows[place], holders[place]]
        if (cells === undefined || holder === undefined || !isGap(holder, locale)) continue
        fill(holder, locale, filling)
        // As a translator types it, who knows of no prefix: an apostrophe before a sign would be one.
        cells[4 + (column % 3)] = /^'+[=+\-@＝＋－＠]/.test(filling) ? `'${filling}` : filling
      }
      const { written, lines, outdated } = imported({ 'a.yaml': text }, csvOf([head, ...rows]))
      assert.equal([lines, outdated], [[], []])
      const found = parseYaml(written['a.yaml'] ?? text)
      if (!isDeepStrictEqual(found, wanted)) assert.equal(found, wanted)
    }),
    RUNS,
  )
})

for (const format of ['xliff12', 'xliff2'] as const)
  test(`Filling gaps of a ${format} file changes exactly these labels, as a reader of YAML sees them`, () => {
    fc.assert(
      fc.property(validMenus, labels, (value, filling) => {
        const text = toMenuText(null, value)
        const wanted = parseYaml(text)
        for (const holder of holdersIn(wanted)) if (isGap(holder, 'es')) fill(holder, 'es', filling)
        const target = `<target><![CDATA[${filling.replaceAll(']]>', ']]]]><![CDATA[>')}]]></target>`
        const file = exported({ 'a.yaml': text }, format, ['es'])
        const filled = file.replace(/<\/source>(?!<target>)/g, () => `</source>${target}`)
        const { written, lines } = imported({ 'a.yaml': text }, filled)
        assert.equal(lines, [])
        const found = parseYaml(written['a.yaml'] ?? text)
        if (!isDeepStrictEqual(found, wanted)) assert.equal(found, wanted)
      }),
      RUNS,
    )
  })

const SHOP = menuOf(
  'id: shoes # the best\n    label: { en: Shoes, es: Zapatos }   # said by marketing\n    url: /shoes',
  '{ label: Home/Start, url: / }',
  '{ type: section, label: Help, children: [{ label: { es: Contacto }, url: /c }] }',
  '{ label: Home/Start, url: /2 }',
)
const TEXTS = { 'sub/shop.yaml': SHOP }

test('A CSV file has a row for each text, with a key that does not depend on positions', () => {
  assert.equal(cellsOf(exported(TEXTS, 'csv', ['en', 'es'])), [
    ['file', 'key', 'field', 'source', 'en', 'es'],
    ['sub/shop.yaml', '#shoes', 'label', 'Shoes', 'Shoes', 'Zapatos'],
    ['sub/shop.yaml', '/link:Home~1Start', 'label', 'Home/Start', 'Home/Start', ''],
    ['sub/shop.yaml', '/section:Help', 'label', 'Help', 'Help', ''],
    ['sub/shop.yaml', '/section:Help/link:Contacto', 'label', 'Contacto', '', 'Contacto'],
    ['sub/shop.yaml', '/link:Home~1Start~#2', 'label', 'Home/Start', 'Home/Start', ''],
  ])
})

test('The label of the menu itself can be translated; its name and titles have no translations', () => {
  const text = `${menuOf('{ label: A, url: /, attributes: { title: T } }')}display: { label: Site, htmlId: a }\n`
  const rows = cellsOf(exported({ 'a.yaml': text }, 'csv', ['es']))
  assert.equal(rows.slice(1), [
    ['a.yaml', 'menu', 'display.label', 'Site', ''],
    ['a.yaml', '/link:A', 'label', 'A', ''],
  ])
  const { written } = imported(
    { 'a.yaml': text },
    exported({ 'a.yaml': text }).replace('Site,Site,', 'Site,Site,Sitio'),
  )
  assert.is(written['a.yaml'], text.replace('Site,', '{ en: Site, es: Sitio },'))
})

test('An import keeps every other byte and all comments', () => {
  const csv = exported(TEXTS).replace('Shoes,Zapatos,', 'Shoes,Calzado,Sapatos')
  const { written } = imported(TEXTS, csv)
  assert.is(
    written['sub/shop.yaml'],
    SHOP.replace('{ en: Shoes, es: Zapatos }', '{ en: Shoes, es: Calzado, pt-BR: Sapatos }'),
  )
})

test('A text for the default locale keeps one text for all as it is: one text', () => {
  const { written } = imported(TEXTS, exported(TEXTS).replace('Help,Help', 'Help,Aid'))
  assert.is(written['sub/shop.yaml'], SHOP.replace('label: Help', 'label: Aid'))
})

test('A key finds its item after others moved, were added and went', () => {
  const csv = exported(TEXTS).replace('Help,Help,', 'Help,Help,Ayuda')
  const moved = SHOP.replace('items:\n', 'items:\n  - { label: New, url: /new }\n').replace(
    'type: section',
    'hidden: false, type: section',
  )
  const { written, lines } = imported({ 'sub/shop.yaml': moved }, csv)
  assert.equal(lines, [])
  assert.is(written['sub/shop.yaml'], moved.replace('label: Help', 'label: { en: Help, es: Ayuda }'))
})

test('A row whose source text has changed is outdated: it is listed, and only imported if that is wanted', () => {
  const csv = exported(TEXTS).replace('Shoes,Zapatos,', 'Shoes,Calzado,')
  const now = { 'sub/shop.yaml': SHOP.replace('en: Shoes', 'en: Boots') }
  const given = csv.replace('Shoes,Shoes,', 'Shoes,,')
  const { edits, outdated, lines } = imported(now, given)
  assert.equal([edits, lines], [[], []])
  assert.equal(outdated, [{ line: 2, file: 'sub/shop.yaml', key: '#shoes', was: 'Shoes', now: 'Boots' }])
  assert.match(imported(now, given, true).written['sub/shop.yaml'] ?? '', 'en: Boots, es: Calzado')
})

test('A row that changes nothing is never outdated', () => {
  const now = { 'sub/shop.yaml': SHOP.replace('en: Shoes', 'en: Boots') }
  assert.equal(imported(now, exported(TEXTS, 'csv', ['es'])).outdated, [])
})

test('An empty cell changes nothing, and neither does a blank one', () => {
  const rows = cellsOf(exported(TEXTS)).map((row, place) =>
    place === 0 ? row : [...row.slice(0, 4), '', ' ', '\t'],
  )
  assert.equal(imported(TEXTS, csvOf(rows)).edits, [])
})

for (const [name, toText] of [
  ['semicolons', (text: string) => csvOf(cellsOf(text), ';')],
  ['tabs', (text: string) => csvOf(cellsOf(text), '\t')],
  ['no byte order mark', (text: string) => text.replace('\ufeff', '')],
  ['line breaks of Unix', (text: string) => text.replaceAll('\r\n', '\n')],
  ['line breaks of an old Mac', (text: string) => text.replaceAll('\r\n', '\r')],
  ['empty rows and columns', (text: string) => text.replaceAll('\r\n', ',,\r\n\r\n,,,\r\n')],
  ['columns in another order', (text: string) => csvOf(cellsOf(text).map((row) => row.toReversed()))],
] as const)
  test(`CSV with ${name} is read as well`, () => {
    const { written, lines } = imported(TEXTS, toText(exported(TEXTS).replace('Zapatos,', 'Calzado,')))
    assert.equal(lines, [])
    assert.is(written['sub/shop.yaml'], SHOP.replace('Zapatos', 'Calzado'))
  })

test('A text with line breaks has those of menus, whatever the spreadsheet writes', () => {
  const csv = exported(TEXTS).replace('Zapatos,', '"Dos\r\nlíneas",')
  assert.match(imported(TEXTS, csv).written['sub/shop.yaml'] ?? '', 'es: "Dos\\nlíneas"')
})

test('All errors are listed at once, with their lines and what was probably meant', () => {
  const csv = csvOf([
    ['file', 'key', 'field', 'source', 'es'],
    ['sub/shp.yaml', '#shoes', 'label', 'Shoes', 'X'],
    ['sub/shop.yaml', '#shoe', 'label', 'Shoes', 'two\nlines'],
    ['sub/shop.yaml', '#shoes', 'title', 'Shoes', 'X'],
    ['sub/shop.yaml', '#shoes', 'label', 'Shoes', 'x'.repeat(1_001)],
    ['sub/shop.yaml', '#shoes', 'label', 'Shoes', 'Y'],
    ['sub/shop.yaml', '/section:Help', 'label', 'Help', 'a\u0007'],
    ['sub/shop.yaml', '/section:Help', 'label', 'Help', 'Ayuda', 'more'],
  ])
  const { lines, edits } = imported(TEXTS, csv)
  assert.equal(edits, [])
  assert.equal(lines, [
    '2 There is no menu file "sub/shp.yaml". Did you mean "sub/shop.yaml"?',
    '3 "sub/shop.yaml" has no item "#shoe". Did you mean "#shoes"?',
    '5 The field "title" of "#shoes" must be "label".',
    '6 The text for es has more than 1000 characters.',
    '7 The row repeats that of line 6.',
    '8 The text for es has a control character.',
    '9 The row has more cells than the header, which has 5.',
  ])
})

test('A header with an unknown locale, a repeated or a missing column is refused with what is meant', () => {
  const { lines } = imported(TEXTS, 'file,key,sorce,field,pt-BZ,en,EN\nx\n')
  assert.equal(lines, [
    '1 The column "sorce" is not one of the locales en, es, pt-BR. Did you mean source?',
    '1 The column "pt-BZ" is not one of the locales en, es, pt-BR. Did you mean pt-BR?',
    '1 There are two columns "en".',
    '1 The header lacks source.',
  ])
})

test('XLIFF of a tool that splits a text into parts, marks words and suggests others is read as one text', () => {
  const text = { 'a.yaml': menuOf('{ id: a, label: One. Two., url: / }') }
  const old = exported(text, 'xliff12', ['es']).replace(
    '</source>',
    `</source><seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk></seg-source>
     <target state="translated"><mrk mtype="seg" mid="1">Uno.</mrk> <g id="1">Dos.</g></target>
     <alt-trans><source>One</source><target>Otro</target></alt-trans><note>No</note>`,
  )
  const split = exported(text, 'xliff2', ['es']).replace(
    /<segment>.*<\/segment>/s,
    `<notes><note>No</note></notes>
     <segment><source>One.</source><target><mrk id="m1">Uno.</mrk></target></segment>
     <ignorable><source> </source></ignorable>
     <segment><source>Two.</source><target>Dos.</target></segment>`,
  )
  for (const file of [old, split]) {
    const { written, lines, outdated } = imported(text, file)
    assert.equal([lines, outdated], [[], []])
    assert.is(written['a.yaml'], text['a.yaml'].replace('One. Two.', '{ en: One. Two., es: Uno. Dos. }'))
  }
  const half = split.replace('<target>Dos.</target>', '')
  assert.equal(imported(text, half).edits, [], 'half a text is none')
})

test.run()
