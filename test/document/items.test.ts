import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf, onlyItem, onlyProblem, parse, parseItems, routesOf, toLines } from './parsing.js'

test('an item without a type is a link, with the defaults of all that is not written', () => {
  const item = onlyItem(parseItems('- label: Home\n  url: /'))
  assert.equal(item, {
    type: 'link',
    id: null,
    line: 5,
    hidden: false,
    visibleFrom: null,
    visibleUntil: null,
    permissions: [],
    permissionMode: 'all',
    attributes: null,
    label: 'Home',
    icon: null,
    children: [],
    routeName: null,
    routeParams: {},
    url: '/',
  })
})

test('a link needs exactly one of routeName and url', () => {
  assert.is(onlyProblem(parseItems('- label: Home')).code, 'link-without-destination')
  assert.is(onlyProblem(parseItems('- {label: Home, type: link}')).code, 'link-without-destination')
  assert.is(
    onlyProblem(parseItems('- {label: Home, url: /, routeName: home}')).code,
    'link-with-two-destinations',
  )
  assert.equal(parseItems('- {label: Home, routeName: home}').problems, [])
  assert.is(onlyProblem(parseItems('- {label: Home, url: ""}')).code, 'link-without-destination')
})

test('a link may have children and keeps its own destination', () => {
  const item = onlyItem(parseItems('- {label: A, url: /a, children: [{label: B, url: /b}]}'))
  assert.is(item['url'], '/a')
  assert.is((item['children'] as readonly unknown[]).length, 1)
})

test('a section may name a route, or lead nowhere', () => {
  const named = onlyItem(parseItems('- {type: section, label: A, routeName: a, routeParams: {id: 1}}'))
  assert.equal([named['routeName'], named['routeParams']], ['a', { id: 1 }])
  assert.equal(parseItems('- {type: section, label: A}').problems, [])
})

test('a section with any url is refused', () => {
  for (const url of ['/', 'javascript:x', '""', '']) {
    const { problems } = parseItems(`- {type: section, label: A, url: ${url}}`)
    assert.is(problems[0]?.code, 'section-url')
  }
})

test('a divider needs no label', () => {
  const item = onlyItem(parseItems('- type: divider'))
  assert.equal(Object.keys(item), [
    'type',
    'id',
    'line',
    'hidden',
    'visibleFrom',
    'visibleUntil',
    'permissions',
    'permissionMode',
    'attributes',
  ])
})

test('keys that a divider does not use are ignored with a warning each, and not kept', () => {
  const file = parseItems(
    '- {type: divider, label: {xx: A}, icon: zz:a, url: "javascript:x", routeName: a, routeParams: {a: 1}}',
  )
  assert.equal(
    toLines(file.problems).map((line) => line.replace(/^\S+ /, '')),
    Array(5).fill('warning ignored-on-divider'),
  )
  assert.is(onlyItem(file)['url'], undefined)
})

test('children of a divider are an error, even an empty list', () => {
  for (const children of ['[]', '[{label: A, url: /}]']) {
    const file = parseItems(`- {type: divider, children: ${children}}`)
    assert.is(onlyProblem(file).code, 'divider-children')
  }
})

test('a divider can be hidden, have an id and permissions', () => {
  const item = onlyItem(parseItems('- {type: divider, id: d, hidden: true, permissions: [a]}'))
  assert.equal([item.id, item.hidden, item.permissions], ['d', true, ['a']])
})

test('an item is a map: anything else is one problem at its place', () => {
  const file = parseItems('- Home\n- 5\n- [a]\n-\n- {label: A, url: /}')
  assert.equal(
    toLines(file.problems),
    ['5:5', '6:5', '7:5', '8:4'].map((place) => `${place} error wrong-type`),
  )
})

test('a type is link, section or divider, in this case; a near one is suggested', () => {
  const problem = onlyProblem(parseItems('- {type: Section, label: A}'))
  assert.equal([problem.code, problem.suggestion], ['bad-value', 'section'])
  assert.is(parseItems('- {type: , label: A, url: /}').menu, null)
})

test('hidden is true or false and no other word for it', () => {
  assert.is(onlyItem(parseItems('- {label: A, url: /, hidden: true}')).hidden, true)
  assert.is(onlyItem(parseItems('- {label: A, url: /, hidden: false}')).hidden, false)
  for (const word of ['yes', 'on', '1', '"true"']) {
    const problem = onlyProblem(parseItems(`- {label: A, url: /, hidden: ${word}}`))
    assert.equal([problem.code, problem.todo], ['wrong-type', 'Write true or false, without quotes.'])
  }
})

test('order is list order, at every level', () => {
  const file = parseItems(`
    - {label: c, url: /, children: [{label: z, url: /}, {label: a, url: /}]}
    - {label: b, url: /}
    - {label: a, url: /}
  `)
  const labels = menuOf(file).items.map((item) => ('label' in item ? item.label : ''))
  assert.equal(labels, ['c', 'b', 'a'])
})

test('permissions are a list of texts that are not blank and have no blanks around them', () => {
  const item = onlyItem(parseItems('- {label: A, url: /, permissions: [reports.view, "a b", ä:1]}'))
  assert.equal([item.permissions, item.permissionMode], [['reports.view', 'a b', 'ä:1'], 'all'])
  for (const key of ['""', '" "', '" a"', '"a "', '"a\\n"', '"\\u00a0a"', '5', '~', 'true', '[a]']) {
    const file = parseItems(`- {label: A, url: /, permissions: [${key}, ok]}`)
    assert.is(onlyProblem(file).pointer, '/items/0/permissions/0', key)
    assert.is(file.menu, null)
  }
  assert.is(onlyProblem(parseItems('- {label: A, url: /, permissions: reports.view}')).code, 'wrong-type')
})

