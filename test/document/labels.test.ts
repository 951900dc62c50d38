import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf, onlyItem, onlyProblem, parseItems, toLines } from './parsing.js'

const labelled = (label: string, locales: readonly string[] = ['en']) =>
  parseItems(`- {label: ${label}, url: /}`, { locales })

test('a label is one text for every locale, or texts by locale', () => {
  assert.is(onlyItem(labelled('Home'))['label'], 'Home')
  assert.equal(onlyItem(labelled('{en: Home, es: Inicio}', ['en', 'es']))['label'], {
    en: 'Home',
    es: 'Inicio',
  })
})

test('one text is never a missing translation', () => {
  assert.equal(labelled('Home', ['en', 'es', 'fr']).problems, [])
})

test('a null or blank translation counts as absent', () => {
  for (const blank of ['', 'null', '""', '" "', '"\\t\\u00a0"']) {
    const file = labelled(`{en: Home, es: ${blank}}`, ['en', 'es'])
    assert.equal(toLines(file.problems), ['5:6 warning missing-translation'])
    assert.equal(onlyItem(file)['label'], { en: 'Home' })
  }
})

test('a label needs at least one text', () => {
  for (const label of ['', 'null', '""', '" "', '{}', '{en: }', '{en: "", es: " "}']) {
    const file = labelled(label, ['en', 'es'])
    assert.is(onlyProblem(file).code, 'empty-label', label)
    assert.is(file.menu, null)
  }
})

test('a label is required except on dividers', () => {
  for (const type of ['link, url: /', 'section']) {
    const problem = onlyProblem(parseItems(`- {type: ${type}}`))
    assert.equal([problem.code, problem.suggestion], ['missing-key', 'label'])
  }
})

test('texts are texts: numbers, lists and maps are errors with their place', () => {
  for (const label of ['5', '[a]', 'true', '{en: 5}', '{en: [a]}', '{en: {a: b}}']) {
    assert.is(labelled(label).menu, null, label)
    assert.is(labelled(label).problems[0]?.code, 'wrong-type', label)
  }
})

test('tags are kept in their canonical form, and another form is a warning', () => {
  const file = labelled('{EN: a, pt_br: b, zh-hant-tw: c, iw: d}', ['en', 'pt-BR', 'zh-Hant-TW', 'he'])
  assert.equal(onlyItem(file)['label'], { en: 'a', 'pt-BR': 'b', 'zh-Hant-TW': 'c', he: 'd' })
  assert.equal(
    file.problems.map(({ code, suggestion }) => `${code} ${suggestion}`),
    ['locale-form en', 'locale-form pt-BR', 'locale-form zh-Hant-TW', 'locale-form he'],
  )
})

test('two tags of one locale are an error', () => {
  for (const label of ['{EN: a, en: b}', '{en_us: a, en-US: b}', '{en-us: a, en-US: b}']) {
    assert.ok(
      labelled(label, ['en', 'en-US']).problems.some(({ code }) => code === 'duplicate-key'),
      label,
    )
    assert.is(labelled(label, ['en', 'en-US']).menu, null)
  }
})

test('two tags of one locale are an error even where neither is the canonical one', () => {
  const file = labelled('{EN: a, eN: b}')
  assert.is(file.menu, null)
  assert.equal(toLines(file.problems).at(-1), '5:21 error duplicate-key')
})

test('a key that is no language tag is one error', () => {
  for (const tag of ['e', '"en "', 'en--us', 'englishes_', '"1"', 'x', 'en/us', '""', 'x-klingon']) {
    const errors = labelled(`{en: a, ${tag}: b}`).problems.filter(({ severity }) => severity === 'error')
    assert.equal(
      errors.map(({ code }) => code),
      ['bad-value'],
      tag,
    )
  }
})

test('a locale that is not configured is a warning and its text is kept', () => {
  const file = labelled('{en: a, em: b}')
  const problem = onlyProblem(file)
  assert.equal([problem.code, problem.suggestion], ['unknown-locale', 'en'])
  assert.equal(onlyItem(file)['label'], { en: 'a', em: 'b' })
})

test('the locales that a label lacks are named in one warning', () => {
  const problem = onlyProblem(labelled('{es: a}', ['en', 'es', 'pt-BR']))
  assert.equal(
    [problem.code, problem.what],
    ['missing-translation', 'No text in English (en) and Brazilian Portuguese (pt-BR).'],
  )
})

