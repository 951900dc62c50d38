import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HookError, type Policies } from '../../src/service/hooks.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { yaml } from '../support/yaml.js'
import { serviceOver, settingsOf } from './services.js'

const SITE = snapshotOf({
  'main.yaml': yaml`
    version: 1
    code: main
    name: Main menu
    items:
      - label: { en: Home, es: Inicio }
        url: /
      - label: Users
        routeName: users
        routeParams: { id: 3 }
        permissions: [users.view, users.edit]
      - label: Any of them
        url: /any
        permissions: [users.view, users.edit]
        permissionMode: any
  `,
})
const SETTINGS = settingsOf({ routes: { users: '/users/:id' } })

/** What a hook must not do, one way each. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => {
    throw new Error('secret detail')
  },
  'throws undefined': () => {
    throw undefined
  },
  'throws what is no text': () => {
    throw Object.create(null)
  },
  'calls itself forever': function again(): unknown {
    return again()
  },
  'answers undefined': () => undefined,
  'answers null': () => null,
  'answers a list': () => ['main'],
  'answers a text in an object': () => new String('main'),
  'answers a number': () => 42,
  'answers an object': () => ({ id: {}, permissions: 'users.view' }),
  'answers a promise': () => Promise.resolve(true),
  'answers a promise that is rejected': () => Promise.reject(new Error('late')),
  'answers a promise of a class with a catch of its own': () => Stubborn.reject(new Error('late')),
  'answers what nobody may look at': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'answers what throws when it is looked at': () => ({
    get id() {
      throw Object.defineProperty(new Error('no id'), 'stack', { get: () => assert.unreachable('stack') })
    },
    permissions: [],
  }),
  'answers a symbol': () => Symbol('main'),
  'answers no number': () => Number.NaN,
  'answers itself': () => {
    const answer: { self?: unknown } = {}
    answer.self = answer
    return answer
  },
}

class Stubborn extends Promise<unknown> {
  override catch(): never {
    throw new Error('no catch')
  }
}

function faulty(fault: () => unknown, hook: keyof Policies): Policies {
  return { [hook]: fault }
}

/** The labels and addresses that a viewer without a hook of its own sees, with what was logged. */
function ask(policies: Policies) {
  const { service, events } = serviceOver(() => SITE, policies, SETTINGS)
  const request = { headers: { 'accept-language': 'es' } }
  const resolution = service.resolve(request, { code: 'main', locale: null, candidates: [] })
  const { locale } = resolution
  const tree = service.view(request, resolution)
  return { links: tree.map(({ label, href }) => `${label} ${href}`), locale, events }
}

const EVERYBODY: Policies['resolveViewer'] = () => ({ id: 7, permissions: ['users.view', 'users.edit'] })

function throwsHookError(work: () => unknown, hook: string): void {
  assert.throws(work, (thrown: unknown) => thrown instanceof HookError && thrown.hook === hook)
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`A code resolver that ${name} ends the request`, () => {
    throwsHookError(() => ask(faulty(fault, 'resolveMenuCode')), 'resolveMenuCode')
  })

  test(`A viewer resolver that ${name} ends the request`, () => {
    throwsHookError(() => ask(faulty(fault, 'resolveViewer')), 'resolveViewer')
  })

  test(`A permission checker that ${name} hides every item, and is logged once`, () => {
    const { links, events } = ask(faulty(fault, 'canView'))
    assert.equal(links, [])
    assert.is(events.filter(({ event }) => event === 'hook_failed').length, 1)
  })

  test(`A locale resolver that ${name} gives the default locale`, () => {
    assert.is(ask(faulty(fault, 'resolveLocale')).locale, 'en')
  })

  test(`A path generator that ${name} gives #, and leaves the other items intact`, () => {
    const policies = { ...faulty(fault, 'generatePath'), resolveViewer: EVERYBODY }
    assert.equal(ask(policies).links, ['Inicio /', 'Users #', 'Any of them /any'])
  })
}

test('The path generator gets the route, its parameters and the request, and its path is used unchanged', () => {
  const asked: unknown[] = []
  const generatePath: Policies['generatePath'] = (...args) => {
    asked.push(args)
    return '/made?of=it'
  }
  const { links } = ask({ generatePath, resolveViewer: EVERYBODY })
  assert.is(links[1], 'Users /made?of=it')
  assert.equal(asked, [['users', { id: 3 }, { headers: { 'accept-language': 'es' } }]])
})

test('Without hooks the viewer is anonymous, and sees only items without permissions', () => {
  assert.equal(ask({}).links, ['Inicio /'])
})

test('An item needs all its permissions, or any of them if it is set so', () => {
  const linksFor = (permissions: readonly string[]) =>
    ask({ resolveViewer: () => ({ id: null, permissions }) }).links.slice(1)
  assert.equal(linksFor(['users.view', 'other']), ['Any of them /any'])
  assert.equal(linksFor(['users.edit', 'users.view']), ['Users /users/3', 'Any of them /any'])
  assert.equal(linksFor(['Users.View', 'users', 'constructor']), [])
})

test('A permission checker decides alone: only true shows an item', () => {
  const { links } = ask({ canView: (item) => item.permissions.length > 0 })
  assert.equal(links, ['Users /users/3', 'Any of them /any'])
})

test('The code resolver decides the menu, and knows the existing codes', () => {
  const { service } = serviceOver(() => SITE, {
    resolveMenuCode: (_, hint, menus) => (menus.has(hint) ? hint : 'main'),
  })
  const codeFor = (code: string) =>
    service.resolve({ headers: {} }, { code, locale: null, candidates: [] }).code
  assert.equal([codeFor('main'), codeFor('nothing'), codeFor('__proto__')], ['main', 'main', 'main'])
})

