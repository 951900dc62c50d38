import { copyFileSync, readdirSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMenuClient, MenuError, type MenuQuery } from '../../src/client/client.js'
import { menuText, openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { listening } from '../support/listening.js'
import { closing, test } from '../support/test.js'
import { exportOf } from './export-folder.js'
import { openStaticSite } from './static-site.js'

const TREE = [{ label: 'Home', href: '/', routeName: null, icon: null, itemType: 'link', children: [] }]

/** A server that keeps its requests, and answers each as `answer` says: by default with a tree that has an ETag. */
async function recording(
  answer: RequestListener = sendTree,
): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const url = await listening((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  return { url, seen }
}

const sendTree: RequestListener = ({ headers }, response) => {
  response.setHeader('ETag', '"1"')
  if (headers['if-none-match'] === '"1"') response.writeHead(304).end()
  else response.end(JSON.stringify(TREE))
}

/** What a call rejects with. */
async function failureOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call
  } catch (failure) {
    return failure as Error
  }
  throw new Error('It did not reject.')
}

/** The service, and the export of it behind a host of files; `ask` calls a client of either. */
async function bothOf(files: Readonly<Record<string, string>>) {
  const site = closing(await openSite(files, { config: { locales: ['en', 'es'] } }))
  const folder = closing(await exportOf(site))
  const host = closing(await openStaticSite({ export: folder.dir }))
  return { site, folder, host, urls: [`${site.url}/api/menu`, `${host.url}/export/menus.json`] as const }
}

test('A menu that has not changed is not sent again, and is the same value', async () => {
  const { urls, host } = await bothOf({ 'main.yaml': menuText('main', 'Home') })
  for (const url of urls) {
    const menus = createMenuClient(url)
    const tree = await menus.tree('main')
    assert.equal(tree, TREE)
    assert.is(await menus.tree('main'), tree)
  }
  assert.equal(
    host.log.map((line) => line.replace(/\.[0-9a-f]{12}\./, '.HASH.')),
    ['/export/menus.json 200', '/export/main.en.HASH.json 200', '/export/menus.json 304'],
  )
})

test('Revalidation sends If-None-Match, and a changed menu replaces the kept one', async () => {
  let version = 1
  const { url, seen } = await recording(({ headers }, response) => {
    response.setHeader('ETag', `"${version}"`)
    if (headers['if-none-match'] === `"${version}"`) response.writeHead(304).end()
    else response.end(JSON.stringify([{ ...TREE[0], label: `${version}` }]))
  })
  const menus = createMenuClient(url)
  const labels = async () => (await menus.tree('main')).map(({ label }) => label).join()
  assert.equal([await labels(), await labels()], ['1', '1'])
  version = 2
  assert.is(await labels(), '2')
  assert.equal(
    seen.map(({ headers }) => headers['if-none-match']),
    [undefined, '"1"', '"1"'],
  )
})

test('The value stays the same, and is not stored again, if a server sends it with the same ETag', async () => {
  const { url } = await recording((_, response) => {
    response.setHeader('ETag', '"1"').end(JSON.stringify(TREE))
  })
  let writes = 0
  const setItem = () => {
    writes++
  }
  const menus = createMenuClient(url, { storage: () => ({ getItem: () => null, setItem }) })
  assert.is(await menus.tree('main'), await menus.tree('main'))
  await menus.tree('main')
  assert.is(writes, 1)
})

test('A code is one segment of the path, and no context sets are no parameter', async () => {
  const { url, seen } = await recording()
  const menus = createMenuClient(url)
  await menus.tree('a/b?c#d', { contextSets: [], locale: '' })
  await menus.tree('a/b?c#d', { contextSets: null, locale: null })
  assert.equal(
    seen.map((request) => request.url),
    ['/a%2Fb%3Fc%23d', '/a%2Fb%3Fc%23d'],
  )
})

test('Equal calls at the same time share one request', async () => {
  const { url, seen } = await recording()
  const menus = createMenuClient(`${url}/`, { locale: 'es' })
  const sets = [{ a: 1, b: 2 }, {}]
  const trees = await Promise.all([
    menus.tree('main', { contextSets: sets }),
    menus.tree('main', { contextSets: [{ b: 2, a: 1 }, null] }),
    menus.tree('main', { contextSets: sets, locale: 'es' }),
    menus.tree('main', { contextSets: sets, locale: 'en' }),
  ])
  assert.equal(trees, [TREE, TREE, TREE, TREE])
  assert.is(trees[0], trees[1])
  assert.equal(
    seen.map(({ url = '' }) => decodeURIComponent(url)),
    ['es', 'en'].map((locale) => `/main?_locale=${locale}&_context_sets=[{"a":1,"b":2},{}]`),
  )
})

