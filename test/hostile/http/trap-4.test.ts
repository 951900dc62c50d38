import type { RequestListener } from 'node:http'
import * as assert from 'uvu/assert'
import { createApp } from '../../../src/http/app.js'
import { createLog, type Log, SILENT_LOG } from '../../../src/service/log.js'
import { createCounting } from '../../../src/web/counters.js'
import { menuText, openSite } from '../../http/sites.js'
import { settingsOf } from '../../service/services.js'
import { get } from '../../support/http.js'
import { listening } from '../../support/listening.js'
import { snapshotOf } from '../../support/snapshot-of.js'
import { closing, test } from '../../support/test.js'

// Trap 4: what Polka does when it is used as its own page shows it, and what we do instead.

const ADMIN_TOKEN = 'an-admin-token-of-thirty-two-characters'
const REQUEST = {
  method: 'POST',
  headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'x-request-id': 'an-id' },
}

/** Our app, in which reloading fails as told. */
function appThat(reload: () => Promise<void>, log: Log = SILENT_LOG): RequestListener {
  return createApp({
    dashboard: null,
    webhook: null,
    site: null,
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

test('Trap 4, D15: a page of ours that rejects with undefined is a 500 with an id, and nothing behind it is asked', async () => {
  const url = await listening(appThat(() => Promise.reject(undefined)))
  const { status, json } = await get(`${url}/-/reload`, REQUEST)
  const { code, id } = json() as { code: string; id: string }
  assert.equal([status, code, id], [500, 'internal-error', 'an-id'])
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
    for (const listener of [rejects, throws]) {
      const { status, text } = await get(`${await listening(listener)}/-/reload`, REQUEST)
      assert.is(status, 500)
      assert.not.match(text, /secret|201/)
    }
  }
})

test('Trap 4: the message of an error is logged, and no visitor sees it, as they would with Polka alone', async () => {
  const reasons: unknown[] = []
  const log = createLog((_level, _event, fields) => void reasons.push(fields))
  const url = await listening(appThat(() => Promise.reject(new Error('secret')), log))
  assert.not.match((await get(`${url}/-/reload`, REQUEST)).text, /secret/)
  assert.match(JSON.stringify(reasons), /secret/)
})

test('Trap 4, D3: a path that climbs, which Polka decodes, is an unknown code', async () => {
  const { ask } = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }))
  const { status, text } = await ask('/api/menu/..%2f..%2fmain')
  assert.equal([status, text], [200, '[]'])
})

test.run()