test('The tag of a locale resolver is looked up in ours, and does not overrule the requested one', () => {
  const { service } = serviceOver(() => SITE, { resolveLocale: () => 'ES_mx' })
  const localeFor = (locale: string | null) =>
    service.resolve({ headers: {} }, { code: 'main', locale, candidates: [] }).locale
  assert.equal([localeFor(null), localeFor('en')], ['es', 'en'])
})

test('A hook that goes on failing is logged once per kind, with the reason for the operator', () => {
  const { service, events } = serviceOver(() => SITE, { canView: FAULTS['throws an error'] as () => boolean })
  for (let time = 0; time < 3; time++) {
    const query = { code: 'main', locale: null, candidates: [] }
    service.view({ headers: {} }, service.resolve({ headers: {} }, query))
  }
  assert.equal(events, [
    { event: 'hook_failed', fields: { hook: 'canView', kind: 'throws', reason: 'secret detail' } },
  ])
})

test('A bad answer is examined once, for any number of items that get it', () => {
  let looks = 0
  const answer = new Proxy({}, { ownKeys: () => [String(looks++)] })
  ask({ canView: (() => answer) as never })
  assert.is(looks, 1)
})

test('A route that cannot be resolved is logged for the operator once, with its place', () => {
  const { service, events } = serviceOver(() => SITE, { resolveViewer: EVERYBODY })
  for (const locale of ['en', 'es']) {
    const query = { code: 'main', locale, candidates: [] }
    service.view({ headers: {} }, service.resolve({ headers: {} }, query))
  }
  assert.equal(events, [
    { event: 'route_unresolved', fields: { path: 'main.yaml', line: 7, routeName: 'users' } },
  ])
})

test('The argument of the code resolver lists the existing codes, and nothing else', () => {
  const given: unknown[] = []
  const { service } = serviceOver(() => SITE, {
    resolveMenuCode: (_, hint, menus) => {
      given.push(...Reflect.ownKeys(menus))
      const map = menus as unknown as Partial<Map<string, unknown>>
      map.clear?.()
      map.delete?.('main')
      Reflect.set(menus, 'has', () => false)
      return menus instanceof Map ? 'a map' : hint
    },
  })
  const ask = () => service.resolve({ headers: {} }, { code: 'main', locale: null, candidates: [] })
  assert.equal([ask().code, ask().served?.path, SITE.index.has('main')], ['main', 'main.yaml', true])
  assert.equal(given, ['has', 'has'])
})

test('A path that leads out, or lacks its start, is # and logged for the operator once', () => {
  for (const path of ['javascript:x', '//evil', '/\\evil', 'data:text/html,x', ' /x', '', 'users/1']) {
    const policies = { generatePath: () => path, resolveViewer: EVERYBODY }
    const { service, events } = serviceOver(() => SITE, policies, SETTINGS)
    const query = { code: 'main', locale: null, candidates: [] }
    const view = () => service.view({ headers: {} }, service.resolve({ headers: {} }, query))
    assert.equal([view()[1]?.href, view()[1]?.href], ['#', '#'], path)
    const fields = { path: 'main.yaml', line: 7, routeName: 'users' }
    assert.equal(events, [{ event: 'route_unresolved', fields }], path)
  }
})

/** An answer that is no viewer, and what the error says came. */
const NO_VIEWERS: readonly (readonly [answer: unknown, came: string])[] = [
  [{ permissions: ['secret'] }, 'an object with permissions (list)'],
  [{ id: undefined, permissions: [] }, 'an object with id (undefined), permissions (list)'],
  [{ name: 'Ann' }, 'an object with name (string)'],
  [{ id: 7, permissions: 'secret' }, 'an object with id (number), permissions (string)'],
  [{ id: {}, permissions: null }, 'an object with id (object), permissions (null)'],
  [{ id: 7, permissions: ['a', 1] }, 'an object with id (number), permissions (list)'],
  [{ id: 7, permissions: new Set() }, 'an object with id (number), permissions (object)'],
  [{}, 'an object with nothing in it'],
  ['secret', 'string'],
  [undefined, 'undefined'],
  [null, 'null'],
  [['secret'], 'a list of 1'],
  [Promise.resolve(null), 'a promise; hooks are synchronous'],
]

for (const [answer, came] of NO_VIEWERS) {
  test(`The error and the log of a viewer resolver name the kind of its answer, ${came}, never its values`, () => {
    const { service, events } = serviceOver(
      () => SITE,
      faulty(() => answer, 'resolveViewer'),
    )
    const query = { code: 'main', locale: null, candidates: [] }
    const needed =
      'it must return { id, permissions }: id a string, a number or null, permissions a list of strings'
    const message = `resolveViewer: it returned ${came}; ${needed}`
    assert.throws(
      () => service.resolve({ headers: {} }, query),
      (thrown: Error) => thrown.message === message || assert.is(thrown.message, message),
    )
    assert.equal(events, [
      { event: 'hook_failed', fields: { hook: 'resolveViewer', kind: 'bad answer', reason: came } },
    ])
  })
}

test('The error of a code resolver names its answer and the expected one', () => {
  const { service } = serviceOver(
    () => SITE,
    faulty(() => 3, 'resolveMenuCode'),
  )
  assert.throws(
    () => service.resolve({ headers: {} }, { code: 'main', locale: null, candidates: [] }),
    'resolveMenuCode: it returned number; it must return the code of a menu, a string',
  )
})

test.run()
