import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Options } from '../../../src/config/options.js'
import type { ExplainedItem } from '../../../src/service/explain/explanation.js'
import type { Policies } from '../../../src/service/hooks.js'
import { sized } from '../../support/figures.js'
import { snapshotOf } from '../../support/snapshot-of.js'
import { folders, SITE } from '../arbitraries.js'
import { serviceOver, settingsOfSite, toText } from '../services.js'
import { type Asked, everyExplained, explainItems, explainOn, itemOf, menuOf } from './explaining.js'

// Section 4 of the contract: why an item leads where it leads, and which icon it has.

const ROUTES: Partial<Options> = {
  routes: {
    home: '/',
    user: '/users/:id',
    blog: '/blog/:page?',
    local: '/:_locale/about',
    switch: '/:_locale?/about',
    files: '/files/*',
  },
}

/** The only item `A` of a menu, explained. */
function explainA(item: string, asked: Asked = {}): ExplainedItem {
  return itemOf(explainItems([item], { options: ROUTES, ...asked }), 'A')
}

/** An item, where it leads, its route, and what is said of it. */
const LEADS: readonly (readonly [item: string, href: string, routeName: string | null, said: RegExp])[] = [
  ['{ label: A, url: "https://example.org/?a=b" }', 'https://example.org/?a=b', null, /url.* as written/],
  ['{ label: A, type: section }', '#', null, /section without a route/],
  ['{ label: A, type: section, routeName: home }', '/', 'home', /route \/$/],
  [
    '{ label: A, routeName: user, routeParams: { id: 3 } }',
    '/users/3',
    'user',
    /\/users\/:id.* id of the item/,
  ],
  ['{ label: A, routeName: blog }', '/blog', 'blog', /\/blog\/:page\?/],
  ['{ label: A, routeName: local }', '/en/about', 'local', /\/:_locale\/about.*_locale en/],
  [
    '{ label: A, routeName: local, routeParams: { _locale: es } }',
    '/es/about',
    'local',
    /\/:_locale\/about; _locale of the item$/,
  ],
  [
    '{ label: A, routeName: switch, routeParams: { _locale: "" } }',
    '/about',
    'switch',
    /the route \/:_locale\?\/about$/,
  ],
  [
    '{ label: A, routeName: home, routeParams: { _locale: es } }',
    '/?_locale=es',
    'home',
    /_locale in the query string/,
  ],
  [
    '{ label: A, routeName: home, routeParams: { tag: [a, b c] } }',
    '/?tag=a&tag=b%20c',
    'home',
    /tag in the query string/,
  ],
  [
    '{ label: A, routeName: files, routeParams: { "*": a/b } }',
    '/files/a/b',
    'files',
    /\/files\/\*.* of the item/,
  ],
]

for (const [item, href, routeName, said] of LEADS) {
  test(`${item} leads to ${href}, and the explanation shows why`, () => {
    const told = explainA(item).href
    assert.equal([told?.value, told?.routeName], [href, routeName])
    assert.match(told?.why ?? '', said)
  })
}

/** An item that cannot be resolved, and what is said of it. */
const UNRESOLVED: readonly (readonly [item: string, said: RegExp])[] = [
  ['{ label: A, routeName: usr, routeParams: { id: 3 } }', /no route usr; did you mean user\?/],
  ['{ label: A, routeName: administration }', /no route administration$/],
  ['{ label: A, routeName: constructor }', /no route constructor/],
  ['{ label: A, routeName: user }', /\/users\/:id needs id/],
  ['{ label: A, routeName: user, routeParams: { id: "" } }', /needs id/],
  ['{ label: A, routeName: local, routeParams: { _locale: [es] } }', /needs _locale/],
  ['{ label: A, routeName: user, routeParams: { id: null } }', /needs id/],
  ['{ label: A, routeName: user, routeParams: { id: [1, 2] } }', /needs id|id .*cannot stand/],
  [
    '{ label: A, routeName: user, routeParams: { id: ".." } }',
    /parameter .*does not fit into the route \/users\/:id/,
  ],
  ['{ label: A, routeName: files, routeParams: { "*": a/../b } }', /does not fit into the route \/files\/\*/],
]

for (const [item, said] of UNRESOLVED) {
  test(`${item} leads to #, and the explanation shows why`, () => {
    const { fate, href } = explainA(item)
    assert.equal([fate, href?.value], ['shown', '#'])
    assert.match(href?.why ?? '', said)
  })
}

test('Without routes, an item that names one leads to #, and the explanation shows that none are configured', () => {
  const { href } = explainA('{ label: A, routeName: home }', { options: { routes: null } })
  assert.is(href?.value, '#')
  assert.match(href?.why ?? '', /route home.*no routes are configured/)
})

test('A parameter lent by the page is explained as such, and the item needs none then', () => {
  const item = '{ label: A, routeName: user }'
  const { href } = explainA(item, { host: { id: 9, other: 1 } })
  assert.is(href?.value, '/users/9')
  assert.match(href?.why ?? '', /id of the page/)
  assert.not.match(href?.why ?? '', 'other')
  const own = explainA('{ label: A, routeName: user, routeParams: { id: 3 } }', { host: { id: 9 } }).href
  assert.is(own?.value, '/users/3')
  assert.not.match(own?.why ?? '', 'of the page')
})

test('A divider leads nowhere, as the explanation shows', () => {
  const divider = itemOf(explainItems(['{ type: divider }']), '')
  assert.equal([divider.href?.value, divider.href?.routeName, divider.icon], ['#', null, null])
  assert.match(divider.href?.why ?? '', 'divider')
})

