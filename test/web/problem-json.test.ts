import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/service/log.js'
import { answerFailure } from '../../src/web/failure.js'
import { type HttpProblem, sendProblem, sendText } from '../../src/web/problem-json.js'
import { get, type HttpAnswer } from '../support/http.js'

type Send = (
  ...args: Parameters<typeof sendText> extends [infer Q, infer S, ...unknown[]] ? [Q, S] : never
) => void

/** What comes out of a server that only sends this. */
async function sent(send: Send, method = 'GET'): Promise<HttpAnswer> {
  const server = createServer(send)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method })
  await new Promise((resolve) => server.close(resolve))
  return answer
}

const PROBLEM: HttpProblem = {
  status: 400,
  code: 'bad-thing',
  detail: 'The thing is bad: ñ.',
  members: { parameter: 'thing', position: 3 },
}

test('A problem is sent as RFC 9457 requires, with its members, and is never cached', async () => {
  const { status, headers, json } = await sent((request, response) => sendProblem(request, response, PROBLEM))
  assert.equal(
    [status, headers['content-type'], headers['cache-control']],
    [400, 'application/problem+json', 'no-store'],
  )
  const { type, ...rest } = json() as Record<string, unknown>
  assert.match(String(type), /bad-thing$/)
  const { members, ...own } = PROBLEM
  assert.equal(rest, { title: 'Bad Request', ...own, ...members })
})

test('A failure of ours reveals an id and nothing else', async () => {
  const lines: unknown[] = []
  const log = createLog((level, event, fields) => void lines.push([level, event, fields?.['id']]))
  const { status, text, json } = await sent((request, response) =>
    answerFailure(log, request, response, new Error('a secret')),
  )
  const { id, code } = json() as Record<string, unknown>
  assert.equal([status, code], [500, 'internal-error'])
  assert.not.match(text, /secret/)
  assert.equal(lines, [['error', 'request_failed', id]])
})

test('The length counts bytes, and HEAD does not send them', async () => {
  const send: Send = (request, response) =>
    sendText(request, response, JSON.stringify({ text: 'ñ\u2028' }), {
      status: 201,
      type: 'application/json',
      headers: { etag: '"x"' },
    })
  const [full, head] = [await sent(send), await sent(send, 'HEAD')]
  assert.is(Number(full.headers['content-length']), full.body.length)
  assert.equal(full.json(), { text: 'ñ\u2028' })
  assert.equal(
    [head.status, head.body.length, head.headers['content-length']],
    [201, 0, full.headers['content-length']],
  )
  assert.is(full.headers['etag'], '"x"')
})

test.run()
