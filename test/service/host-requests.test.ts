import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MenuRequest, Policies } from '../../src/service/hooks.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { yaml } from '../support/yaml.js'
import { serviceOver } from './services.js'

// Requests as hosts have them, whatever they are made of.

const SITE = snapshotOf({
  'main.yaml': yaml`
    version: 1
    code: main
    name: Main menu
    items:
      - label: { en: Home, es: Inicio }
        url: /
      - label: Office
        url: /office
        permissions: [office]
  `,
})

const labelsWith = (request: unknown, policies: Policies = {}) => {
  const { service } = serviceOver(() => SITE, policies)
  return service.tree('main', { request: request as MenuRequest }).map(({ label }) => label)
}

const fetchRequest = (headers: Readonly<Record<string, string>> = {}) =>
  new Request('http://shop.example/lamps?for=desk', { method: 'POST', headers })

test('A Fetch request is read: its language is heeded', () => {
  assert.equal(labelsWith(fetchRequest({ 'Accept-Language': 'es' })), ['Inicio'])
  assert.equal(labelsWith({ url: '/', headers: new Map([['Accept-Language', 'es']]) }), ['Inicio'])
})

test('Hooks read the headers, the address and the method of a Fetch request, and what the host put there', () => {
  const seen: unknown[] = []
  const policies: Policies = {
    resolveViewer: (request) => {
      const { url, method, headers, user } = request
      seen.push({ url, method, permission: headers['x-permission'], missing: headers['x-none'], user })
      return { id: null, permissions: [String(headers['x-permission'])] }
    },
  }
  const request = Object.assign(fetchRequest({ 'X-Permission': 'office' }), { user: 'Ann' })
  assert.equal(labelsWith(request, policies), ['Home', 'Office'])
  const url = 'http://shop.example/lamps?for=desk'
  assert.equal(seen, [{ url, method: 'POST', permission: 'office', missing: undefined, user: 'Ann' }])
})

test('Other hooks, and caches by request, find what a preparation puts on a Fetch request', async () => {
  const known = new WeakMap<object, string>()
  const policies: Policies = {
    prepareRequest: async (request) => {
      Object.assign(request, { user: await (request as unknown as Request).text() })
      known.set(request, 'known')
    },
    resolveViewer: (request) => ({ id: known.get(request) ?? null, permissions: [request.user] }),
  }
  const { service } = serviceOver(() => SITE, policies)
  const request = new Request('http://shop.example/', { method: 'POST', body: 'office' })
  await service.prepare(request)
  assert.equal(
    service.tree('main', { request }).map(({ label }) => label),
    ['Home', 'Office'],
  )
  assert.is(service.resolve(request, { code: 'main', locale: null, candidates: [] }).viewer.id, 'known')
})

test('A request without headers has none', () => {
  assert.equal(labelsWith({ url: '/' }), ['Home'])
  assert.equal(labelsWith({ url: '/', headers: null }), ['Home'])
})

test('A request whose headers are plain is handed to the hooks itself', () => {
  const request = { url: '/', headers: {} }
  const seen: unknown[] = []
  const policies: Policies = {
    resolveViewer: (given) => {
      seen.push(given)
      return { id: null, permissions: [] }
    },
  }
  labelsWith(request, policies)
  assert.is(seen[0], request)
})

test('The locale of a request takes precedence over Accept-Language, and the hook over both, for every caller', () => {
  const request = { headers: { 'accept-language': 'en' }, locale: 'es_MX' }
  assert.equal(labelsWith(request), ['Inicio'])
  assert.equal(labelsWith({ ...request, locale: 'fr' }), ['Home'])
  for (const locale of ['', 7, null, undefined])
    assert.equal(labelsWith({ headers: { 'accept-language': 'es' }, locale }), ['Inicio'])
  assert.equal(labelsWith(request, { resolveLocale: () => 'en' }), ['Home'])
})

test.run()