test('An item that is not shown has no address to explain', () => {
  assert.is(explainA('{ label: A, routeName: usr, hidden: true }').href, null)
  assert.is(explainA('{ label: A, url: /, permissions: [a] }').href, null)
})

/** What the hook generatePath may answer, where the item leads then, and what is said of it. */
const MADE: readonly (readonly [rule: string, answer: () => string | null, href: string, said: RegExp])[] = [
  ['makes a path', () => '/made?of=it', '/made?of=it', /generatePath made it.*home/],
  ['gives null', () => null, '#', /generatePath gave no.*home/],
  ['gives an unsafe path', () => 'javascript:alert(1)', '#', /generatePath gave no safe path.*home/],
  ['leads to another host', () => '//evil.example', '#', /generatePath gave no safe path.*home/],
  ['gives no text', () => 42 as unknown as string, '#', /generatePath/],
  [
    'throws',
    () => {
      throw new Error('a secret')
    },
    '#',
    /generatePath/,
  ],
]

for (const [rule, generatePath, href, said] of MADE) {
  test(`Where the hook generatePath ${rule}, the item leads to ${href}, and the hook is named`, () => {
    const policies: Policies = { generatePath }
    const told = explainA('{ label: A, routeName: home }', { policies }).href
    assert.equal([told?.value, told?.routeName], [href, 'home'])
    assert.match(told?.why ?? '', said)
    assert.not.match(told?.why ?? '', 'secret')
    assert.match(explainA('{ label: A, url: /x }', { policies }).href?.why ?? '', 'url')
  })
}

test('A path that the hook makes is explained for items that no route is configured for', () => {
  const policies: Policies = { generatePath: (name) => `/by/${name}` }
  const { href } = explainA('{ label: A, routeName: else }', { policies, options: { routes: null } })
  assert.is(href?.value, '/by/else')
  assert.match(href?.why ?? '', 'generatePath')
})

/** The parameters that a reason says are in the query string. */
function namedInQuery(why: string): string[] {
  const [, names] = /(?:^|; )([^;]*) in the query string/.exec(why) ?? []
  return names?.split(', ') ?? []
}

test('The explanation lists exactly the parameters in the query string', () => {
  const settings = settingsOfSite(SITE)
  fc.assert(
    fc.property(folders, fc.constantFrom({}, { id: '9', page: 'p' }), (menus, host) => {
      const files = menus.map((menu, place) => [`${place}.yaml`, toText(menu)] as const)
      const { service } = serviceOver(() => snapshotOf(Object.fromEntries(files)), {}, settings)
      for (const { code, context } of menus) {
        const query = { code, locale: 'en', contexts: [context], viewer: null, host }
        for (const { href } of everyExplained(service.explain({ headers: {} }, query).items)) {
          if (href === null || href.routeName === null || href.value === '#') continue
          const names = new Set(new URL(href.value, 'http://localhost').searchParams.keys())
          assert.equal(namedInQuery(href.why).sort(), [...names].sort(), `${href.value}: ${href.why}`)
        }
      }
    }),
    { numRuns: sized(50, 500) },
  )
})

/** What an item gives that leaves no trace in the address: it is neither in the path nor in the query string. */
const NOT_THERE: readonly (readonly [params: string, routeName: string, href: string])[] = [
  ['{ _locale: null }', 'local', '/en/about'],
  ['{ tag: [] }', 'home', '/'],
  ['{ tag: [null] }', 'home', '/'],
  ['{ page: "" }', 'blog', '/blog'],
  ['{ page: [1] }', 'blog', '/blog'],
]

for (const [params, routeName, href] of NOT_THERE) {
  test(`The parameters ${params} are not reported in the address ${href}`, () => {
    const told = explainA(`{ label: A, routeName: ${routeName}, routeParams: ${params} }`).href
    assert.is(told?.value, href)
    assert.not.match(told?.why ?? '', /of the item|in the query string/)
  })
}

test('An icon is explained with the result of icon_library_prefix_map, or as written, or as none', () => {
  const options: Partial<Options> = { icon_library_prefix_map: { 'bootstrap-icons': 'bi', bi: 'twice' } }
  const iconOf = (icon: string) => explainA(`{ label: A, url: /, icon: ${icon} }`, { options }).icon
  assert.is(iconOf('bootstrap-icons:house')?.value, 'bi:house')
  assert.match(iconOf('bootstrap-icons:house')?.why ?? '', /bootstrap-icons:house.*icon_library_prefix_map/)
  assert.is(iconOf('lucide:house')?.value, 'lucide:house')
  assert.match(iconOf('lucide:house')?.why ?? '', 'as written')
  assert.match(iconOf('house')?.why ?? '', 'as written')
  assert.is(iconOf('""'), null)
  assert.is(explainA('{ label: A, url: / }', { options }).icon, null)
})

test('One item that cannot be resolved leaves the explanations of the others intact', () => {
  const text = menuOf(['{ label: A, routeName: usr }', '{ label: B, routeName: home }'])
  const explanation = explainOn({ 'main.yaml': text }, { options: ROUTES })
  assert.equal([itemOf(explanation, 'A').href?.value, itemOf(explanation, 'B').href?.value], ['#', '/'])
  assert.equal([itemOf(explanation, 'A').line, itemOf(explanation, 'B').line], [5, 6])
})

test.run()