test('An aborted call rejects with its reason, and an equal call gets its tree', async () => {
  const waiting: (() => void)[] = []
  const { url, seen } = await recording((request, response) => {
    waiting.push(() => sendTree(request, response))
  })
  const menus = createMenuClient(url)
  const [one, other] = [new AbortController(), new AbortController()]
  const calls = [one, other].map(({ signal }) => menus.tree('main', { signal }))
  await eventually(() => assert.is(waiting.length, 1))
  const reason = new Error('The page has changed.')
  one.abort(reason)
  assert.is(await failureOf(calls[0] as Promise<unknown>), reason)
  waiting[0]?.()
  assert.equal(await calls[1], TREE)
  assert.is(await failureOf(menus.tree('main', { signal: one.signal })), reason)
  other.abort()
  assert.is(seen.length, 1)
})

test('When the last call has left, the request is cancelled, and later calls share another', async () => {
  const waiting: (() => void)[] = []
  const { url, seen } = await recording((request, response) => {
    waiting.push(() => sendTree(request, response))
  })
  const menus = createMenuClient(url)
  const controller = new AbortController()
  const calls = [1, 2].map(() => failureOf(menus.tree('main', { signal: controller.signal })))
  await eventually(() => assert.is(waiting.length, 1))
  controller.abort()
  const later = [menus.tree('main')]
  assert.equal(
    (await Promise.all(calls)).map(({ name }) => name),
    ['AbortError', 'AbortError'],
  )
  await eventually(() => assert.ok(seen[0]?.destroyed && waiting.length === 2))
  later.push(menus.tree('main'))
  waiting[1]?.()
  assert.equal(await Promise.all(later), [TREE, TREE])
  assert.is(seen.length, 2)
})

test('One signal serves any number of calls', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => warnings.push(warning)
  process.on('warning', warn)
  const { url } = await recording()
  const menus = createMenuClient(url)
  const { signal } = new AbortController()
  for (let place = 0; place < 30; place++) await menus.tree('main', { signal })
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warn)
  assert.equal(
    warnings.filter(({ name }) => name === 'MaxListenersExceededWarning'),
    [],
  )
})

test('A refusal has the status and the detail of the problem', async () => {
  const { urls } = await bothOf({ 'main.yaml': menuText('main', 'Home') })
  const tooLarge = { contextSets: [{ id: 2 ** 60 }] }
  const refusal = (await failureOf(createMenuClient(urls[0]).tree('main', tooLarge))) as MenuError
  assert.instance(refusal, MenuError)
  assert.equal([refusal.status, refusal.name], [400, 'MenuError'])
  assert.match(refusal.message, /^A number beyond ±\(2\^53−1\) is not exact: quote it as a string\. http/)
  const { url } = await recording((_, response) => void response.writeHead(404).end('<p>No'))
  const { status, message } = (await failureOf(createMenuClient(url).tree('main'))) as MenuError
  assert.equal([status, message], [404, `404 ${url}/main`])
})

test('Context sets that are no list are refused, not left out', async () => {
  const { urls } = await bothOf({ 'main.yaml': menuText('main', 'Home') })
  for (const url of urls) {
    const query = { contextSets: { partner: 3 } } as unknown as MenuQuery
    assert.instance(await failureOf(createMenuClient(url).tree('main', query)), TypeError)
  }
})

/** What has no new answer: a status, a page in place of a menu, or a connection that breaks. */
const FAILURES: Readonly<Record<string, RequestListener>> = {
  'a status of 500': (_, response) => void response.writeHead(500).end('{"detail":"No."}'),
  'a status of 503 without JSON': (_, response) => void response.writeHead(503).end('<p>Wait.'),
  'the page of a captive portal': (_, response) => void response.end('<!doctype html>'),
  'a broken connection': (request) => void request.socket.destroy(),
}

