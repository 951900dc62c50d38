import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RouteParams } from '../../src/model/menu.js'
import { parseRoute, toPath } from '../../src/service/routes.js'
import { sized } from '../support/figures.js'
import { patterns, routeParams } from './arbitraries.js'
import { hrefOf } from './oracle.js'

interface Given {
  readonly item?: RouteParams
  readonly host?: Readonly<Record<string, unknown>>
  readonly locale?: string
}

/** The path of a pattern; fails when it is none. */
function pathOf(pattern: string, { item = {}, host = {}, locale = 'en' }: Given = {}): string | null {
  const route = parseRoute(pattern)
  if (route === null) throw new Error(`${pattern} is no pattern.`)
  return toPath(route, { item, host, locale })
}

test('Random patterns and parameters give the address of the contract', () => {
  fc.assert(
    fc.property(patterns, routeParams, routeParams, (pattern, params, host) => {
      const expected = hrefOf({ pattern, params, host, locale: 'zh-Hant' })
      assert.is(pathOf(pattern, { item: params, host, locale: 'zh-Hant' }), expected)
    }),
    { numRuns: sized(1_000, 10_000) },
  )
})

test('A parameter fills its place, percent-encoded', () => {
  assert.is(pathOf('/users/:id', { item: { id: 'a/b c?ñ' } }), '/users/a%2Fb%20c%3F%C3%B1')
  assert.is(pathOf('/reports/:id.csv', { item: { id: 7 } }), '/reports/7.csv')
})

test('An optional parameter may be left out with its slash, alone it leaves the root', () => {
  assert.is(pathOf('/blog/:page?', { item: { page: 2 } }), '/blog/2')
  assert.is(pathOf('/blog/:page?'), '/blog')
  assert.is(pathOf('/:page?'), '/')
})

test('A star takes the rest of a path, its slashes kept', () => {
  assert.is(pathOf('/files/*', { item: { '*': 'a b/c.pdf' } }), '/files/a%20b/c.pdf')
  assert.is(pathOf('/*', { item: { '*': '//evil.example' } }), '/evil.example')
})

test('The parameters of the item go before those of the page, and null does not count as one', () => {
  assert.is(pathOf('/users/:id', { item: { id: 1 }, host: { id: 2 } }), '/users/1')
  assert.is(pathOf('/users/:id', { host: { id: '2' } }), '/users/2')
  assert.is(pathOf('/users/:id', { item: { id: null }, host: { id: 2 } }), '/users/2')
})

test('The effective locale fills :_locale, never that of the page', () => {
  assert.is(pathOf('/:_locale/news', { host: { _locale: 'yy' }, locale: 'es' }), '/es/news')
  assert.is(pathOf('/:_locale/news', { item: { _locale: null }, locale: 'es' }), '/es/news')
})

test('The own _locale of an item goes before it and is not part of the query, as a language switch needs', () => {
  const switchTo = (pattern: string, _locale: RouteParams[string]) =>
    pathOf(pattern, { item: { _locale, q: 'lamp' }, host: { _locale: 'yy' }, locale: 'es' })
  assert.is(switchTo('/:_locale/news', 'fr'), '/fr/news?q=lamp')
  assert.is(switchTo('/:_locale?/news', 'fr'), '/fr/news?q=lamp')
  assert.is(switchTo('/:_locale/:_locale', 'pt-BR'), '/pt-BR/pt-BR?q=lamp')
  assert.is(switchTo('/:_locale?/news', ''), '/news?q=lamp', 'none, where none may be')
  assert.is(switchTo('/news', 'fr'), '/news?_locale=fr&q=lamp', 'a route without the place')
  for (const none of ['', ['fr'], '..']) assert.is(switchTo('/:_locale/news', none), null)
})

test('Unused parameters of the item become the query, and none of the page do', () => {
  const item = { id: 1, q: 'a b&c', tag: ['x', null, 'y z'], gone: null, on: true }
  assert.is(
    pathOf('/users/:id', { item, host: { other: 1 } }),
    '/users/1?q=a%20b%26c&tag=x&tag=y%20z&on=true',
  )
})

test('An address is not made when a parameter is missing, empty, or would climb', () => {
  for (const id of ['', '.', '..', null, ['a']])
    assert.is(pathOf('/users/:id', { item: { id } }), null, `${id}`)
  for (const rest of ['..', 'a/../b', './a', '/..'])
    assert.is(pathOf('/f/*', { item: { '*': rest } }), null, rest)
  assert.is(pathOf('/users/:id'), null)
})

test('An address is not made of half a character, in the path or in the query', () => {
  assert.is(pathOf('/users/:id', { item: { id: '\ud800' } }), null)
  assert.is(pathOf('/users', { item: { q: '\udfff' } }), null)
  assert.is(pathOf('/users', { item: { '\ud800': 'q' } }), null)
})

test('A parameter called __proto__ or constructor is one like any other, and never an inherited one', () => {
  assert.is(pathOf('/:constructor?'), '/')
  assert.is(pathOf('/:__proto__'), null)
  assert.is(pathOf('/:__proto__', { item: JSON.parse('{"__proto__": "x"}') }), '/x')
  assert.is(pathOf('/', { item: JSON.parse('{"__proto__": "x"}') }), '/?__proto__=x')
})

test('A pattern is literals, parameters and one last star between slashes, and nothing else', () => {
  for (const pattern of [
    '',
    'users',
    '//host',
    '/a b',
    '/:',
    '/:1',
    '/*/a',
    '/a*',
    '/:a:b',
    '/\\evil',
    '/?q',
    '/#x',
    '/:a?.csv',
  ])
    assert.is(parseRoute(pattern), null, pattern)
})

test.run()