test('a permission key has nothing invisible around it, which comes along when it is copied', () => {
  for (const key of ['a\u200b', '\u200ba', 'a\u2060', '\u200e', 'a\ufeff', '\u00ada']) {
    const file = parseItems(`- {label: A, url: /, permissions: ["${key}"]}`)
    assert.equal([onlyProblem(file).code, file.menu], ['bad-value', null], JSON.stringify(key))
  }
  const inside = parseItems('- {label: A, url: /, permissions: ["a\u200cb", "🔑"]}')
  assert.equal(onlyItem(inside).permissions, ['a\u200cb', '🔑'])
})

test('the permission mode is all or any', () => {
  assert.is(onlyItem(parseItems('- {label: A, url: /, permissionMode: any}')).permissionMode, 'any')
  for (const mode of ['ANY', 'one', 'true', '']) {
    assert.is(onlyProblem(parseItems(`- {label: A, url: /, permissionMode: ${mode}}`)).code, 'bad-value')
  }
})

test('an id is a letter and up to 63 letters, digits, underscores and hyphens', () => {
  for (const id of ['a', 'Help-centre_2', 'a'.repeat(64)]) {
    assert.is(onlyItem(parseItems(`- {label: A, url: /, id: ${id}}`)).id, id)
  }
  for (const id of ['1a', '-a', '_a', 'a.b', 'ä', '"a b"', '""', 'a'.repeat(65), '5', '']) {
    assert.is(parseItems(`- {label: A, url: /, id: ${id}}`).menu, null, id)
  }
})

test('an id is unique in its menu, dividers and all levels together; its case counts', () => {
  const file = parseItems(`
    - {label: A, url: /, id: a, children: [{type: divider, id: b}]}
    - {label: A, url: /, id: A, children: [{label: A, url: /, id: a}]}
    - {type: divider, id: b}
  `)
  assert.equal(toLines(file.problems), ['6:65 error duplicate-id', '7:25 error duplicate-id'])
})

test('C18: an item has another id than the list at the top, which is display.htmlId', () => {
  const withId = (id: string, htmlId: string) =>
    parse(`
      version: 1
      code: main
      name: Main menu
      display: { htmlId: ${htmlId} }
      items:
        - type: section
          label: A
          children: [{ label: B, url: /, id: ${id} }]
    `)
  const problem = onlyProblem(withId('main-menu', 'main-menu'))
  assert.equal([problem.code, problem.pointer], ['duplicate-id', '/items/0/children/0/id'])
  assert.match(problem.what, 'display.htmlId')
  assert.equal(withId('main-menu', 'Main-menu').problems, [])
  assert.equal(withId('main', 'null').problems, [])
})

test('an empty icon counts as none', () => {
  for (const icon of ['', '""', "''", '~', 'null']) {
    const file = parseItems(`- {label: A, url: /, icon: ${icon}}`)
    assert.equal(file.problems, [])
    assert.is(onlyItem(file)['icon'], null)
  }
})

test('C10: an icon keeps to its pattern, so that no markup gets in by it', () => {
  for (const icon of ['bootstrap-icons:house', 'fa-solid fa-house', 'a/b.svg', 'x']) {
    assert.is(onlyItem(parseItems(`- {label: A, url: /, icon: "${icon}"}`))['icon'], icon)
  }
  for (const icon of [
    '\\"><script>',
    '<svg>',
    "a'b",
    'a&b',
    ' a',
    ':house',
    'a\\nb',
    '../a\\u0000'.slice(0, 4),
    '{{7*7}}',
  ]) {
    const problem = onlyProblem(parseItems(`- {label: A, url: /, icon: "${icon}"}`))
    assert.is(problem.code, 'bad-value', icon)
  }
})

test('an icon library without a prefix is a warning that suggests a near one', () => {
  const deviation = { iconLibraries: new Set(['bootstrap-icons']) }
  const problem = onlyProblem(parseItems('- {label: A, url: /, icon: "bootstrap-icon:a"}', deviation))
  assert.equal([problem.code, problem.suggestion], ['unknown-icon-library', 'bootstrap-icons'])
  assert.equal(parseItems('- {label: A, url: /, icon: house}', deviation).problems, [])
})

test('parameters of a route are scalars or lists of scalars with exact numbers', () => {
  const of = (params: string) => parseItems(`- {label: A, routeName: a, routeParams: ${params}}`)
  assert.equal(onlyItem(of('{a: 1.5, b: [x, null, true, -2], c: , d: ""}'))['routeParams'], {
    a: 1.5,
    b: ['x', null, true, -2],
    c: null,
    d: '',
  })
  for (const params of ['{a: {b: c}}', '{a: [[b]]}', '[a]', 'a', '{a: 9007199254740993}', '{a: [.inf]}']) {
    assert.is(of(params).menu, null, params)
  }
})

test('a route that is not declared is a warning that suggests a near one', () => {
  const deviation = { routes: routesOf({ 'products.index': '/products', home: '/' }) }
  const file = parseItems('- {label: A, routeName: product.index}', deviation)
  const problem = onlyProblem(file)
  assert.equal([problem.code, problem.suggestion], ['unknown-route', 'products.index'])
  assert.is(onlyItem(file)['routeName'], 'product.index')
})

test('a menu with routes where nothing makes paths is warned once', () => {
  const file = parseItems('- {label: A, url: /}\n- {label: B, routeName: b}\n- {label: C, routeName: c}', {
    pathsAreMade: false,
    now: null,
  })
  assert.equal(toLines(file.problems), ['6:27 warning no-routes'])
})

test.run()
