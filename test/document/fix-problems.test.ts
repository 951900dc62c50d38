import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FIXABLE_CODES, type Fixed, fixMenu } from '../../src/document/fix-problems.js'
import { readDocument } from '../../src/document/menu-document.js'
import { type ParsedFile, parseMenuFile } from '../../src/document/parse.js'
import type { JsonMap } from '../../src/model/json.js'
import { sized } from '../support/figures.js'
import { toDice } from './edit/dice.js'
import { format } from './edit/formatting.js'
import { documentOf, says } from './edit/reading.js'
import { deindent, menuOf, toOptions } from './parsing.js'

/** Random comments often have no blank behind their `#`: what that cuts off is not what is fixed here. */
const OPTIONS = toOptions({
  locales: ['en', 'es', 'pt-BR', 'zh-Hant-TW'],
  off: new Set(['comment-in-text'] as const),
})

function parse(text: string): ParsedFile {
  return parseMenuFile('menu.yaml', new TextEncoder().encode(text), OPTIONS)
}

/** A text after its safe problems were fixed. */
function fix(text: string): Fixed {
  return fixMenu(documentOf(text), OPTIONS)
}

/** What visitors get of a text. */
function served(text: string): string {
  return JSON.stringify(menuOf(parse(text)), (key, value) => (key === 'line' ? undefined : value))
}

function fixable(text: string): readonly string[] {
  return parse(text).problems.flatMap(({ code, pointer }) => (FIXABLE_CODES.includes(code) ? [pointer] : []))
}

/** How many fixable problems a text has, with those beyond the list. */
function fixableCount(text: string): number {
  const { omittedByCode } = parse(text)
  return FIXABLE_CODES.reduce((sum, code) => sum + (omittedByCode[code] ?? 0), fixable(text).length)
}

/** Fixes a text of lines below `items:`, and gives them as they are then. */
function fixItems(lines: string): string {
  const head = 'version: 1\ncode: a\nname: A\nitems:\n'
  const { after } = fix(head + deindent(lines))
  assert.ok(after.startsWith(head))
  return after.slice(head.length)
}

test('a tag gets its usual form in its place, with its quotes', () => {
  const fixed = fixItems(`
    - label: { EN: Home, 'pt_br': "Início", "ES" : x } # EN: stays
      url: /
    - label:
        zh_hant_tw: 首頁
        # The English of the house.
        EN: Home
      url: /
  `)
  assert.is(
    fixed,
    deindent(`
    - label: { en: Home, 'pt-BR': "Início", "es" : x } # EN: stays
      url: /
    - label:
        zh-Hant-TW: 首頁
        # The English of the house.
        en: Home
      url: /
  `),
  )
})

