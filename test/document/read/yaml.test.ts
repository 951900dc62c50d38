import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deindent, marked, menuOf, onlyItem, onlyProblem, parse, parseItems, toLines } from '../parsing.js'

const MENU = deindent(`
  version: 1
  code: main
  name: Main menu
  items:
    - label: Café 🍰
      url: /cafe
`)

function firstLabel(bytes: Uint8Array): unknown {
  const [item] = menuOf(parse(bytes)).items
  return item?.type === 'link' ? item.label : null
}

test('A19: a byte order mark, CRLF and a missing final newline load, and the texts are the same', () => {
  const forms = [
    MENU,
    `\ufeff${MENU}`,
    MENU.replaceAll('\n', '\r\n'),
    MENU.trimEnd(),
    `\ufeff${MENU.replaceAll('\n', '\r\n').trimEnd()}`,
    `---\n${MENU}...\n`,
  ]
  for (const form of forms) {
    const file = parse(Buffer.from(form))
    assert.equal(file.problems, [])
    assert.is(firstLabel(Buffer.from(form)), 'Café 🍰')
  }
})

test('A20: bytes that are not UTF-8 are refused with their offset and their place', () => {
  const [before = '', after = ''] = MENU.split('🍰')
  const bad: readonly (readonly number[])[] = [
    [0xff],
    [0xe9],
    [0xc3, 0x28],
    [0xf0, 0x9f],
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf5, 0x80],
  ]
  for (const bytes of bad) {
    const file = parse(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]))
    const problem = onlyProblem(file)
    assert.is(file.menu, null)
    assert.is(problem.code, 'not-utf8')
    assert.match(problem.what, ` ${Buffer.byteLength(before)} `)
    assert.is(`${problem.line}:${problem.column} to ${problem.endColumn}`, '5:17 to 18')
  }
})

test('A20: a file that breaks off within a character is refused at that character', () => {
  const bytes = Buffer.from(`${MENU}# 🍰`)
  const problem = onlyProblem(parse(bytes.subarray(0, bytes.length - 1)))
  assert.is(problem.code, 'not-utf8')
  assert.match(problem.what, ` ${bytes.length - 4} `)
})

test('A20: NUL and other control characters are refused anywhere, with their offset', () => {
  for (const character of ['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u0090', '\ufffe']) {
    for (const text of [MENU.replace('Café', `Ca${character}fé`), `# ${character}\n${MENU}`]) {
      const problem = onlyProblem(parse(Buffer.from(text)))
      assert.is(problem.code, 'control-character')
      assert.match(problem.what, `offset ${text.indexOf(character)}.`)
      assert.is(problem.column, text.startsWith('#') ? 3 : 14)
    }
  }
})

test('A lone carriage return is refused: editors and parsers disagree about the line of the text after it', () => {
  const hidden = MENU.replace('Café', 'Café # warm\r    hidden: true')
  for (const text of [MENU.replaceAll('\n', '\r'), hidden, MENU.replaceAll('\n', '\r\r\n'), `${MENU}\r`]) {
    const problem = onlyProblem(parse(Buffer.from(text)))
    assert.is(problem.code, 'control-character')
    assert.match(problem.what, `offset ${/\r(?!\n)/.exec(text)?.index}.`)
    assert.match(problem.todo, 'LF or CRLF')
  }
  assert.ok(parse(Buffer.from(MENU.replaceAll('\n', '\r\n'))).menu)
})

test('A3: a file without bytes, blanks or comments only, is an error and not an empty menu', () => {
  for (const text of [
    '',
    '\n',
    '  \n\n',
    '# later\n',
    '---\n',
    '--- # later\n',
    '...\n',
    '~\n',
    'null',
    '\ufeff',
  ]) {
    const file = parse(Buffer.from(text))
    assert.is(file.menu, null)
    assert.is(onlyProblem(file).code, 'empty-file', JSON.stringify(text))
  }
})

test('a file that is a list or a single value is not a menu', () => {
  for (const text of ['- a\n', '[]\n', 'menu\n', '5\n', '"version: 1"\n']) {
    assert.is(onlyProblem(parse(Buffer.from(text))).code, 'not-a-menu', text)
  }
})

test('A9: conflict markers are reported as a merge conflict, with CRLF and with three sides as well', () => {
  const sides = ['<<<<<<< HEAD', '    url: /a', '=======', '    url: /b', '>>>>>>> theirs', '']
  const three = sides.toSpliced(2, 0, '||||||| base', '    url: /')
  for (const lines of [sides, three]) {
    for (const end of ['\n', '\r\n']) {
      const text = ['version: 1', 'code: main', 'name: Main', 'items:', '  - label: Home', ...lines].join(end)
      const problem = onlyProblem(parse(Buffer.from(text)))
      assert.is(problem.code, 'merge-conflict')
      assert.match(problem.what, 'merge conflict')
      assert.is(`${problem.line}:${problem.column}`, '6:1')
    }
  }
})

