import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Policies } from '../../src/service/hooks.js'
import { labelsOf, menu, type OpenPages, type Pages, rule } from './pages.js'

// Hooks that fail or answer nonsense: a page is rendered all the same, and the log says why, once.

const ITEMS = [
  { label: { en: 'Free', es: 'Libre' }, url: '/' },
  { label: 'Route', routeName: 'report', routeParams: { id: 7 } },
  { label: 'Secret', url: '/secret', permissions: ['secret'] },
]

function openShop(open: OpenPages, policies: object): Pages {
  const options = { routes: { report: '/reports/:id' } }
  return open({ 'main.yaml': menu('main', ITEMS) }, { policies: policies as Policies, options })
}

const THROWN: readonly unknown[] = [
  new Error('out of order'),
  'a text',
  null,
  undefined,
  42,
  Symbol('s'),
  Object.create(null),
  { message: 7 },
]

/** Hooks that throw all kinds of things, and those that answer all kinds of nonsense. */
function failing(hook: keyof Policies, answers: readonly unknown[]): readonly object[] {
  const throwing = THROWN.map((thrown) => ({
    [hook]: () => {
      throw thrown
    },
  }))
  return [...throwing, ...answers.map((answer) => ({ [hook]: () => answer }))]
}

function rejected(): Promise<never> {
  const promise = Promise.reject(new Error('late'))
  promise.catch(() => {})
  return promise
}

const ALL =
  "{{ dashboard_menu_tree('main') | length }}{{ dashboard_menu_html('main') }}" +
  "{{ dashboard_menu_breadcrumbs('main') }}{{ dashboard_menu_config('main').name }} and the rest"

/** Renders a page again and again; the log grows with the first alone, and not by much. */
function renderMany({ render, events }: Pages): string {
  const html = render(ALL)
  const told = events.length
  assert.ok(told >= 1 && told <= 5, `${told} events: ${JSON.stringify(events)}`)
  for (let times = 0; times < 20; times++) assert.is(render(ALL), html)
  assert.is(events.length, told, 'the log grows with every page')
  return html
}

const NO_CODES = [undefined, null, 42, true, {}, ['main'], Promise.resolve('main'), rejected()]
const NO_VIEWERS = [
  undefined,
  null,
  'me',
  42,
  [],
  {},
  { id: 1 },
  { id: 1, permissions: 'secret' },
  { id: 1, permissions: [7] },
  { id: {}, permissions: [] },
  Promise.resolve({ id: 1, permissions: ['secret'] }),
  rejected(),
]

rule('C15: Without a code or a viewer the menu is empty and its configuration that of no menu', (open) => {
  const policies = [...failing('resolveMenuCode', NO_CODES), ...failing('resolveViewer', NO_VIEWERS)]
  for (const each of policies) {
    const pages = openShop(open, each)
    assert.match(renderMany(pages), /^0.* and the rest$/)
    assert.not.match(renderMany(pages), '<')
  }
})

rule('Without a code the configuration is that of no menu', (open) => {
  for (const policies of failing('resolveMenuCode', NO_CODES)) {
    const { name, code, htmlId } = openShop(open, policies).config("dashboard_menu_config('main')")
    assert.equal({ name, code, htmlId }, { name: null, code: 'main', htmlId: null })
  }
})

rule('An item that the checker fails for is hidden, and its siblings are not', (open) => {
  const nonsense = [undefined, null, 1, 'yes', {}, Promise.resolve(true), rejected()]
  for (const { canView } of failing('canView', nonsense) as { canView: () => unknown }[]) {
    const checker = ({ label }: { label: unknown }) => (label === 'Route' ? canView() : true)
    const pages = openShop(open, { canView: checker })
    assert.match(renderMany(pages), /^2.*Free.*Secret.* and the rest$/)
    assert.equal(labelsOf(pages.tree("dashboard_menu_tree('main')")), ['Free', 'Secret'])
  }
})

rule('An unknown language becomes the default one, even if the request names others', (open) => {
  const nonsense = [undefined, null, 7, {}, ['es'], Promise.resolve('es'), rejected()]
  const request = { url: '/', headers: { 'accept-language': 'es' }, locale: 'es' }
  for (const policies of failing('resolveLocale', nonsense)) {
    const pages = openShop(open, policies)
    assert.match(renderMany(pages), 'Free')
    assert.is(pages.tree("dashboard_menu_tree('main')", { request })[0]?.label, 'Free')
    assert.is(pages.tree("dashboard_menu_tree('main', 'es')", { request })[0]?.label, 'Libre')
  }
})

rule('A path that cannot be made leads nowhere, and its siblings are intact', (open) => {
  const nonsense = [undefined, 7, {}, ['/a'], Promise.resolve('/a'), rejected()]
  for (const policies of failing('generatePath', nonsense)) {
    const pages = openShop(open, policies)
    renderMany(pages)
    const hrefs = pages.tree("dashboard_menu_tree('main')").map(({ href }) => href)
    assert.equal(hrefs, ['/', '#'])
  }
})

rule('An error that cannot even be read takes no more away than any other', (open) => {
  const fail = () => {
    const get = () => {
      throw new Error('a trap')
    }
    throw Object.defineProperty(new Error('x'), 'message', { get })
  }
  const labelsWith = (policies: object) =>
    labelsOf(openShop(open, policies).tree("dashboard_menu_tree('main')"))
  assert.equal(labelsWith({ resolveViewer: fail }), [])
  assert.equal(labelsWith({ resolveLocale: fail }), ['Free', 'Route'])
  assert.equal(labelsWith({ generatePath: fail }), ['Free', 'Route'])
  assert.equal(labelsWith({ canView: (item: { icon: null }) => item.icon === null && fail() }), [])
})

rule('A hook that fails for one visitor alone leaves the others what is theirs', (open) => {
  const resolveViewer = ({ headers }: { headers: Record<string, string> }) => {
    if (headers['x-broken'] === 'yes') throw new Error('broken')
    return { id: 1, permissions: ['secret'] }
  }
  const { tree } = openShop(open, { resolveViewer })
  const broken = { url: '/', headers: { 'x-broken': 'yes' } }
  for (let times = 0; times < 3; times++) {
    assert.equal(tree("dashboard_menu_tree('main')", { request: broken }), [])
    assert.is(tree("dashboard_menu_tree('main')").length, 3)
  }
})

rule('prepareRequest is for the host to await: templates never call it', (open) => {
  let calls = 0
  const prepareRequest = () => {
    calls++
    throw new Error('never')
  }
  const { tree, events } = openShop(open, { prepareRequest })
  assert.is(tree("dashboard_menu_tree('main')").length, 2)
  assert.equal([calls, events.length], [0, 0])
})

rule('Hooks see the request of the host itself, not a copy', (open) => {
  const seen = new Set<unknown>()
  const note = <T>(request: unknown, answer: T): T => {
    seen.add(request)
    return answer
  }
  const { tree } = openShop(open, {
    resolveMenuCode: (request: unknown, hint: string) => note(request, hint),
    resolveViewer: (request: unknown) => note(request, { id: null, permissions: [] }),
    resolveLocale: (request: unknown) => note(request, 'es'),
    canView: (_item: unknown, _viewer: unknown, request: unknown) => note(request, true),
    generatePath: (_name: string, _params: unknown, request: unknown) => note(request, '/p'),
  })
  const request = { url: '/', headers: {}, user: { id: 7 } }
  assert.is(tree("dashboard_menu_tree('main')", { request })[1]?.href, '/p')
  assert.is(seen.size, 1)
  assert.ok(seen.has(request))
})

test.run()
