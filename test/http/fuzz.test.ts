import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exchange, statusesOf } from './raw.js'
import { menuText, openSite } from './sites.js'

// Rule R0 on the read side, at the size of CI: 20,000 requests, many of them on one connection.

const A_CONNECTION = 20
const CONNECTIONS = 1_000

const site = await openSite({
  'main.yaml': menuText('main', 'Home'),
  'three.yaml': menuText('main', 'Three', { id: 3 }),
})
test.after(() => site.close())

/** Half of anything; no byte above ASCII, which ends the connection in the parser. */
const SCRAPS = String.raw`main _locale= _context_sets= [ ] { } "id":3 " : , %22 %5B % %zz %ff %00 %E2%82 .. / // %2f ? & =
  + # ; __proto__ constructor 1e999 -0 null true 9007199254740993 \u * es xx @ \ http://x`
const scraps = fc.constantFrom(...SCRAPS.split(/\s+/))
const tails = fc.array(scraps, { maxLength: 12 }).map((parts) => parts.join(''))
const targets = fc
  .tuple(
    fc.constantFrom(
      '/',
      '/api/menu/',
      '/api/menu/main?',
      '/api/menu/main?_context_sets=',
      '/readyz',
      'http://x/api/menu/',
    ),
    tails,
  )
  .map((parts) => parts.join(''))
const headers = fc.tuple(
  fc.constantFrom(
    'If-None-Match',
    'Accept-Language',
    'Accept-Encoding',
    'Origin',
    'Range',
    'X-Forwarded-For',
    'Authorization',
    'Forwarded',
  ),
  fc.oneof(
    fc.constantFrom('*', '"x"', 'W/"', 'en;q=x', '*;q=0', 'null', 'Bearer x', '127.0.0.1', ',,;;'),
    tails,
  ),
)
const requests = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE'),
    target: targets,
    header: headers,
  })
  .map(
    ({ method, target, header: [name, value] }) =>
      `${method} ${target} HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\n`,
  )

test('R0: none of 20,000 random requests gets a failure, and the service stays up', async () => {
  const begun = performance.now()
  let answered = 0
  const law = fc.asyncProperty(
    fc.array(requests, { minLength: A_CONNECTION, maxLength: A_CONNECTION }),
    async (batch) => {
      const last = batch.length - 1
      const bytes = batch.map((text, place) => `${text}${place === last ? 'Connection: close\r\n' : ''}\r\n`)
      const statuses = statusesOf(await exchange(site.url, bytes.join('')))
      assert.is(statuses.length, batch.length, statuses.join(' '))
      answered += statuses.length
      assert.equal(
        statuses.filter((status) => status >= 500),
        [],
      )
    },
  )
  await fc.assert(law, { numRuns: CONNECTIONS, endOnFailure: true })
  console.log(`${answered} answers in ${Math.round(performance.now() - begun)} ms`)
  assert.is((await site.ask('/livez')).status, 200)
  assert.equal(
    site.events.filter(({ event }) => event === 'request_failed'),
    [],
  )
})

test.run()
