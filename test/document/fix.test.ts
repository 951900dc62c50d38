import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FIXABLE_CODES, fixMenuText } from '../../src/document/fix.js'
import { type ParsedFile, parseMenuFile } from '../../src/document/parse.js'
import { deindent, menuOf, toOptions } from './parsing.js'

const OPTIONS = toOptions({ locales: ['en', 'es', 'pt-BR', 'zh-Hant-TW'] })

function parse(text: string): ParsedFile {
  return parseMenuFile('menu.yaml', new TextEncoder().encode(text), OPTIONS)
}

/** What visitors get of a text. */
function served(text: string): string {
  return JSON.stringify(menuOf(parse(text)), (key, value) => (key === 'line' ? undefined : value))
}

function fixable(text: string): readonly string[] {
  return parse(text).problems.flatMap(({ code, pointer }) => (FIXABLE_CODES.includes(code) ? [pointer] : []))
}

/** Mends a text of lines below `items:`, and gives them as they are then. */
function fixItems(lines: string): string {
  const head = 'version: 1\ncode: a\nname: A\nitems:\n'
  const { after } = fixMenuText('menu.yaml', head + deindent(lines), OPTIONS)
  assert.ok(after.startsWith(head))
  return after.slice(head.length)
}

test('a tag gets its usual form where it stands, with its quotes', () => {
  const mended = fixItems(`
    - label: { EN: Home, 'pt_br': "Início", "ES" : x } # EN: stays
      url: /
    - label:
        zh_hant_tw: 首頁
        # The English of the house.
        EN: Home
      url: /
  `)
  assert.is(
    mended,
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

test('what a divider ignores goes, and comments stay', () => {
  const mended = fixItems(`
    # Before.
    - type: divider
      # Of the label.
      label: --- # Beside.
      icon: lucide:minus
    - { type: divider, label: "-", id: line } # After.
    - label: A
      url: /
  `)
  assert.is(mended.match(/#/g)?.length, 4)
  assert.not.match(mended, /label: ---|icon|label: "-"/)
  assert.match(mended, /- \{ type: divider, id: line \} # After\./)
})

test('what changes an answer is left as it is', () => {
  for (const text of [
    'version: 1\ncode: a\nname: A\nitems:\n  - lable: A\n    url: /\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: A, url: example.org }\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: { en: A, fr: B }, url: / }\n',
    'version: 1\ncode: a\nname: A\nitems:\n  - { label: { EN: A }, ulr: / }\n',
    'version: 1\ncode: [\n',
    '',
  ]) {
    assert.equal(fixMenuText('menu.yaml', text, OPTIONS), { after: text, fixed: [], left: [] }, text)
  }
})

test('a comment that hides a problem keeps it from being mended', () => {
  const text = deindent(`
    version: 1
    code: a
    name: A
    items:
      # menuscript-disable-next-line locale-form, missing-translation
      - { label: { EN: A }, url: / }
  `)
  assert.is(fixMenuText('menu.yaml', text, OPTIONS).after, text)
})

test('a file with more problems than are listed is mended to the last, byte order mark and CRLF kept', () => {
  const items = Array.from({ length: 120 }, (_, number) => `  - { label: { EN: "${number}" }, url: / }\r\n`)
  const text = `\ufeffversion: 1\r\ncode: a\r\nname: A\r\nitems:\r\n${items.join('')}`
  const { after, fixed } = fixMenuText('menu.yaml', text, OPTIONS)
  assert.is(after, text.replaceAll('EN', 'en'))
  assert.is(fixed.length, 120)
})

const tags = fc.constantFrom(
  'EN',
  'en',
  "'es'",
  '"ES"',
  'pt_BR',
  'pt-br',
  "'PT-BR'",
  'zh_Hant_TW',
  'zh-hant-tw',
)
const comments = fc.constantFrom('', '', '', ' # why')
const above = fc.constantFrom('', '', '  # of what follows\n', '\n  # one\n\n  # two\n')

/** A link whose label has some of the locales, however their tags are written. */
const links = fc
  .tuple(
    fc.uniqueArray(tags, { minLength: 1, maxLength: 4, selector: toLanguage }),
    fc.boolean(),
    comments,
    above,
  )
  .map(([written, isFlow, comment, before]) => {
    const texts = written.map((tag, place) => `${tag}: t${place}`)
    if (isFlow) return `${before}  - label: { ${texts.join(', ')} }${comment}\n    url: /x\n`
    return `${before}  - url: /x${comment}\n    label:\n${texts.map((text) => `      ${text}${comment}\n`).join('')}`
  })

/** A divider with keys that it ignores. */
const dividers = fc
  .tuple(
    fc.subarray(['label: x', 'icon: a:b', 'url: /', 'routeName: r', 'routeParams: { a: 1 }', 'id: d'], {
      minLength: 1,
    }),
    fc.boolean(),
    comments,
    above,
  )
  .map(([keys, isFlow, comment, before]) => {
    const named = keys.filter((key) => !key.startsWith('id'))
    const all = ['type: divider', ...named]
    if (isFlow) return `${before}  - { ${all.join(', ')} }${comment}\n`
    return `${before}  - ${all.map((key) => `${key}${comment}`).join('\n    ')}\n`
  })

const contexts = fc.constantFrom('', '', 'context: {}\n', 'context:\n', '# for all\ncontext: null # all\n')

const texts = fc
  .tuple(
    contexts,
    fc.array(fc.oneof(links, dividers), { minLength: 1, maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([context, items, isWindows, isEnded]) => {
    const text = `version: 1\ncode: a\nname: A # name\n${context}items:\n${items.join('')}`
    const ended = isEnded ? text : text.replace(/\n$/, '')
    return isWindows ? ended.replaceAll('\n', '\r\n') : ended
  })

function toLanguage(tag: string): string {
  return tag.replace(/\W/g, '').toLowerCase().slice(0, 2)
}

test('mending changes neither what is served nor a comment, leaves nothing to mend, and touches no other line', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { after, fixed, left } = fixMenuText('menu.yaml', text, OPTIONS)
      assert.is(served(after), served(text))
      assert.equal(left, [])
      assert.equal(fixable(after), [])
      assert.equal([...(after.match(/#.*/g) ?? [])].sort(), [...(text.match(/#.*/g) ?? [])].sort())
      assert.is(fixMenuText('menu.yaml', after, OPTIONS).after, after)
      const lines = new Set(fixed.map(({ pointer }) => pointer)).size
      const gone = text.split(/\r?\n/).filter((line) => !after.split(/\r?\n/).includes(line))
      assert.ok(gone.length <= lines, `${text}\n${after}`)
    }),
    { numRuns: 300 },
  )
})

test.run()
