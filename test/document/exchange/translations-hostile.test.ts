import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_ROWS } from '../../../src/document/exchange/translation-rows.js'
import { anyText } from '../../support/any-text.js'
import { figure, sized } from '../../support/figures.js'
import { cellsOf, csvOf, exported, imported, menuOf } from './translating.js'

const TEXTS = { 'a.yaml': menuOf('{ id: a, label: { en: A, es: B }, url: / }') }
const HEAD = 'file,key,field,source,es\n'
const xliff = (inner: string, head = '<?xml version="1.0"?>'): string =>
  `${head}<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="es"><file id="f" original="a.yaml">${inner}</file></xliff>`
const unit = (target: string): string =>
  `<unit id="u" name="#a"><segment><source>A</source><target>${target}</target></segment></unit>`

/** The only fault of a file that changes nothing. */
function onlyFault(text: string): string {
  const { lines, edits } = imported(TEXTS, text)
  assert.equal([lines.length, edits], [1, []], lines.join('\n').slice(0, 2_000))
  return lines[0] ?? ''
}

const FORMULAS = [...['=1+1', '+49', '-2', '@SUM(A1)', '＝1', "'=1", "''+1", '=cmd|"/c calc"!A0', '=a,b;c']]

test('C14: no cell of a CSV export is a formula, and the import takes off exactly the prefixes that were added', () => {
  const menu = menuOf(
    ...FORMULAS.map((text) => JSON.stringify({ label: { en: text, es: text }, url: '/' })),
    '{ label: "\'quoted\'", url: / }',
  )
  const texts = { '=a.yaml': menu }
  const csv = exported(texts)
  for (const cell of cellsOf(csv).flat()) assert.not.match(cell, /^[=+\-@\t\r＝＋－＠]/)
  assert.equal(imported(texts, csv).edits, [])
  const filled = cellsOf(csv).map((row, place) => (place === 0 ? row : [...row.slice(0, 6), "'=2+2"]))
  const { written, lines } = imported(texts, csvOf(filled))
  assert.equal(lines, [])
  assert.is((written['=a.yaml'] ?? '').split('pt-BR').length, FORMULAS.length + 2)
  assert.match(written['=a.yaml'] ?? '', /"pt-BR": "=2\+2"|pt-BR: "?=2\+2/)
})

const REFUSED: readonly (readonly [name: string, text: string, what: RegExp])[] = [
  ['An empty file', '', /^0 The file is empty/],
  ['A blank file', '\ufeff \r\n', /^0 The file is empty/],
  ['A file of zeros', '\0'.repeat(100), /^1 The first row must have the columns file/],
  ['An open quotation mark', `${HEAD}a.yaml,"#a`, /^2 The text is not CSV: A quotation mark/],
  ['A quotation mark in a cell', `${HEAD}a.yaml,#a,label,A,x"y"`, /^2 The text is not CSV: A quotation mark/],
  ['A cell of 10 MB', `${HEAD}a.yaml,#a,label,A,${'x'.repeat(10_000_000)}`, /^0 The file has more than/],
  ['A cell of 4 MB', `${HEAD}a.yaml,#a,label,A,${'x'.repeat(4_000_000)}`, /^2 A row has more than/],
  ['A header of a million columns', 'x,'.repeat(1_000_000), /^0 The file has more than 400000 cells/],
  [
    'Too many rows',
    HEAD + 'a.yaml,#a,label,A,B\n'.repeat(MAX_ROWS + 1),
    /^0 The file has more than 50000 texts/,
  ],
  ['A document type', xliff(unit('B'), '<!DOCTYPE xliff [<!ENTITY a "b">]>'), /document type/],
  [
    'Entities that grow',
    xliff(unit('&b;'), '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'),
    /document type/,
  ],
  ['An external entity', xliff(unit('&x;'), '<!DOCTYPE x SYSTEM "file:///etc/passwd">'), /document type/],
  ['An unknown entity', xliff(unit('&x;')), /^1 The text is not XML: Invalid character entity/],
  ['Another encoding', xliff(unit('B'), '<?xml version="1.0" encoding="UTF-16"?>'), /must be UTF-8/],
  ['XML that ends early', xliff(unit('B')).slice(0, -5), /^1 The text is not XML: Un/],
  ['XML of another kind', '<html><body>x</body></html>', /version of XLIFF is ""/],
  ['HTML', '<!DOCTYPE html><p>x', /document type/],
  ['XLIFF in no namespace', '<xliff version="2.0" srcLang="en" trgLang="es"></xliff>', /not XLIFF/],
  ['XLIFF of another version', '<xliff version="2.9"></xliff>', /version of XLIFF is "2.9"/],
  ['XLIFF from another language', xliff(unit('B')).replace('"en"', '"fr"'), /srcLang is "fr"/],
  [
    'XLIFF for an unknown language',
    xliff(unit('B')).replace('"es"', '"et"'),
    /trgLang is "et".*Did you mean/,
  ],
  ['XLIFF for no language', xliff(unit('B')).replace(' trgLang="es"', ''), /trgLang is ""/],
  ['An element in a text', xliff(unit('<ph id="1"/>')), /element "ph"/],
  ['Two targets', xliff(unit('B</target><target>C')), /two elements "target"/],
  ['Elements without end', xliff('<group>'.repeat(100_000)), /more than 64 deep/],
  ['A text of 4 MB', xliff(unit('x'.repeat(4_000_000))), /^1 The text for es has more than 1000/],
  ['A control character', xliff(unit('&#7;')), /^1 The text/],
  ['Half a character', xliff(unit('&#xD800;')), /^1 The text/],
  ['A duplicate unit', xliff(unit('C') + unit('D')), /repeats that of line 1/],
  ['A unit without a name', xliff(unit('C').replace(' name="#a"', '')), /has no item ""/],
]

for (const [name, text, what] of REFUSED)
  test(`${name} is refused in time, with one reason`, () => {
    const start = process.cpuUsage()
    assert.match(onlyFault(text), what)
    figure(name, `${Math.round(process.cpuUsage(start).user / 1_000)} ms of CPU time`, '1000 ms')
  })

for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
  test(`${key} is a name like any other`, () => {
    assert.match(onlyFault(`${HEAD}${key},#a,label,A,B\n`), `no menu file "${key}"`)
    assert.match(onlyFault(`${HEAD}a.yaml,${key},label,A,B\n`), `no item "${key}"`)
    assert.match(onlyFault(`${HEAD}a.yaml,#a,${key},A,B\n`), `The field "${key}"`)
    assert.match(onlyFault(`file,key,field,source,${key}\n`), `The column "${key}"`)
    assert.match(onlyFault(xliff(unit('C')).replace('#a', key)), `no item "${key}"`)
    assert.match(onlyFault(xliff(unit('C')).replace('a.yaml', key)), `no menu file "${key}"`)
    const plain = xliff(unit('B')).replace('<segment>', `<segment ${key}="x">`)
    assert.equal(imported(TEXTS, plain).lines, [])
  })

test('Of many faults the first are listed, and the others counted, in time', () => {
  const texts = {
    'a.yaml': menuOf(
      ...Array.from({ length: 2_000 }, (_, place) => `{ id: item-${place}, label: A, url: / }`),
    ),
  }
  const rows = Array.from({ length: MAX_ROWS }, (_, place) => `a.yaml,#itemx${place},label,A,B\n`)
  const start = process.cpuUsage()
  const { faults, omitted } = imported(texts, HEAD + rows.join(''))
  figure(
    '50,000 rows for unknown items',
    `${Math.round(process.cpuUsage(start).user / 1_000)} ms of CPU time`,
    '2000 ms',
  )
  assert.equal([faults.length, omitted], [200, MAX_ROWS - 200])
})

test('Anything is read without an exception, as CSV and as XLIFF, and changes nothing that is not meant', () => {
  const pieces = fc.oneof(
    anyText({ maxLength: 8 }),
    fc.constantFrom(...'"\';,\n\r\t<>&=/'),
    fc.constantFrom(
      HEAD,
      'a.yaml,#a,label,A,',
      '<unit id="u" name="#a">',
      '</unit>',
      '<target>',
      ']]>',
      '<!--',
      '<?x',
    ),
  )
  const runs = { numRuns: sized(200, 50_000) }
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      for (const each of [text, HEAD + text, xliff(text), xliff(unit(text))]) {
        const { edits, faults } = imported(TEXTS, each)
        assert.ok(edits.length <= 1 && (edits.length === 0 || faults.length === 0))
      }
    }),
    runs,
  )
})

test.run()
