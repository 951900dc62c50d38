import type { ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { menuText, openSite } from '../../http/sites.js'
import { get } from '../../support/http.js'
import { listening } from '../../support/listening.js'
import { closing, test } from '../../support/test.js'

const MENUS = {
  'main.yaml': menuText('main', 'Home'),
  'two.yaml': JSON.stringify({
    version: 1,
    code: 'two',
    name: 'Two',
    items: [
      { label: 'A', url: '/a' },
      { label: 'B', url: '/b' },
    ],
  }),
}
const site = await openSite(MENUS)
test.after(() => site.close())

/** What a client gets when this method of the response throws. */
async function answerWhen(method: 'writeHead' | 'end', path: string): Promise<string> {
  const url = await listening((request, response) => {
    let first = true
    const own = response[method].bind(response) as (...args: unknown[]) => ServerResponse
    response[method] = ((...args: unknown[]) => {
      if (!first) return own(...args)
      first = false
      throw undefined
    }) as never
    site.handler(request, response)
  })
  return get(url + path).then(
    ({ status }) => String(status),
    ({ code }: NodeJS.ErrnoException) => String(code),
  )
}

test('D15: what is thrown before the headers is a 500, after them the connection is cut: never half an answer', async () => {
  assert.is(await answerWhen('writeHead', '/api/menu/main'), '500')
  assert.is(await answerWhen('end', '/api/menu/main'), 'ECONNRESET')
  assert.is(site.events.filter(({ event }) => event === 'request_failed').length, 2)
})

test('D22: a code resolver that answers a code of a megabyte, or no code at all, finds no menu', async () => {
  const { ask } = closing(
    await openSite(MENUS, {
      policies: "export const resolveMenuCode = (_, hint) => hint === 'a' ? '' : hint.repeat(1_000_000)",
    }),
  )
  for (const code of ['a', 'b']) assert.is((await ask(`/api/menu/${code}`)).text, '[]')
})

test('D21: a checker that fails for one item hides that one, and two kinds of failure are two lines', async () => {
  const { ask, events } = closing(
    await openSite(MENUS, {
      policies:
        "export const canView = ({ url }) => { if (url === '/a') throw 1; return url === '/b' ? true : 0 }",
    }),
  )
  assert.equal(
    ((await ask('/api/menu/two')).json() as { label: string }[]).map(({ label }) => label),
    ['B'],
  )
  assert.is((await ask('/api/menu/main')).text, '[]')
  await ask('/api/menu/two')
  assert.is(events.filter(({ event }) => event === 'hook_failed').length, 2)
})

test.run()