for (const [name, fail] of Object.entries(FAILURES)) {
  test(`With ${name}, a call returns the last tree and says so`, async () => {
    let answer = sendTree
    const { url } = await recording((...exchange) => answer(...exchange))
    const reasons: unknown[] = []
    const menus = createMenuClient(url, { onStale: (reason) => reasons.push(reason) })
    const tree = await menus.tree('main')
    assert.equal(reasons, [])
    answer = fail
    assert.is(await menus.tree('main'), tree)
    assert.is(reasons.length, 1)
    assert.instance(reasons[0], Error)
    const other = await failureOf(menus.tree('other'))
    assert.is(reasons.length, 1)
    assert.is(other.name, (reasons[0] as Error).name)
    answer = sendTree
    assert.equal(await menus.tree('main'), TREE)
    assert.is(reasons.length, 1)
  })
}

test('A status below 500 is an answer: the last tree does not hide it', async () => {
  let answer = sendTree
  const { url } = await recording((...exchange) => answer(...exchange))
  const menus = createMenuClient(url)
  await menus.tree('main')
  answer = (_, response) => void response.writeHead(403).end()
  assert.is(((await failureOf(menus.tree('main'))) as MenuError).status, 403)
})

test('Offline, a service and an export give the last tree, also to a new client with the same storage', async () => {
  const { urls, site, host } = await bothOf({ 'main.yaml': menuText('main', 'Home') })
  const stored = new Map<string, string>()
  const storage = () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  const clients = urls.map((url) => createMenuClient(url, { storage }))
  for (const menus of clients) assert.equal(await menus.tree('main'), TREE)
  await Promise.all([site.close(), host.close()])
  for (const menus of [...clients, ...urls.map((url) => createMenuClient(url, { storage }))]) {
    const reasons: unknown[] = []
    const query: MenuQuery = { onStale: (reason) => reasons.push(reason) }
    assert.equal(await menus.tree('main', query), TREE)
    assert.is(reasons.length, 1)
    assert.instance(await failureOf(menus.tree('main', { locale: 'es' })), TypeError)
  }
  assert.instance(await failureOf(createMenuClient(urls[0]).tree('main')), TypeError)
  assert.equal([...stored.keys()].sort(), [...urls].sort())
})

const THROWS = () => {
  throw new Error('The quota has been exceeded.')
}

test('A storage that is missing, full or spoilt changes nothing', async () => {
  const { url } = await recording()
  const contents = ['x', '5', '{}', '[1]', '[[]]', `[["${url}/main",5]]`, `[["${url}/main",[]]]`, 'null']
  const storages = [
    THROWS,
    () => ({ getItem: THROWS, setItem: THROWS }),
    () => ({ getItem: () => null, setItem: THROWS }),
    ...contents.map((content) => () => ({ getItem: () => content, setItem: () => {} })),
  ]
  for (const storage of storages) assert.equal(await createMenuClient(url, { storage }).tree('main'), TREE)
})

test('A client keeps the last 100 answers, in its storage too', async () => {
  const { url, seen } = await recording()
  let stored = ''
  const setItem = (_: string, text: string) => {
    stored = text
  }
  const storage = () => ({ getItem: () => null, setItem })
  const menus = createMenuClient(url, { storage })
  for (let place = 0; place < 100; place++) await menus.tree(`menu-${place}`)
  await menus.tree('menu-0')
  await menus.tree('menu-100')
  assert.is(JSON.parse(stored).length, 100)
  await menus.tree('menu-0')
  await menus.tree('menu-1')
  const conditional = seen.slice(100).map(({ headers }) => headers['if-none-match'] !== undefined)
  assert.equal(conditional, [true, false, true, false])
})

test('An export that is replaced is seen at the next call', async () => {
  const { urls, host, folder } = await bothOf({ 'main.yaml': menuText('main', 'Home') })
  const menus = createMenuClient(urls[1])
  await menus.tree('main')
  const { site: newSite } = await bothOf({ 'main.yaml': menuText('main', 'New') })
  const replaced = closing(await exportOf(newSite))
  for (const name of readdirSync(replaced.dir)) copyFileSync(join(replaced.dir, name), join(folder.dir, name))
  assert.is((await menus.tree('main'))[0]?.label, 'New')
  assert.is(host.log.length, 4)
})

test('The requests are sent by the fetch that it is given', async () => {
  const { url, seen } = await recording()
  const signed: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, authorization: 'Bearer a' } })
  const menus = createMenuClient(url, { fetch: signed })
  await menus.tree('main')
  await menus.tree('main')
  const sent = seen.map(({ headers }) => [headers.authorization, headers['if-none-match']])
  assert.equal(sent, [
    ['Bearer a', undefined],
    ['Bearer a', '"1"'],
  ])
})

test.run()
