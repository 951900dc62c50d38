import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuPath, menuText, openSite } from './sites.js'

const site = await openSite({
  'main.yaml': menuText('main', 'Global'),
  'three.yaml': menuText('main', 'Three', { id: 3 }),
})
test.after(() => site.close())

interface Told {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly parameter?: string
  readonly position?: number
  readonly pointer?: string
}

/** The problem that a path is refused with; fails when it is answered. */
async function refusal(path: string): Promise<Told> {
  const { status, headers, json } = await site.ask(path)
  const told = json() as Told
  assert.equal([status, headers['content-type']], [400, 'application/problem+json'], path)
  assert.equal([told.status, typeof told.code, typeof told.detail], [400, 'string', 'string'])
  return told
}

/** The refusal of a text as `_context_sets`. */
async function refusedSets(text: string): Promise<Told> {
  const told = await refusal(`/api/menu/main?_context_sets=${encodeURIComponent(text)}`)
  assert.equal([told.code, told.parameter], ['bad-context-sets', '_context_sets'], text)
  return told
}

const labelOf = async (path: string) => ((await site.ask(path)).json() as { label: string }[])[0]?.label

const NOT_JSON: readonly (readonly [string, number])[] = [
  ['nope', 0],
  ['[', 1],
  [' ', 1],
  ['[{"a":1}', 8],
  ['[{"a":1},]', 9],
  ['[{"a":1},,{}]', 9],
  ['[{"a" 1}]', 6],
  ["[{'a':1}]", 2],
  ['[{a:1}]', 2],
  ['[1 2]', 3],
  ['[{"a":"b}]', 6],
  ['[{"a":NaN}]', 6],
  ['[{"a":"\t"}]', 6],
  ['[{}]]', 4],
  ['[{}] x', 5],
  ['[/*x*/]', 1],
  ['\ufeff[]', 0],
  ['[{"ñ":tru}]', 6],
]

test('D1: context sets that are not JSON are refused with the place where they stop being it', async () => {
  for (const [text, position] of NOT_JSON) assert.is((await refusedSets(text)).position, position, text)
})

test('D1: context sets that are not a list are refused', async () => {
  for (const text of ['{}', '{"a":1}', '"x"', '1', 'true', '"[]"'])
    assert.is((await refusedSets(text)).pointer, '', text)
})

test('D1: a member that is neither flat object nor null nor [] is refused with its pointer', async () => {
  for (const member of ['1', '"x"', 'true', '[1]', '[[]]', '[{}]'])
    assert.is((await refusedSets(`[{},null,${member}]`)).pointer, '/2', member)
})

test('D1: a value that is not a scalar is refused with its pointer, escaped by RFC 6901', async () => {
  assert.is((await refusedSets('[{"a":{"b":1}}]')).pointer, '/0/a')
  assert.is((await refusedSets('[{},{"a":1,"b/c~d":[]}]')).pointer, '/1/b~1c~0d')
  assert.is((await refusedSets('[{"__proto__":{}}]')).pointer, '/0/__proto__')
})

test('D1: a number that is too large to be exact is refused, with the advice to quote it', async () => {
  for (const number of [
    '9007199254740992',
    '-9007199254740992',
    '1e400',
    '-1e400',
    '1e16',
    '12345678901234567890',
  ]) {
    const { pointer, detail } = await refusedSets(`[{"id":${number}}]`)
    assert.is(pointer, '/0/id', number)
    assert.match(detail, /quote it as a string/)
  }
  assert.is((await site.ask(menuPath('main', [{ id: Number.MAX_SAFE_INTEGER }]))).status, 200)
})

test('D1: up to the limits context sets are taken, beyond them refused', async () => {
  const sets = (count: number) => Array.from({ length: count }, () => ({}))
  const keys = (count: number) => Object.fromEntries(sets(count).map((_, place) => [`k${place}`, 1]))
  assert.is((await site.ask(menuPath('main', sets(64)))).status, 200)
  assert.is((await refusedSets(JSON.stringify(sets(65)))).pointer, '/64')
  assert.is((await site.ask(menuPath('main', [keys(16)]))).status, 200)
  assert.is((await refusedSets(JSON.stringify([{}, keys(17)]))).pointer, '/1')
})

/** A text in which a key stands twice in one object, and where it does so for the second time. */
const REPEATED: readonly (readonly [string, number])[] = [
  ['[{"id":3,"id":3}]', 9],
  ['[{"id":3,"id":4}]', 9],
  ['[{}, {"id":3,"b":1, "id":4}]', 20],
  ['[{"id":3,"\\u0069d":4}]', 9],
  ['[{"__proto__":3,"__proto__":4}]', 16],
  ['[{"":3,"":4}]', 7],
  ['[{"id":[{}],"id":4}]', 12],
  ['[{"id":"\\"}]{:","ñ":1,"id":4}]', 22],
]

