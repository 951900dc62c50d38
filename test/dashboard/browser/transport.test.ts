import * as assert from 'uvu/assert'
import { createTransport } from '../../../src/dashboard/browser/transport.js'
import { listening } from '../../support/listening.js'
import { test } from '../../support/test.js'

type Answers = Readonly<Record<string, readonly [status: number, body: object | string]>>

/** What becomes of a step of a draft where requests are answered so, by method and path; texts are pages of a proxy. */
async function replyWhere(answers: Answers) {
  const home = await listening(({ method, url }, response) => {
    const [status, body] = answers[`${method} ${url}`] ?? [404, {}]
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const user = { user: 'ana', csrf: 'old', otherUser: 'somebody else' }
  const { send } = createTransport({ home, file: 'main.yaml', ...user })
  return send('d1.3', { key: 'k', form: { page: 'edit', query: {}, fields: { do: 'undo' } } })
}

const UNDO = 'POST /edit?file=main.yaml'
const BAD_TOKEN = [403, { code: 'bad-csrf-token', detail: 'old' }] as const

test('A form that is answered with a state is done', async () => {
  assert.equal(
    await replyWhere({ [UNDO]: [200, { state: 'd1.4', changes: 2, marks: { '/items/0': 'moved' } }] }),
    {
      kind: 'done',
      state: 'd1.4',
      changes: 2,
      marks: { '/items/0': 'moved' },
    },
  )
})

test('Where a proxy answers with a page of its own, a step waits, unless the status says that it always will', async () => {
  for (const status of [200, 502, 429])
    assert.is((await replyWhere({ [UNDO]: [status, '<h1>Hello</h1>'] })).kind, 'later')
  assert.equal(await replyWhere({ [UNDO]: [413, '<h1>Hello</h1>'] }), { kind: 'refused', reason: '413' })
})

test('A step waits if another user is signed in, or if the user is not known', async () => {
  const ask = (session: Answers[string]) => replyWhere({ [UNDO]: BAD_TOKEN, 'GET /api/session': session })
  assert.equal(await ask([200, { user: 'ben', csrf: 'b' }]), {
    kind: 'later',
    reason: 'somebody else',
    isSignedOut: true,
  })
  assert.equal(await ask([200, { user: 'ana', csrf: 'new' }]), { kind: 'later', reason: null })
  assert.equal(await ask([503, { detail: 'busy' }]), { kind: 'later', reason: 'busy' })
  assert.equal(await ask([401, { detail: 'out' }]), { kind: 'later', reason: 'out', isSignedOut: true })
})

test.run()
