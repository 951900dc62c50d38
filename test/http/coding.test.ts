import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { HttpAnswer } from '../support/http.js'
import { menuText, type OpenSite, openSite } from './sites.js'

const ITEMS = Array.from({ length: 40 }, (_, place) => ({
  label: `Entry ${place}`,
  url: `/entries/${place}`,
}))
const GUARDED = [...ITEMS, { label: 'Office', url: '/office', permissions: ['office'] }]
const menu = (code: string, items: unknown) => JSON.stringify({ version: 1, code, name: code, items })
const MENUS = {
  'big.yaml': menu('big', ITEMS),
  'guarded.yaml': menu('guarded', GUARDED),
  'small.yaml': menuText('small', 'x'),
}

const site = await openSite(MENUS)
test.after(() => site.close())

const ask = (code: string, coding: string, { ask: from }: OpenSite = site) =>
  from(`/api/menu/${code}`, { headers: { 'accept-encoding': coding } })

function decoded({ headers, body }: HttpAnswer): Buffer {
  const coding = headers['content-encoding']
  return coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
}

/** The answer in a coding, once it is ready: it is made beside the requests. */
function ready(code: string, coding: 'br' | 'gzip'): Promise<HttpAnswer> {
  return eventually(async () => {
    const answer = await ask(code, coding)
    assert.is(answer.headers['content-encoding'], coding)
    return answer
  })
}

test('The first to ask for a coding gets the plain bytes and does not wait', async () => {
  const fresh = await openSite(MENUS)
  const { headers, json } = await ask('big', 'br', fresh)
  assert.not(Object.hasOwn(headers, 'content-encoding'))
  assert.is((json() as unknown[]).length, ITEMS.length)
  await fresh.close()
})

for (const coding of ['br', 'gzip'] as const) {
  test(`An answer in ${coding} is smaller, is true about its length, and decodes to the plain bytes`, async () => {
    const plain = await ask('big', 'identity')
    const answer = await ready('big', coding)
    assert.ok(answer.body.length < plain.body.length)
    assert.is(Number(answer.headers['content-length']), answer.body.length)
    assert.equal(decoded(answer), plain.body)
    assert.is(answer.headers['content-type'], 'application/json')
  })

  test(`A menu with permissions is answered in ${coding}, too`, async () => {
    assert.equal(decoded(await ready('guarded', coding)), (await ask('guarded', 'identity')).body)
  })
}

test('D17: no two codings of a tree share an entity tag, and each is strong', async () => {
  const answers = [await ask('big', 'identity'), await ready('big', 'gzip'), await ready('big', 'br')]
  const tags = answers.map(({ headers }) => headers['etag'] ?? '')
  assert.is(new Set(tags).size, 3)
  for (const tag of tags) assert.match(tag, /^"[^"]+"$/)
})

/** The answer to who has what a tag stands for and accepts these codings; without a text there is no such header. */
const revalidate = (tag: string, accepted: string | null, method = 'GET') =>
  site.ask('/api/menu/big', {
    method,
    headers: { 'if-none-match': tag, ...(accepted !== null && { 'accept-encoding': accepted }) },
  })

test('D17: the tag of any coding that the request accepts is a tag of the tree, and comes back with the 304', async () => {
  for (const coding of ['br', 'gzip'] as const) {
    const tag = (await ready('big', coding)).headers['etag'] ?? ''
    for (const accepted of ['gzip, br', 'br, gzip;q=0.1', '*', `identity;q=0.5, ${coding}`]) {
      for (const given of [tag, `W/${tag}`, `"x", ${tag}`]) {
        const answer = await revalidate(given, accepted)
        assert.equal([answer.status, answer.headers['etag']], [304, tag], `${given} ${accepted}`)
      }
    }
  }
  const plain = (await ask('big', 'identity')).headers['etag'] ?? ''
  for (const accepted of [null, '', 'identity', 'gzip, br', '*'])
    assert.is((await revalidate(plain, accepted)).status, 304, `${accepted}`)
})

test('D26: the tag of a coding that the request refuses matches nothing: the answer is whole', async () => {
  for (const coding of ['br', 'gzip'] as const) {
    const tag = (await ready('big', coding)).headers['etag'] ?? ''
    const refusals = [
      'identity',
      '',
      `${coding};q=0`,
      '*;q=0',
      `*;q=0, identity`,
      `*, ${coding};q=0.0`,
      'deflate',
      null,
    ]
    for (const accepted of refusals) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await revalidate(tag, accepted, method)
        assert.is(answer.status, 200, `${coding}: ${accepted}`)
        assert.is.not(answer.headers['etag'], tag)
        assert.is.not(answer.headers['content-encoding'], coding)
      }
    }
  }
})

test('D26: so does the tag of the plain tree where the request refuses that', async () => {
  const plain = (await ask('big', 'identity')).headers['etag'] ?? ''
  await ready('big', 'gzip')
  for (const accepted of ['gzip, identity;q=0', 'gzip, *;q=0']) {
    const answer = await revalidate(plain, accepted)
    assert.equal([answer.status, answer.headers['content-encoding']], [200, 'gzip'], accepted)
  }
})

test('A coding is sent only to clients that accept it', async () => {
  await ready('big', 'br')
  await ready('big', 'gzip')
  const codingFor = async (accepted: string) =>
    (await ask('big', accepted)).headers['content-encoding'] ?? 'plain'
  assert.is(await codingFor('gzip, deflate, br'), 'br')
  assert.is(await codingFor('br;q=0, gzip'), 'gzip')
  assert.is(await codingFor('br; q=0.5, gzip'), 'gzip')
  assert.is(await codingFor('GZIP'), 'gzip')
  assert.is(await codingFor('*;q=0, identity'), 'plain')
  for (const accepted of ['', 'deflate', 'gzip;q=0', 'x'.repeat(5_000), '__proto__'])
    assert.is(await codingFor(accepted), 'plain', accepted)
})

test('D5: HEAD has the headers of the coding that GET would have', async () => {
  const full = await ready('big', 'gzip')
  const head = await site.ask('/api/menu/big', { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
  for (const name of ['etag', 'content-length', 'content-encoding', 'vary'])
    assert.is(head.headers[name], full.headers[name], name)
  assert.is(head.body.length, 0)
})

test('A tree that fits into a packet stays plain', async () => {
  for (let time = 0; time < 3; time++)
    assert.not(Object.hasOwn((await ask('small', 'br, gzip')).headers, 'content-encoding'))
})

test.run()