test('D26: a key that appears twice in a context is refused with its place, as in files', async () => {
  for (const [text, position] of REPEATED) assert.is((await refusedSets(text)).position, position, text)
})

test('D26: the same key in two contexts, and a key that is also a value, are not a repetition', async () => {
  for (const text of ['[{"id":3},{"id":3}]', '[{"id":"id"}]', '[{"id":"\\",\\"id\\":4"},{"id":4}]'])
    assert.is((await site.ask(`/api/menu/main?_context_sets=${encodeURIComponent(text)}`)).status, 200, text)
})

test('D1: a query string of 8,192 encoded bytes is taken, a longer one refused', async () => {
  const start = '/api/menu/main?x='
  const fill = (length: number) => start + 'x'.repeat(length - 'x='.length)
  assert.is((await site.ask(fill(8_192))).status, 200)
  assert.is((await refusal(fill(8_193))).code, 'query-too-long')
})

test('D1: lists nested as deeply as a query has room for are refused like any other, closed or not', async () => {
  const room = 8_192 - '_context_sets='.length
  for (const text of [
    '['.repeat(room),
    '['.repeat(room / 2) + ']'.repeat(room / 2),
    '[{"a":'.repeat(room / 6),
  ]) {
    const { status, json } = await site.ask(`/api/menu/main?_context_sets=${text}`)
    assert.equal([status, (json() as Told).code], [400, 'bad-context-sets'], text.slice(0, 9))
  }
})

test('D2: a parameter that is given twice is refused, however it is spelled', async () => {
  for (const query of ['_locale=en&_locale=en', '_locale=&x=1&_locale', '%5Flocale=en&_locale=es']) {
    const { code, parameter } = await refusal(`/api/menu/main?${query}`)
    assert.equal([code, parameter], ['repeated-parameter', '_locale'], query)
  }
  const { code, parameter } = await refusal('/api/menu/main?_context_sets=[]&_context_sets=[]')
  assert.equal([code, parameter], ['repeated-parameter', '_context_sets'])
})

test('D3: a % that begins no character is refused with its place in the value', async () => {
  const placeOf = async (path: string) => {
    const { code, parameter, position } = await refusal(path)
    assert.is(code, 'malformed-percent')
    return `${parameter} ${position}`
  }
  assert.is(await placeOf('/api/menu/main?_locale=e%zz'), '_locale 1')
  assert.is(await placeOf('/api/menu/main?x_locale=%&_locale=%'), '_locale 0')
  assert.is(await placeOf('/api/menu/main?_context_sets=%5B%5D%E9'), '_context_sets 6')
  assert.is(await placeOf('/api/menu/%C3%B1a%20b%'), 'code 11')
  assert.is(await placeOf('/api/menu/%ff'), 'code 0')
})

test('D1: no refusal carries a word of the engine, or what the visitor sent', async () => {
  for (const text of ['<script>', '[{"secret":', '{"__proto__":[]', '"\\u12"', '[1,2,]']) {
    const body = JSON.stringify(await refusedSets(text))
    assert.not.match(body, /Unexpected|JSON at|token|SyntaxError|position \d|node:|secret|script|\.ts|\.js/i)
  }
})

test('No context sets at all are an absent parameter, an empty one, null and []', async () => {
  for (const query of [
    '',
    '?_context_sets',
    '?_context_sets=',
    '?_context_sets=null',
    '?_context_sets=%5B%5D',
    '?_context_sets=+[]+',
  ])
    assert.is(await labelOf(`/api/menu/main${query}`), 'Global', query)
})

test('A candidate without a context is {}, null or []', async () => {
  for (const none of [{}, null, []]) {
    assert.is(await labelOf(menuPath('main', [{ id: 4 }, none, { id: 3 }])), 'Global')
    assert.is(await labelOf(menuPath('main', [{ id: 3 }, none])), 'Three')
  }
})

test('Values are equal as JSON: 3 is 3.0 and 3e0, and neither "3" nor true', async () => {
  for (const [value, label] of [
    ['3.0', 'Three'],
    ['3e0', 'Three'],
    ['"3"', undefined],
    ['true', undefined],
    ['null', undefined],
  ] as const)
    assert.is(
      await labelOf(`/api/menu/main?_context_sets=[{%22id%22:${value.replaceAll('"', '%22')}}]`),
      label,
      value,
    )
})

test.run()
