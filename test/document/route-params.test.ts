import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { timeOf } from '../support/times.js'
import { parseItems, routesOf } from './parsing.js'

/** What is told of an item with this route and these parameters: code, and what is suggested. */
function told(patterns: Readonly<Record<string, string>>, params: string): readonly string[] {
  const item = `- { label: A, routeName: r, routeParams: ${params} }`
  const { problems } = parseItems(item, { routes: routesOf(patterns) })
  return problems.map(({ code, suggestion }) => (suggestion === null ? code : `${code} ${suggestion}`))
}

test('a parameter is missing when the path needs it and neither the item nor a page provides it', () => {
  assert.equal(told({ r: '/users/:id' }, '{}'), ['missing-parameter'])
  assert.equal(told({ r: '/users/:id' }, '{ id: null }'), ['missing-parameter'])
  assert.equal(told({ r: '/users/:id' }, '{ id: 7 }'), [])
  assert.equal(told({ r: '/users/:id' }, '{ id: 0 }'), [])
  assert.equal(told({ r: '/:_locale/:page?/*' }, '{}'), [])
  assert.equal(told({ r: '/users/:id', other: '/users/:id/edit' }, '{}'), [], 'a page of the other lends it')
})

test('a value that cannot fill its place is reported, even if another could be lent', () => {
  const patterns = { r: '/users/:id/:tab?', other: '/users/:id' }
  for (const params of [
    '{ id: "" }',
    '{ id: [7] }',
    '{ id: .. }',
    '{ id: 7, tab: . }',
    '{ id: 7, tab: [a, b] }',
  ]) {
    assert.equal(told(patterns, params), ['missing-parameter'], params)
  }
  assert.equal(told(patterns, '{ id: 7, tab: "" }'), [])
  assert.equal(told({ r: '/files/*' }, '{ "*": a/../b }'), ['missing-parameter'])
  assert.equal(told({ r: '/files/*' }, '{ "*": a/b }'), [])
})

test('a value that is not among those that the route lists is reported, with the one that was meant', () => {
  const routes = routesOf({ r: { pattern: '/rooms/:room', params: { room: { values: ['bedroom', 3] } } } })
  const toldOf = (room: string): readonly string[] =>
    parseItems(`- { label: A, routeName: r, routeParams: { room: ${room} } }`, { routes }).problems.map(
      ({ code, suggestion, pointer }) => `${code} ${suggestion} ${pointer}`,
    )
  const at = '/items/0/routeParams/room'
  assert.equal(toldOf('bedrom'), [`unknown-param-value bedroom ${at}`])
  assert.equal(toldOf('bed'), [`unknown-param-value null ${at}`])
  for (const known of ['bedroom', '3', '"3"']) assert.equal(toldOf(known), [], known)
})

test('the _locale of a language switch is one of the locales, or what a page of it would be served in', () => {
  const toldOf = (params: string, pattern = '/:_locale/news') => {
    const item = `- { label: A, routeName: r, routeParams: ${params} }`
    const { problems } = parseItems(item, {
      routes: routesOf({ r: pattern }),
      locales: ['en', 'es', 'pt-BR'],
    })
    return problems.map(({ code, suggestion, pointer }) => `${code} ${suggestion} ${pointer}`)
  }
  const at = '/items/0/routeParams/_locale'
  for (const known of ['es', 'ES', 'es-MX', 'pt-BR', 'pt_br', 'null'])
    assert.equal(toldOf(`{ _locale: ${known} }`), [], known)
  assert.equal(toldOf('{ _locale: fr }'), [`unknown-locale null ${at}`])
  assert.equal(toldOf('{ _locale: pt-BT }'), [`unknown-locale pt-BR ${at}`])
  assert.equal(toldOf('{ _locale: 7 }'), [`unknown-locale null ${at}`])
  assert.equal(toldOf('{ _locale: [es] }'), [`missing-parameter null ${at}`])
  assert.equal(toldOf('{ _locale: "" }'), [`missing-parameter null ${at}`])
  assert.equal(toldOf('{ _locale: "" }', '/:_locale?/news'), [])
  assert.equal(toldOf('{ _locale: fr }', '/news'), [], 'where it is part of the query string')
  assert.equal(toldOf('{ locale: es }'), ['unknown-parameter _locale /items/0/routeParams/locale'])
})

test('a parameter of the route and _locale are never misspelt, however near another name is', () => {
  assert.equal(told({ r: '/:page?/:pages?' }, '{ page: 1 }'), [])
  assert.equal(told({ r: '/:locale?/news' }, '{ _locale: en }'), [])
})

test('a misspelt parameter is reported once, with a suggestion', () => {
  assert.equal(told({ r: '/users/:userId' }, '{ userid: 7 }'), ['unknown-parameter userId'])
  assert.equal(told({ r: '/users/:userId' }, '{ user_id: 7 }'), ['unknown-parameter userId'])
  assert.equal(told({ r: '/orders/:state?' }, '{ sttae: open }'), ['unknown-parameter state'])
})

test('unused parameters are the query string, without a problem', () => {
  assert.equal(told({ r: '/orders/:state?' }, '{ status: open, page: 2, q: lamp }'), [])
  assert.equal(told({ r: '/orders/:state?' }, '{ state: open, State: x }'), [])
  assert.equal(told({ r: '/a/:year1' }, '{ year1: 1, year2: 2 }'), [])
})

/** Whether a path is told as one that no route of a site has. */
function isUnknown(url: string): boolean {
  const routes = routesOf({
    root: '/',
    a: '/:_locale/shop/:category?/:page?',
    b: '/files/*',
    c: '/caf%C3%A9/:name.html',
    d: '/shop/:id/edit',
  })
  const { problems } = parseItems(`- { label: A, url: "${url}" }`, { routes, locales: ['en', 'pt-BR'] })
  return problems.some(({ code }) => code === 'unknown-path')
}

test('a path is known when a pattern can give it', () => {
  const known = '/ /?a=b /en/shop /en/shop/ /pt-BR/shop/lamps/2#x /files/ /files/a/b /café/x.html'.split(' ')
  for (const url of [...known, '/caf%C3%A9/x.html', '/shop/7/edit', 'https://a.example/x', './x', '?y', '#z'])
    assert.not.ok(isUnknown(url), url)
  const unknown = ['/x', '/de/shop', '/en/shop/a/b/c', '/café/x', '/café/.html', '/shop/7', '/shop//edit']
  for (const url of unknown) assert.ok(isUnknown(url), url)
})

test('the path / is known where the one parameter of a route can be left out', () => {
  const { problems } = parseItems('- { label: A, url: / }', { routes: routesOf({ home: '/:page?' }) })
  assert.equal(problems, [])
})

test('paths are found quickly among any number of routes', () => {
  const patterns = Array.from({ length: 20_000 }, (_, number) => [`r${number}`, `/:a/${number}/:b?/end`])
  const routes = routesOf(Object.fromEntries(patterns))
  const items = Array.from({ length: 2_000 }, (_, number) => `- { label: A, url: /x/${number * 10}/end }`)
  const took = timeOf(() => assert.equal(parseItems(items.join('\n'), { routes }).problems, []))
  assert.ok(took < 3_000, `${took} ms`)
})

test.run()
