import { createServer, type RequestListener } from 'node:http'
import polka, { type Polka } from 'polka'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createApp } from '../../../src/http/app.js'
import { createLog, type Log, SILENT_LOG } from '../../../src/service/log.js'
import { createCounting } from '../../../src/web/counters.js'
import { exchange, statusesOf } from '../../http/raw.js'
import { menuText, withSite } from '../../http/sites.js'
import { settingsOf } from '../../service/services.js'
import { get } from '../../support/http.js'
import { snapshotOf } from '../../support/snapshot-of.js'

// Trap 4: what Polka does when it is used as its own page shows it, and what we do with the same request.

/** Serves a listener on a free port while a test runs. */
async function listening(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const naive = (build: (app: Polka) => unknown): RequestListener => {
  const app = polka()
  build(app)
  return (request, response) => void app.handler(request as never, response, undefined as never)
}

const ADMIN_TOKEN = 'an-admin-token-of-thirty-two-characters'
const REQUEST = {
  method: 'POST',
  headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'x-request-id': 'an-id' },
}

/** Our app, in which reloading fails as told. */
function appThat(reload: () => Promise<void>, log: Log = SILENT_LOG): RequestListener {
  return createApp({
    dashboard: null,
    api: (_request, _response, next) => next?.(),
    settings: settingsOf(),
    current: () => snapshotOf({}),
    reload,
    counters: createCounting().counters,
    version: '0.0.0',
    adminToken: ADMIN_TOKEN,
    isLocalOnly: true,
    log,
    isStopping: () => false,
  })
}

test('Trap 4: a guard of naive Polka that rejects with undefined lets the request through', async () => {
  const app = naive((polka) =>
    polka
      .use(() => Promise.reject(undefined))
      .get('/secret', (_, response) => void response.end('the secret')),
  )
  await listening(app, async (url) => assert.is((await get(`${url}/secret`)).text, 'the secret'))
})

test('Trap 4, D15: a page of ours that rejects with undefined is a 500 with an id, and nothing behind it is asked', async () => {
  await listening(
    appThat(() => Promise.reject(undefined)),
    async (url) => {
      const { status, json } = await get(`${url}/-/reload`, REQUEST)
      const { code, id } = json() as { code: string; id: string }
      assert.equal([status, code, id], [500, 'internal-error', 'an-id'])
    },
  )
})

const FAULTS: readonly unknown[] = [
  undefined,
  null,
  0,
  '',
  'secret',
  new Error('secret'),
  { status: 200, code: 201 },
  Object.create(null),
]

test('D15: anything that a page throws or rejects with gives a 500 that reveals none of it', async () => {
  for (const thrown of FAULTS) {
    const rejects = appThat(() => Promise.reject(thrown))
    const throws = appThat(() => {
      throw thrown
    })
    for (const listener of [rejects, throws])
      await listening(listener, async (url) => {
        const { status, text } = await get(`${url}/-/reload`, REQUEST)
        assert.is(status, 500)
        assert.not.match(text, /secret|201/)
      })
  }
})

test('Trap 4: naive Polka shows visitors the message of an error; ours logs it', async () => {
  const app = naive((polka) =>
    polka.get('/', () => {
      throw new Error('secret')
    }),
  )
  await listening(app, async (url) => assert.is((await get(url)).text, 'secret'))
  const reasons: unknown[] = []
  const log = createLog((_level, _event, fields) => void reasons.push(fields))
  const failing = appThat(() => Promise.reject(new Error('secret')), log)
  await listening(failing, async (url) =>
    assert.not.match((await get(`${url}/-/reload`, REQUEST)).text, /secret/),
  )
  assert.match(JSON.stringify(reasons), /secret/)
})

test('Trap 4, D3: a path that climbs arrives decoded in a parameter of naive Polka; ours is an unknown code', async () => {
  const target = '/api/menu/..%2f..%2fmain'
  const app = naive((polka) =>
    polka.get('/api/menu/:code', (request, response) => void response.end(request.params['code'])),
  )
  await listening(app, async (url) => assert.is((await get(url, { target })).text, '../../main'))
  await withSite({ 'main.yaml': menuText('main', 'Home') }, {}, async ({ ask }) => {
    const { status, text } = await ask(target)
    assert.equal([status, text], [200, '[]'])
  })
})

test('Trap 4, D8: naive Polka takes two hosts; ours takes one', async () => {
  const twice = 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'
  const app = naive((polka) => polka.get('/', (_, response) => void response.end()))
  await listening(app, async (url) => assert.equal(statusesOf(await exchange(url, twice)), [200]))
  await withSite({}, {}, async ({ url }) => assert.equal(statusesOf(await exchange(url, twice)), [400]))
})

test.run()
