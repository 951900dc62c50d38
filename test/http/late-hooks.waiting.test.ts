import * as assert from 'uvu/assert'
import { closing, test } from '../support/test.js'
import { menuText, openSite } from './sites.js'

const PROMISED_MS = 10_000

test('D15: a preparation that never answers is a 500 with an id after ten seconds, and the service goes on', async () => {
  const policies = `
    export const prepareRequest = ({ url }) => url.includes('wait') ? new Promise(() => {}) : undefined`
  const { ask, events } = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }, { policies }))
  const start = performance.now()
  const answer = await ask('/api/menu/main?wait', { within: 10 * PROMISED_MS })
  console.log(`    ${Math.round(performance.now() - start)} ms (promised: ${PROMISED_MS} ms)`)
  assert.equal([answer.status, answer.headers['content-type']], [500, 'application/problem+json'])
  const failed = events.find(({ event }) => event === 'request_failed')
  assert.is((answer.json() as { id: string }).id, failed?.fields['id'])
  assert.is((await ask('/api/menu/main')).status, 200)
})

test.run()
