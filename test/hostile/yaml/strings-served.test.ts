import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuPath, openSite } from '../../http/sites.js'
import { ITEMS, type ItemField, only } from './fields.js'
import { NAUGHTY, shown } from './naughty.js'
import { prototypes } from './prototypes.js'
import { takenAs } from './taken.js'

// The figure "strings", from files to HTTP: what a file may hold is served as it is, byte for byte.

type Node = Readonly<Record<string, unknown>>

const before = prototypes()
const files = new Map<string, string>()
const write = (code: string, rest: Node): void => {
  files.set(`f${files.size}.yaml`, JSON.stringify({ version: 1, code, name: 'A', items: [], ...rest }))
}

const codeOf = (field: ItemField): string => `item-${ITEMS.indexOf(field)}`
for (const field of ITEMS) write(codeOf(field), { items: takenAs(field.name).map(field.item) })
const CONTEXTS = takenAs('context')
const KEYS = takenAs('key of a context')
const CODES = takenAs('code').filter((code) => !/^(item-\d+|by-value|by-key)$/.test(code))
const numbered = (label: number): Node => ({ items: [{ label: String(label), url: '/' }] })
for (const [place, text] of CONTEXTS.entries())
  write('by-value', { context: { k: text }, ...numbered(place) })
for (const [place, text] of KEYS.entries()) write('by-key', { context: only(text, 1), ...numbered(place) })
for (const [place, code] of CODES.entries()) write(code, numbered(place))

const site = await openSite(Object.fromEntries(files), {
  config: { locales: ['en', 'es'], api: { node_members: ['id', 'attributes'] }, routes: { r: '/r' } },
  policies: `const granted = ${JSON.stringify(takenAs('permission'))}
    export const resolveViewer = ({ headers }) => ({ id: null, permissions: headers['x-all'] ? granted : [] })`,
})
test.after(() => site.close())

async function nodesAt(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Node[]> {
  const { status, headers: answered, json } = await site.ask(path, { headers })
  assert.equal([status, answered['content-type']], [200, 'application/json'], path)
  return json() as readonly Node[]
}

const query = (node: Node): URLSearchParams => new URL(String(node['href']), 'http://x.example').searchParams
/** What a client receives of a field; the node's attribute of that name unless told otherwise. */
const RECEIVED: Readonly<Record<string, (node: Node) => unknown>> = {
  label: ({ label }) => label,
  'label in a language': ({ label }) => label,
  url: ({ href }) => href,
  icon: ({ icon }) => icon,
  'route name': ({ routeName }) => routeName,
  'route parameter': (node) => (node['href'] === '#' ? null : query(node).get('q')),
  'name of a route parameter': (node) => (node['href'] === '#' ? null : [...query(node).keys()][0]),
  permission: () => 'shown',
  id: ({ id }) => id,
}
const hasNoUtf8 = (text: string): boolean => /\p{Cs}/u.test(text)
const withoutUtf8 = (text: string) => (hasNoUtf8(text) ? null : text)
/** What that has to be, where it is not the text itself. */
const EXPECTED: Readonly<Record<string, (text: string) => unknown>> = {
  'label in a language': (text) => (text.trim() === '' ? 'A' : text),
  icon: (text) => (text === '' ? null : text),
  // An address has no place for what has no UTF-8: the item leads nowhere.
  'route parameter': withoutUtf8,
  'name of a route parameter': withoutUtf8,
  permission: () => 'shown',
}

for (const field of ITEMS) {
  test(`C9: as ${field.name} each accepted naughty string reaches a client unchanged`, async () => {
    const attribute = field.name.replace(/^attribute /, '')
    const received = RECEIVED[field.name] ?? (({ attributes }: Node) => (attributes as Node)[attribute])
    const expected = EXPECTED[field.name] ?? ((text: string) => text)
    const texts = takenAs(field.name)
    const nodes = await nodesAt(`/api/menu/${codeOf(field)}?_locale=es`, { 'x-all': '1' })
    assert.is(nodes.length, texts.length)
    const faults = texts.filter((text, place) => received(nodes[place] ?? {}) !== expected(text)).map(shown)
    assert.equal(faults, [])
  })
}

test('C9: a naughty string as permission hides its item from viewers without it', async () => {
  const [field] = ITEMS.filter(({ name }) => name === 'permission')
  assert.ok(field !== undefined)
  if (field !== undefined) assert.equal(await nodesAt(`/api/menu/${codeOf(field)}`), [])
})

for (const [code, texts, toContext] of [
  ['by-value', CONTEXTS, (text: string) => ({ k: text })],
  ['by-key', KEYS, (text: string) => only(text, 1)],
] as const) {
  test(`C9: a naughty string in a context, ${code.replace('-', ' ')}, selects the menu that has it and no other`, async () => {
    const faults: string[] = []
    for (const [place, text] of texts.entries()) {
      const [node, ...more] = await nodesAt(menuPath(code, [toContext(text)]))
      if (node?.['label'] !== String(place) || more.length > 0) faults.push(shown(text))
    }
    assert.equal(faults, [])
  })
}

test('C9: a naughty string as code leads to the menu that has it, or to none', async () => {
  for (const text of NAUGHTY.filter((each) => !hasNoUtf8(each) && each.length < 2_000)) {
    const place = CODES.indexOf(text)
    if (text === '' || /^\.\.?$/.test(text)) continue
    const labels = (await nodesAt(`/api/menu/${encodeURIComponent(text)}`)).map(({ label }) => label)
    assert.equal(labels, place === -1 ? [] : [String(place)], shown(text))
  }
})

test('C9: a naughty string as locale falls back, unless it is one of ours', async () => {
  const [path, locales] = [`/api/menu/${codeOf(ITEMS[0] as ItemField)}`, new Set<string>()]
  for (const text of NAUGHTY.filter((each) => !hasNoUtf8(each) && each.length < 500)) {
    const { status, headers } = await site.ask(`${path}?_locale=${encodeURIComponent(text)}`, {
      method: 'HEAD',
    })
    assert.is(status, 200, shown(text))
    locales.add(headers['content-language'] ?? '')
  }
  assert.equal([...locales], ['en'])
})

test('C9: a naughty string in place of context sets is refused as no list of contexts, or selects nothing', async () => {
  for (const text of NAUGHTY.filter((each) => !hasNoUtf8(each) && each.length < 500)) {
    const { status, headers, json } = await site.ask(
      `/api/menu/by-value?_context_sets=${encodeURIComponent(text)}`,
    )
    if (status === 200) assert.equal(json(), [], shown(text))
    else assert.equal([status, headers['content-type']], [400, 'application/problem+json'], shown(text))
  }
})

test('C9: nothing of all this was a failure, and what all objects share is what it was before', () => {
  const failures = site.events.filter(({ event }) => /failed|hook/.test(event))
  assert.equal(failures, [])
  assert.ok(isDeepStrictEqual(prototypes(), before))
})

test.run()
