import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Policies } from '../../src/service/hooks.js'
import type { Settings } from '../../src/service/settings.js'
import { folders, questions, SITE } from '../service/arbitraries.js'
import type { Question, Written } from '../service/oracle.js'
import { settingsOfSite, toText } from '../service/services.js'
import { sized } from '../support/figures.js'
import { get } from '../support/http.js'
import { link } from '../support/items.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { type Host, openHost } from './host.js'

// The law of this door: for the same request, a template sees the tree that the endpoint answers.

const SETTINGS = settingsOfSite(SITE)
const MEMBERS: Settings = { ...SETTINGS, api: { ...SETTINGS.api, node_members: ['id', 'attributes'] } }
const POLICIES: Policies = {
  resolveViewer: ({ headers }) => ({ id: null, permissions: JSON.parse(String(headers['x-permissions'])) }),
}
const plain = await openHost(SETTINGS, POLICIES)
const withMembers = await openHost(MEMBERS, POLICIES)
const withMapping = await openHost(SETTINGS, {
  ...POLICIES,
  resolveMenuCode: (_request, hint, menus) => (menus.has(hint) ? hint : 'main'),
  resolveLocale: ({ headers }) => String(headers['accept-language'] ?? 'pt'),
  canView: (item, { permissions }) => item.permissions.length === 0 || permissions.length > 1,
  generatePath: (name, params) => (name === 'csv' ? null : `/${name}?${Object.keys(params).length}`),
})
test.after(async () => {
  for (const host of [plain, withMembers, withMapping]) await host.close()
})

const ATTRIBUTES = [
  null,
  { class: 'a b', target: '_blank' },
  { 'data-n': 1, download: true, title: '"<>' },
  {},
]

/** Gives every item an id, and some of them attributes. */
function decorate(items: readonly object[], path = 'i'): readonly object[] {
  return items.map((item, place) => {
    const id = `${path}-${place}`
    const attributes = ATTRIBUTES[(id.length + place) % ATTRIBUTES.length]
    const children = 'children' in item ? { children: decorate(item.children as object[], id) } : {}
    return { ...item, id, ...(attributes !== null && { attributes }), ...children }
  })
}

function serve(host: Host, menus: readonly Written[]): void {
  const files = menus.map((written, place) => {
    const entry = JSON.parse(toText(written))
    return [`${place}.yaml`, JSON.stringify({ ...entry, items: decorate(entry.items) })] as const
  })
  host.serve(snapshotOf(Object.fromEntries(files)))
}

/** What the endpoint answers, and then what each engine sees, as texts. */
async function treesOf(host: Host, { code, locale, sets, ...asked }: Question): Promise<readonly string[]> {
  const { acceptLanguage, permissions } = asked
  const headers = {
    'x-permissions': JSON.stringify(permissions),
    ...(acceptLanguage !== null && { 'accept-language': acceptLanguage }),
  }
  const query = new URLSearchParams({ _context_sets: JSON.stringify(sets) })
  if (locale !== null) query.set('_locale', locale)
  const answer = await get(host.url, { target: `/api/menu/${code}?${query}`, headers })
  host.show('{{ dashboard_menu_tree(code, locale, sets) | dump | safe }}', { code, locale, sets })
  const pages = (await get(host.url, { target: '/users/1?q=2', headers })).json() as string[]
  return [JSON.stringify(answer.json()), ...pages.map(withoutMarks)]
}

function withoutMarks(text: string): string {
  return JSON.stringify(JSON.parse(text, (key, value) => (/^(isC|hasC)urrent/.test(key) ? undefined : value)))
}

/** Empty codes have no address. */
const asked = fc.array(
  questions.filter(({ code }) => code !== ''),
  { minLength: 1, maxLength: 4 },
)

async function law(host: Host, numRuns: number): Promise<void> {
  const holds = fc.asyncProperty(folders, asked, async (menus, all) => {
    serve(host, menus)
    for (const question of all) {
      const [endpoint, ...engines] = await treesOf(host, question)
      for (const seen of engines) assert.is(seen, endpoint)
    }
  })
  await fc.assert(holds, { numRuns })
}

test('For the same request a template sees the tree that the endpoint answers', () =>
  law(plain, sized(60, 600)))

test('So it does with the members that the configuration adds', () => law(withMembers, sized(30, 300)))

test('So it does with hooks that decide everything', () => law(withMapping, sized(30, 300)))

test('The law is not about empty trees alone', async () => {
  serve(withMembers, [{ code: 'main', context: { id: 1 }, items: [link('L', { permissions: ['a'] })] }])
  const question: Question = {
    code: 'main',
    locale: null,
    acceptLanguage: null,
    sets: [{ id: 1 }],
    permissions: ['a'],
  }
  const [endpoint, ...engines] = await treesOf(withMembers, question)
  assert.match(endpoint ?? '', '"id":"i-0"')
  assert.equal(engines, [endpoint, endpoint])
})

test.run()