test('keys that a divider ignores go, and comments stay', () => {
  const fixed = fixItems(`
    # Before.
    - type: divider
      # Of the label.
      label: --- # Beside.
      icon: lucide:minus
    - { type: divider, label: "-", id: line } # After.
    - label: A
      url: /
  `)
  assert.is(fixed.match(/#/g)?.length, 4)
  assert.not.match(fixed, /label: ---|icon|label: "-"/)
  assert.match(fixed, /- \{ type: divider, id: line \} # After\./)
})

test('a fix that would change an answer is not made', () => {
  for (const text of [
    'version: 1\ncode: a\nname: A\nitems:\n  - lable: A\n    url: /\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: A, url: example.org }\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: { en: A, fr: B }, url: / }\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: { EN: A }, ulr: / }\n',
    'version: 1\ncode: [\n',
    '',
  ]) {
    assert.equal(fix(text), { after: text, fixed: [], left: [] }, text)
  }
})

test('a comment inside a deleted part stays, and unfixable problems are left', () => {
  const fixLines = (lines: string): Fixed => fix(`version: 1\ncode: a\nname: A\nitems:\n${deindent(lines)}`)
  const inside = fixLines(`
    - type: divider
      label:
        # About the English text.
        en: A
  `)
  assert.equal([inside.fixed.length, inside.left], [1, []])
  assert.match(inside.after, '# About the English text.')
  const escaped = fixLines('- { label: { "\\x45N": A }, url: / }')
  assert.equal([escaped.fixed, escaped.left.map(({ code }) => code)], [[], ['locale-form']])
})

test('a comment that hides a problem keeps it from being fixed', () => {
  const text = deindent(`
    version: 1
    code: a
    name: A
    items:
      # menuscript-disable-next-line locale-form, missing-translation
      - { label: { EN: A }, url: / }
  `)
  assert.is(fix(text).after, text)
})

test('a file with more problems than are listed is fixed to the last, byte order mark and CRLF kept', () => {
  const items = Array.from({ length: 120 }, (_, number) => `  - { label: { EN: "${number}" }, url: / }\r\n`)
  const text = `\ufeffversion: 1\r\ncode: a\r\nname: A\r\nitems:\r\n${items.join('')}`
  const { after, fixed } = fix(text)
  assert.is(after, text.replaceAll('EN', 'en'))
  assert.is(fixed.length, 120)
})

const tags = fc.constantFrom('EN', 'en', 'es', 'ES', 'pt_BR', 'pt-br', 'PT-BR', 'zh_Hant_TW', 'zh-hant-tw')

/** A link whose label has some of the locales, however their tags are written. */
const links: fc.Arbitrary<JsonMap> = fc
  .tuple(
    fc.uniqueArray(tags, { minLength: 1, maxLength: 4, selector: (tag) => tag.slice(0, 2).toLowerCase() }),
    fc.boolean(),
  )
  .map(([written, isLast]) => {
    const label = Object.fromEntries(written.map((tag, place) => [tag, `t${place}`]))
    return isLast ? { url: '/x', label } : { label, url: '/x' }
  })

/** A divider with keys that it ignores. */
const dividers: fc.Arbitrary<JsonMap> = fc
  .subarray(['label', 'icon', 'url', 'routeName', 'routeParams', 'id', 'x-note'])
  .map((keys) => {
    const values: JsonMap = {
      label: { EN: 'x' },
      icon: 'a:b',
      url: '/',
      routeName: 'r',
      routeParams: { a: [1] },
    }
    const named = keys.filter((key) => key !== 'id').map((key) => [key, values[key] ?? 'x'] as const)
    return { type: 'divider', ...Object.fromEntries(named) }
  })

const items: fc.Arbitrary<readonly JsonMap[]> = fc.array(
  fc.oneof(
    links,
    dividers,
    fc
      .tuple(links, fc.array(fc.oneof(links, dividers), { minLength: 1, maxLength: 3 }))
      .map(([link, children]) => ({ ...link, children })),
  ),
  { minLength: 1, maxLength: 5 },
)

/** Menus with much to mend, written as people do who agree on nothing. */
const texts = fc
  .tuple(
    fc.constantFrom<JsonMap>({}, {}, { context: {} }, { context: null }, { context: { a: 1 } }),
    items,
    fc.array(fc.nat({ max: 1_000 }), { minLength: 40, maxLength: 40 }),
  )
  .map(([context, list, numbers]) => {
    const menu = { version: 1, code: 'a', name: 'A', ...context, items: list }
    return { menu, ...format(menu, toDice(numbers)) }
  })
  .filter(({ menu, text }) => says(text, menu))

test('fixing changes neither the served menu nor a comment, and leaves only the fixable problems that it reports', () => {
  let [count, stuck] = [0, 0]
  fc.assert(
    fc.property(texts, ({ text, comments }) => {
      const { after, fixed, left } = fix(text)
      assert.is(served(after), served(text))
      assert.is(fixableCount(after), left.length)
      assert.is(fixableCount(text), fixed.length + left.length)
      for (const comment of comments.keys()) assert.is(after.split(comment).length, 2, comment)
      const again = fix(after)
      assert.equal([again.after, again.fixed.length], [after, 0])
      count += fixed.length
      stuck += left.length
    }),
    { numRuns: sized(50, 500) },
  )
  assert.ok(count > 100 && stuck * 20 < count, `${count} fixed, ${stuck} left`)
})

test('a file of the greatest size without a last line break is fixed', () => {
  const text = 'version: 1\ncode: a\nname: A\nitems:\n  - type: divider\n    icon: line'
  for (const [eol, written] of [
    ['\n', text],
    ['\r\n', text.replaceAll('\n', '\r\n')],
  ] as const) {
    const options = toOptions({ limits: { bytes: written.length } })
    const document = readDocument('menu.yaml', Buffer.from(written), options.limits)
    const { after, left } = fixMenu(document, options)
    assert.equal([after, left.length], [written.replace(`${eol}    icon: line`, ''), 0])
  }
})

test.run()