test('C9: markup, templates, writing directions and zero-width characters are kept as data', () => {
  const texts = [
    '<script>alert(1)</script>',
    '{{7*7}} {% x %} <%= y %>',
    'A & B &amp; "C"',
    '\u202eevil\u202c',
    'zero\u200bwidth\u200d',
    'مرحبا',
    '👩‍👩‍👧‍👦 🇪🇸',
    'e\u0301',
    'line\u2028separator',
    '\ud83c\udf70',
  ]
  const file = parseItems(
    texts
      .map(
        (text) =>
          `- {label: ${JSON.stringify(text)}, url: /}\n- {label: {en: ${JSON.stringify(text)}}, url: /}`,
      )
      .join('\n'),
  )
  assert.equal(file.problems, [])
  const labels = menuOf(file).items.map((item) => ('label' in item ? item.label : null))
  assert.equal(
    labels,
    texts.flatMap((text) => [text, { en: text }]),
  )
})

test('C9: half a surrogate pair is refused anywhere, and a whole one is its character', () => {
  const [half, key] = ['"a\\ud800b"', '"\\udc00"']
  for (const file of [
    labelled(half),
    parseItems(`- label: Home\n  routeName: home\n  routeParams: { id: ${half} }`),
    parseItems(`- label: Home\n  routeName: home\n  routeParams: { ${key}: 1 }`),
  ]) {
    assert.is(onlyProblem(file).code, 'control-character')
    assert.match(onlyProblem(file).what, 'half a character')
  }
  assert.is(onlyProblem(parseItems('- label: Home\n  url: "/\\ud800"')).code, 'unsafe-url')
  assert.is(onlyItem(labelled('"\\ud83c\\udf70"'))['label'], '🍰')
})

test('C9: no text of a menu has a control character, U+0085 included, written as such or as an escape', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{Cc}/u.test(character) && !'\t\n\r'.includes(character),
  )
  for (const character of controls) {
    const escaped = `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    for (const text of [`"a${character}b"`, `"a${escaped}b"`]) {
      for (const item of [
        `{ label: ${text}, url: / }`,
        `{ label: { en: ${text} }, url: / }`,
        `{ label: A, url: /, attributes: { title: ${text} } }`,
        `{ label: A, url: /, permissions: [${text}] }`,
        `{ label: A, url: /, x-own: { ${text}: 1 } }`,
        `{ label: A, routeName: a, routeParams: { a: ${text} } }`,
      ]) {
        const { menu, problems } = parseItems(`- ${item}`)
        assert.is(menu, null)
        assert.ok(
          problems.some(({ code }) => code === 'control-character'),
          `${item}: ${toLines(problems)}`,
        )
      }
      const { menu } = parseItems(`- { label: A, url: ${text} }`)
      assert.is(menu, null)
    }
  }
})

test('C9: a carriage return that is written as an escape is refused unless a line feed follows', () => {
  assert.is(onlyProblem(labelled('"a\\rb"')).code, 'control-character')
  assert.equal(labelled('"a\\r\\nb"').problems, [])
})

test('C9: a text has at most 1,000 characters', () => {
  assert.equal(labelled('x'.repeat(1000)).problems, [])
  assert.is(onlyProblem(labelled('x'.repeat(1001))).code, 'bad-value')
  assert.is(onlyProblem(labelled(`{en: ${'x'.repeat(1001)}}`)).code, 'bad-value')
})

test('a text of a broader locale serves the narrower ones: it is neither missing nor unknown', () => {
  const locales = ['en', 'es', 'es-MX', 'zh-Hant']
  assert.equal(labelled('{en: Home, es: Inicio, zh: 首頁}', locales).problems, [])
  const narrow = labelled('{en: Home, es-MX: Inicio, zh-Hant: 首頁}', locales)
  assert.match(onlyProblem(narrow).what, /^No text in Spanish \(es\)\.$/)
  const other = labelled('{en: Home, es: Inicio, zh-Hans: 首页}', locales)
  assert.equal(
    other.problems.map(({ code }) => code),
    ['missing-translation', 'unknown-locale'],
  )
})

test('a text in a language that is one is never taken for a slip of another language', () => {
  assert.is(onlyProblem(labelled('{en: Home, es: Inicio}')).suggestion, null)
  assert.is(
    onlyProblem(labelled('{en: Home, pt-BR: Casa, pt-BT: Casa}', ['en', 'pt-BR'])).suggestion,
    'pt-BR',
  )
})

test('a text under an unknown language is reported with a suggestion', () => {
  for (const [tag, meant] of [
    ['sp', 'es'],
    ['jp', 'ja'],
    ['english', 'en'],
  ] as const) {
    const problem = onlyProblem(labelled(`{en: Home, ${tag}: Casa}`))
    assert.equal([problem.code, problem.suggestion], ['unknown-locale', meant])
    assert.match(problem.what, 'is not a language')
  }
})

test.run()
