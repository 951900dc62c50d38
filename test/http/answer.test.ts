import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import { closing, test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { menuText, openSite } from './sites.js'

const MAIN = yaml`
  version: 1
  code: main
  name: Main menu
  items:
    - label: { en: Home, es: Inicio }
      url: /
      icon: bootstrap-icons:house
    - type: section
      label: { en: Reports, es: Informes }
      children:
        - label: { en: Sales, es: Ventas }
          routeName: report
          routeParams: { id: sales, year: 2026 }
        - type: divider
        - label: <b>{{7*7}}</b>
          url: https://help.example.org/
`
const MAIN_TREE = [
  { label: 'Inicio', href: '/', routeName: null, icon: 'bi:house', itemType: 'link', children: [] },
  {
    label: 'Informes',
    href: '#',
    routeName: null,
    icon: null,
    itemType: 'section',
    children: [
      {
        label: 'Ventas',
        href: '/es/reports/sales?year=2026',
        routeName: 'report',
        icon: null,
        itemType: 'link',
        children: [],
      },
      { label: '', href: '#', routeName: null, icon: null, itemType: 'divider', children: [] },
      {
        label: '<b>{{7*7}}</b>',
        href: 'https://help.example.org/',
        routeName: null,
        icon: null,
        itemType: 'link',
        children: [],
      },
    ],
  },
]
const site = await openSite(
  { 'main.yaml': MAIN, 'footer.yaml': menuText('footer', 'Footer') },
  {
    config: {
      locales: ['en', 'es'],
      routes: { report: '/:_locale/reports/:id' },
      icon_library_prefix_map: { 'bootstrap-icons': 'bi' },
    },
  },
)
test.after(() => site.close())

const { ask } = site

/** The header lines as they were sent, those aside that differ with time. */
function linesOf({ rawHeaders }: HttpAnswer): string[] {
  const lines = rawHeaders.flatMap((name, place) =>
    place % 2 === 0 ? [`${name}: ${rawHeaders[place + 1]}`] : [],
  )
  return lines.filter((line) => !line.startsWith('Date:'))
}

test('A menu is answered as JSON: its nodes have six members in their order', async () => {
  const { status, headers, text } = await ask('/api/menu/main?_locale=es')
  assert.is(status, 200)
  assert.is(headers['content-type'], 'application/json')
  assert.is(text, JSON.stringify(MAIN_TREE))
})

test('D5: HEAD has the headers of GET, with Content-Length, and no body', async () => {
  for (const path of [
    '/api/menu/main',
    '/api/menu/nothing',
    '/api/menu/main?_locale=es&_locale=en',
    '/livez',
    '/none',
  ]) {
    const full = await ask(path)
    const head = await ask(path, { method: 'HEAD' })
    assert.equal([head.status, linesOf(head)], [full.status, linesOf(full)], path)
    assert.is(Number(head.headers['content-length']), full.body.length)
    assert.is(head.body.length, 0)
  }
})

test('D19: the language of the answer is the effective locale', async () => {
  const languageOf = async (query: string, header = 'es') => {
    const { headers } = await ask(`/api/menu/main${query}`, { headers: { 'accept-language': header } })
    return headers['content-language']
  }
  assert.is(await languageOf('?_locale=ES_mx', 'en'), 'es')
  assert.is(await languageOf('?_locale=en'), 'en')
  assert.is(await languageOf('?_locale=fr'), 'en')
  assert.is(await languageOf(''), 'es')
  assert.is(await languageOf('?_locale='), 'es')
  assert.is(await languageOf('', 'fr, de;q=0.2'), 'en')
})

test('Menu-Version is the content hash of the file, and absent when no menu matches', async () => {
  const [main, footer, none] = [
    await ask('/api/menu/main'),
    await ask('/api/menu/footer'),
    await ask('/api/menu/x'),
  ]
  const { 'menu-version': version = '' } = main.headers
  assert.match(version, /^[\w-]{16,}$/)
  assert.is.not(footer.headers['menu-version'], version)
  assert.is((await ask('/api/menu/main?_locale=es')).headers['menu-version'], version)
  assert.not(Object.hasOwn(none.headers, 'menu-version'))
})

test('D17: the entity tag is strong, and changes exactly when the bytes do', async () => {
  const [one, again, other] = [
    await ask('/api/menu/main'),
    await ask('/api/menu/main?_locale=en&x=1'),
    await ask('/api/menu/main?_locale=es'),
  ]
  assert.match(one.headers['etag'] ?? '', /^"[!#-~]+"$/)
  assert.is(again.headers['etag'], one.headers['etag'])
  assert.is.not(other.headers['etag'], one.headers['etag'])
})

test('D17: a client that has the tree gets 304 without a body, however it names the tag', async () => {
  const { headers, body } = await ask('/api/menu/main')
  assert.ok(body.length > 0)
  const tag = headers['etag'] ?? ''
  for (const named of [tag, `W/${tag}`, '*', ` ${tag} `, `"x", ${tag}`, `W/"x",W/${tag},"y"`]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/api/menu/main', { method, headers: { 'if-none-match': named } })
      assert.equal([answer.status, answer.body.length], [304, 0], named)
      const names = ['etag', 'cache-control', 'vary', 'menu-version', 'content-language']
      for (const name of [...names, 'access-control-allow-origin'])
        assert.is(answer.headers[name], headers[name], name)
    }
  }
})

