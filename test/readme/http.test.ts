import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { get, type HttpOptions } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { cacheOf } from './caching.js'
import { plain } from './markdown.js'
import { ROOT, rowsUnder, tablesIn, takeBlocks, testCoverage } from './readme.js'
import { compact, curl, withServer } from './shell.js'
import { matches, textsOf } from './sources.js'

test('The request that is shown gets the menu that is shown', async () => {
  const [ask = '', tree = ''] = takeBlocks('HTTP', ['sh', 'json'])
  await withServer('menuscript serve', ROOT, async (url) => {
    assert.is((await curl(ask, url)).text, compact(tree))
  })
})

test('Without hooks, answers may be cached as the table lists', async () => {
  await withServer('menuscript serve', ROOT, async (url) => {
    const cache = async (path: string) => (await get(url + path)).headers['cache-control']
    assert.is(await cache('/api/menu/main'), cacheOf('a menu without permissions, no hooks'))
    assert.is(await cache('/api/menu/sidebar'), cacheOf('a menu with permissions, no hooks'))
    assert.is(await cache('/api/menu/none'), cacheOf('no menu matches, no hooks or with varyOn'))
    for (const path of ['/api/menu/main?_locale=%', '/', '/livez', '/readyz', '/openapi.json']) {
      assert.is(await cache(path), cacheOf('an error, /, /livez, /readyz, /openapi.json'), path)
    }
  })
})

test('Every parameter, member, header and path of the endpoint has a row', async () => {
  const token = 'x'.repeat(32)
  await withServer(`MENUSCRIPT_ADMIN_TOKEN=${token} menuscript serve`, ROOT, async (url) => {
    const description = (await get(url, { target: '/openapi.json' })).json() as Description
    const parameters = description.paths['/api/menu/{code}']?.parameters.map(({ name }) => name) ?? []
    const [asked] = tablesIn('HTTP')
    assert.equal(
      asked?.rows.map(([cell]) => plain(cell)),
      parameters.filter((name) => name.startsWith('_')),
    )
    const [nodes, sent] = tablesIn('Response')
    const headers = { 'Accept-Encoding': 'gzip' }
    await get(url, { target: '/api/menu/main', headers })
    await eventually(async () => {
      const answer = await get(url, { target: '/api/menu/main', headers })
      const named = sent?.rows.flatMap(([cell]) => plain(cell).split(', ')) ?? []
      for (const name of named) assert.ok(name.toLowerCase() in answer.headers, name)
    })
    const [node = {}] = (await get(url, { target: '/api/menu/main' })).json() as object[]
    const members = nodes?.rows.map(([cell]) => plain(cell))
    assert.equal(members, [...Object.keys(node), 'id', 'attributes'])
    for (const [cell] of rowsUnder('path', 'response')) {
      const [target = '', method = 'GET'] = plain(cell).split(' ').reverse()
      const answer = await get(url, { target, method, headers: { Authorization: `Bearer ${token}` } })
      // This one is only there with a remote repository.
      assert.is(answer.status, target === '/-/webhook' ? 404 : 200, target)
    }
  })
})

test('Every problem that HTTP answers has one row with the status that it is answered with', async () => {
  // What is wrong with a body is on the pages of the management API and the dashboard: nothing else takes one.
  const texts = [
    ...textsOf('src/http'),
    ...textsOf('src/web', (path) => path !== 'body.ts' && path !== 'multipart.ts'),
  ]
  const codes = new Set(
    texts.flatMap((text) => matches(text, /(?:\bcode: |\b(?:badRequest|refused)\(\s*)'([a-z-]+)'/g)),
  )
  const rows = rowsUnder('code', 'status', 'when')
  assert.equal(rows.map(([code]) => plain(code)).sort(), [...codes].sort())
  const provocations: Readonly<Record<string, [path: string, options?: HttpOptions]>> = {
    'bad-context-sets': ['/api/menu/a?_context_sets=[1]'],
    'malformed-percent': ['/api/menu/a?_locale=%zz'],
    'repeated-parameter': ['/api/menu/a?_locale=en&_locale=es'],
    'query-too-long': [`/api/menu/a?${'x'.repeat(8193)}`],
    'two-hosts': ['/', { headers: ['Host', 'a', 'Host', 'b'] }],
    'no-host': ['/', { headers: ['X-Other', 'a'] }],
    'unknown-expectation': ['/', { headers: { expect: 'tea' } }],
    'not-found': ['/api/menu/a/b'],
    'method-not-allowed': ['/api/menu/a', { method: 'PUT' }],
    'internal-error': ['/api/menu/a'],
    unauthorized: ['/metrics'],
  }
  // What it takes to be overloaded, and to have a webhook, is in tests of their own.
  const provoked = rows.filter(([code]) => !/^(overloaded|webhook-.*)$/.test(plain(code)))
  const folder = createMenusFolder({
    'menuscript.config.yaml': 'policies: policies.mjs\n',
    'policies.mjs': "export const resolveMenuCode = () => { throw new Error('no') }\n",
  })
  const serve = `MENUSCRIPT_ADMIN_TOKEN=${'x'.repeat(32)} menuscript serve`
  await withServer(serve, folder.dir, async (url) => {
    for (const [cell, status] of provoked) {
      const [target = '', options = {}] = provocations[plain(cell)] ?? []
      const answer = await get(url, { ...options, target })
      const { code } = answer.json() as { code: string }
      assert.equal([code, String(answer.status)], [plain(cell), status])
      assert.is(answer.headers['content-type'], 'application/problem+json')
    }
    const position = async (query: string) =>
      ((await get(url, { target: `/api/menu/a?${query}` })).json() as { position: number }).position
    assert.is(await position('_locale=%20%zz'), 3, 'as it is sent')
    assert.is(await position('_context_sets=%5B%20,'), 2, 'in the decoded text')
  })
  folder.close()
})

testCoverage(test, 'docs/http.md')

/** What is read of /openapi.json. */
interface Description {
  readonly paths: Readonly<Record<string, { readonly parameters: readonly { readonly name: string }[] }>>
}

test.run()