test('a text of angle brackets alone is no merge conflict', () => {
  assert.equal(parseItems(`- label: "<<<<<<< so much >>>>>>>"\n  url: /\n# >>>>>>> here`).problems, [])
})

test('C4: anchors, aliases and tags are refused, each with its place', () => {
  const text = `- &home\n  label: !!str Home\n  url: /\n- *home\n- !link {label: !<x> a, url: !!js/function b}\n- &a !b c`
  const file = parseItems(text)
  assert.is(file.menu, null)
  assert.equal(toLines(file.problems), [
    '5:5 error yaml-alias',
    '6:12 error yaml-tag',
    '8:5 error yaml-alias',
    '9:5 error yaml-tag',
    '9:19 error yaml-tag',
    '9:32 error yaml-tag',
    '10:5 error yaml-alias',
    '10:8 error yaml-tag',
  ])
})

test('C4: merge keys and duplicate keys are refused, each with its place', () => {
  const file = parseItems('- <<: {icon: a}\n  label: Home\n  url: /\n  "label": House\n- <<: {}')
  assert.equal(toLines(file.problems).slice(0, 2), ['5:5 error yaml-merge-key', '8:5 error duplicate-key'])
  assert.ok(toLines(file.problems).includes('9:5 error yaml-merge-key'))
})

test('C5: directives and further documents are refused, each with its place', () => {
  const directives = parse(Buffer.from(`%YAML 1.1\n%TAG ! tag:x,2000:\n---\n${MENU}`))
  assert.equal(toLines(directives.problems), ['1:1 error yaml-directive', '2:1 error yaml-directive'])
  for (const text of [`${MENU}---\n${MENU}`, `${MENU}...\n---\n${MENU}`, `---\n---\n${MENU}`]) {
    const file = parse(Buffer.from(text))
    assert.is(file.menu, null)
    assert.is(onlyProblem(file).code, 'yaml-documents')
  }
})

test('keys that are no text are refused with their place', () => {
  const file = parseItems(
    '- label: Home\n  routeName: home\n  routeParams: {1: a, true: b, ~: c, [d]: e, {f: g}: h}',
  )
  assert.equal(
    toLines(file.problems),
    ['19', '25', '34', '40', '48'].map((column) => `7:${column} error key-not-text`),
  )
})

test('C6: what YAML 1.1 read as something else stays text', () => {
  for (const text of ['no', 'on', 'off', 'yes', 'y', 'N', '2024-01-01', '12:30:45', '1_000', '0b11', '1,5']) {
    const item = onlyItem(parseItems(`- label: ${text}\n  url: /`))
    assert.is(item['label'], text)
  }
})

test('C6: a label that YAML reads as a number or a boolean is an error with the advice to quote it as written', () => {
  for (const text of [
    '010',
    '1e3',
    '1.10',
    '0x1F',
    '0o17',
    '-5',
    '.5',
    '+1',
    'true',
    'False',
    '.inf',
    '.NaN',
  ]) {
    const file = parseItems(`- label: ${text}\n  url: /`)
    const problem = onlyProblem(file)
    assert.is(file.menu, null)
    assert.is(problem.code, 'wrong-type')
    assert.is(problem.todo, `Quote it: "${text}".`)
    assert.is(onlyItem(parseItems(`- label: "${text}"\n  url: /`))['label'], text)
  }
})

test('block scalars, quotes and comments give the texts that YAML 1.2 defines', () => {
  const file = parseItems(`
    # before
    - label: >-   # folded
        Opening
        hours
      url: '/it''s'
    - {label: "a\\u0301\\n", "url": /, icon: } # inside
  `)
  const [first, second] = menuOf(file).items.map((item) => ({ ...item }) as Record<string, unknown>)
  assert.equal([first?.['label'], first?.['url']], ['Opening hours', "/it's"])
  assert.equal([second?.['label'], second?.['icon']], ['a\u0301\n', null])
})

test('valid YAML that is surely a slip is reported with a suggestion', () => {
  const slips = [
    ['- label:Home', '5:5', 'Put a space after the colon: "label: Home".'],
    ['-label: Home', '5:3', 'Put a space after the dash: "- label: Home".'],
  ] as const
  for (const [lines, at, todo] of slips) {
    const problem = parseItems(lines).problems.find(({ code }) => code === 'wrong-type')
    assert.equal([`${problem?.line}:${problem?.column}`, problem?.todo], [at, todo])
  }
})