test('D17: an edit of a comment changes no body and no tag, but the version of a 304', async () => {
  const text = menuText('main', 'Home')
  const before = closing(await openSite({ 'main.yaml': text }))
  const after = closing(await openSite({ 'main.yaml': `# Why this menu is as it is.\n${text}` }))
  const { headers } = await before.ask('/api/menu/main')
  const tag = { 'if-none-match': headers['etag'] ?? '' }
  const edited = await after.ask('/api/menu/main', { headers: tag })
  assert.is(edited.status, 304)
  assert.type(edited.headers['menu-version'], 'string')
  assert.is.not(edited.headers['menu-version'], headers['menu-version'])
})

test('D17: a client that has another tree gets the whole one', async () => {
  const tag = (await ask('/api/menu/main')).headers['etag'] ?? ''
  for (const named of ['"x"', '', tag.slice(1, -1), `${tag}x`, '"*"', tag.toUpperCase(), '""'])
    assert.is((await ask('/api/menu/main', { headers: { 'if-none-match': named } })).status, 200, named)
  assert.is((await ask('/api/menu/main?_locale=es', { headers: { 'if-none-match': tag } })).status, 200)
})

test('D17: an answer of no menu has a tag, too', async () => {
  const { headers } = await ask('/api/menu/nothing')
  const again = await ask('/api/menu/nothing', { headers: { 'if-none-match': headers['etag'] ?? '' } })
  assert.is(again.status, 304)
})

test('D6: other methods are refused with the allowed ones', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE']) {
    const { status, headers, json } = await ask('/api/menu/main', { method })
    assert.is(status, 405, method)
    assert.is(headers['allow'], 'GET, HEAD, OPTIONS')
    assert.is(headers['content-type'], 'application/problem+json')
    assert.is((json() as { code: string }).code, 'method-not-allowed')
  }
})

test('D6: OPTIONS lists the allowed methods, without a body or its length', async () => {
  for (const path of ['/api/menu/main', '/livez', '/readyz', '/openapi.json']) {
    const { status, headers, body } = await ask(path, { method: 'OPTIONS' })
    assert.equal([status, headers['allow'], body.length], [204, 'GET, HEAD, OPTIONS', 0], path)
    assert.not(Object.hasOwn(headers, 'content-length'), 'RFC 9110, section 8.6')
  }
})

test('D10: Range is ignored', async () => {
  const whole = await ask('/api/menu/main')
  for (const range of [
    'bytes=5-2',
    'bytes=0-99999999999999999999',
    'bytes=-5',
    'bytes=0-1,4-5',
    'pages=1',
    '\u00ff',
  ]) {
    const { status, headers, text } = await ask('/api/menu/main', { headers: { range } })
    assert.equal([status, text, headers['content-range']], [200, whole.text, undefined], range)
  }
})

test('Unknown parameters are ignored, malformed ones too', async () => {
  const { text } = await ask('/api/menu/main')
  for (const query of [
    '?x=1',
    '?x=%zz',
    '?%zz=1',
    '?&&=&',
    '?_Locale=es',
    '?_locale[]=es',
    '?__proto__=1&__proto__=2',
  ])
    assert.is((await ask(`/api/menu/main${query}`)).text, text, query)
})

test('No answer is guessed to be of another type', async () => {
  for (const path of ['/api/menu/main', '/api/menu/x', '/none', '/livez', '/api/menu/main?_context_sets=x'])
    assert.is((await ask(path)).headers['x-content-type-options'], 'nosniff', path)
})

test('Paths near the endpoint are not found', async () => {
  for (const path of [
    '/api/menu',
    '/api/menu/',
    '/api/menu/a/b',
    '/api/menus/main',
    '/API/menu/main',
    '/x',
  ]) {
    const { status, headers } = await ask(path)
    assert.equal([status, headers['content-type']], [404, 'application/problem+json'], path)
  }
})

test.run()
