import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { menuPath, menuText, openSite } from './sites.js'

const site = await openSite({
  'main.yaml': menuText('main', 'Global'),
  'three.yaml': menuText('main', 'Three', { id: 3 }),
  'proto.yaml': menuText('__proto__', 'Odd', JSON.parse('{"constructor":1}')),
})
test.after(() => site.close())

async function answered(path: string): Promise<string> {
  const { status, json } = await site.ask(path)
  assert.is(status, 200, path)
  return (json() as { label: string }[]).map(({ label }) => label).join()
}

test('D4: an unknown code and an unknown context are answered with no nodes', async () => {
  assert.is(await answered('/api/menu/nothing'), '')
  assert.is(await answered(menuPath('main', [{ id: 4 }])), '')
  assert.is(await answered('/api/menu/Main'), '')
})

test('D3: codes that no menu can have are unknown like any other', async () => {
  for (const code of [
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'main%00',
    'main%2f',
    '%F0%9F%8D%94',
    '.',
    '...',
    '~',
    'a:b',
    ';',
    '%25zz',
  ])
    assert.is(await answered(`/api/menu/${code}`), '', code)
})

test('D3: a code of 15 KB is unknown like any other', async () => {
  assert.is(await answered(`/api/menu/${'x'.repeat(15 * 1024)}`), '')
})

test('C7: a code, a locale or a context key that JavaScript treats in its own way is a name like any other', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    assert.is(await answered(`/api/menu/${name}`), '', name)
    assert.is(await answered(`/api/menu/main?_locale=${name}`), 'Global', name)
    assert.is(await answered(`/api/menu/main?_context_sets=[{%22${name}%22:1}]`), '', name)
    assert.is(await answered(`/api/menu/main?${name}=1`), 'Global', name)
  }
  assert.is(await answered(menuPath('__proto__', [{ constructor: 1 }])), 'Odd')
  assert.equal(Object.keys(Object.prototype), [])
})

test('A code that is percent-encoded is the code', async () => {
  assert.is(await answered('/api/menu/m%61in'), 'Global')
  assert.is(await answered('/api/menu/%5F%5Fproto%5F%5F?_context_sets=[{"constructor":1}]'), 'Odd')
})

test('An unknown locale falls back, however odd', async () => {
  for (const tag of ['xx', 'e', 'en_', 'x'.repeat(5_000), '%00', '%F0%9F%8D%94', '1', '*', 'en;q=1'])
    assert.is((await site.ask(`/api/menu/main?_locale=${tag}`)).headers['content-language'], 'en', tag)
})

test('D20: a service whose endpoint is off answers it as it answers any unknown path', async () => {
  const { ask } = closing(
    await openSite({ 'main.yaml': menuText('main', 'Home') }, { config: { api: { enabled: false } } }),
  )
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
    const [off, unknown] = [await ask('/api/menu/main', { method }), await ask('/unknown/path', { method })]
    const plain = ({ status, text, headers: { date: _, ...headers } }: typeof off) => ({
      status,
      text,
      headers,
    })
    assert.is(off.status, 404)
    assert.equal(plain(off), plain(unknown), method)
  }
})

test('The prefix of the endpoint comes from the configuration', async () => {
  const config = { api: { path_prefix: '/menus/v1' } }
  const { ask } = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }, { config }))
  assert.equal([(await ask('/menus/v1/main')).status, (await ask('/api/menu/main')).status], [200, 404])
})

test.run()