test('a slip of syntax is marked where people search for it, and reported with its fix', () => {
  const slips: readonly (readonly [lines: string, at: string, mark: string, todo: RegExp])[] = [
    ['- label: "Home\n  url: /\n- label: A\n  url: /a', '5:12', '"', /Close the quote/],
    ["- label: {en: 'Home, es: Casa}\n  url: /", '5:17', "'", /Close the quote/],
    ['- label: Home\n\turl: /', '6:1', ' ', /Indent with spaces/],
    ['- label: Home\n url: /', '6:1', ' ', /Align the key/],
    ['- label: Home: sweet\n  url: /', '5:12', 'Home: sweet', /^Quote the text: "Home: sweet"\.$/],
    ["- label: 'Bob's shop'\n  url: /", '5:12', "'Bob's shop'", /^Use double quotes: "Bob's shop"\.$/],
    ["- label: ', Bob's'\n  url: /", '5:12', "', Bob's'", /^Use double quotes: ", Bob's"\.$/],
    ["- label: {en: Bob, es: 'Bob's'}\n  url: /", '5:26', "'Bob's'", /^Use double quotes: "Bob's"\.$/],
    ['-label: Home\n url: /', '5:3', '-', /^Put a space after the dash: "- label: Home"\.$/],
    ['- label: Home\n  url:/', '6:5', 'url:', /^Put a space after the colon: "url: \/"\.$/],
    ['- label: @home\n  url: /', '5:12', '@', /Quote the text/],
    ['- label: "C:\\dir"\n  url: /', '5:15', '\\', /backslash/],
    ['- label:Home\n  url: /', '5:5', 'label:', /^Put a space after the colon: "label: Home"\.$/],
    ['- label: [Home\n  url: /', '5:16', 'e', /Close the bracket/],
  ]
  for (const [lines, at, mark, todo] of slips) {
    const [problem] = parseItems(lines).problems
    assert.is(problem?.code, 'yaml-syntax')
    assert.is(`${problem?.line}:${problem?.column}`, at, lines)
    assert.match(problem?.todo ?? '', todo)
    if (problem !== undefined) assert.is(marked(`\n\n\n\n${lines.replace(/^/gm, '  ')}`, problem), mark)
  }
})

test('errors of the YAML parser are reported in plain words', () => {
  const slips: readonly (readonly [lines: string, at: string, what: string])[] = [
    ['- label: [a, b\n  url: /', '5:16', 'A closing ] is missing on line 5.'],
    ['- {label: a,\n   url: /\n- label: b', '6:11', 'A closing } is missing on line 6.'],
    ['- label: a\n\turl: /', '6:1', 'A tab indents this line.'],
    [
      '- label: a\n   url: /',
      '5:12',
      'There is a second colon in this line, or the next line is indented too far.',
    ],
    ['- label: a\n url: /', '6:1', 'This line is not aligned with the lines above it.'],
    ['- label: a\n  url\n  icon: b', '6:5', 'This key has no colon on its line.'],
    ['- label: a\n  url: /\n  icon', '7:5', 'This key has no colon.'],
    ['- label: "a\\q"\n  url: /', '5:14', 'This backslash has no meaning in double quotes.'],
    ['- label: @a\n  url: /', '5:12', 'A text without quotes cannot begin with this character.'],
    ['- label: "a" b\n  url: /', '5:16', 'Text follows the closing quote.'],
    ['- label: {de: "x" en: "y"}\n  url: /', '5:21', 'A comma is missing between two entries in brackets.'],
    ['- label: {a: b c: d}\n  url: /', '5:16', 'A comma is missing between two entries in brackets.'],
    ['- label: [a,, b]\n  url: /', '5:15', 'There is a comma too many.'],
    ['- label: a\n  url: /\n]', '7:3', 'This ] closes nothing.'],
    ['- label: - a\n  url: /', '5:12', 'A list cannot begin on the line of its key.'],
    ['- label: |x\n   a\n  url: /', '5:13', 'Text follows | or > on the same line.'],
    ['- label: "x"#c\n  url: /', '5:15', 'There is no space before the #.'],
  ]
  for (const [lines, at, what] of slips) {
    const [problem] = parseItems(lines).problems
    assert.equal([problem?.code, problem?.what], ['yaml-syntax', what], lines)
    assert.is(`${problem?.line}:${problem?.column}`, at, lines)
    assert.match(problem?.todo ?? '', /\.$/, lines)
  }
})

test('A20: a file in UTF-16, with a byte order mark or without, is called UTF-16', () => {
  const little = Buffer.from('version: 1\ncode: main\nname: Menú\nitems: []\n', 'utf16le')
  const big = Buffer.from(little).swap16()
  const forms = [
    little,
    big,
    Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
  ]
  for (const bytes of forms) {
    const { code, what } = onlyProblem(parse(bytes))
    assert.equal([code, what], ['not-utf8', 'The file is UTF-16, not UTF-8.'])
  }
})

test.run()
