import * as assert from 'uvu/assert'
import type { SiteOptions } from '../../http/sites.js'
import { test } from '../../support/test.js'
import { API, openForScript } from '../managing.js'

/** Each visit of a preview takes a while; `most` counts how many there were at a time. */
const SITE: SiteOptions = {
  policies: `
    let now = 0
    let most = 0
    export const prepareRequest = async ({ url }) => {
      if (!url.startsWith('/api/menu')) return
      now++
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 50))
      now--
    }
    export const resolveViewer = () => ({ id: most, permissions: [] })
    export const resolveOperator = ({ headers }) => ({ id: headers['x-user'], role: 'view' })
  `,
}

interface Explained {
  readonly viewer: { readonly id: number }
}

test('E18: four requests of an operator are answered at a time, and those that wait keep no other operator waiting', async () => {
  const [, { ask }] = await openForScript(SITE)
  const asked = (user: string, path: string) => ask(`${API}${path}`, { headers: { 'x-user': user } })
  let answered = 0
  const many = Array.from({ length: 60 }, async () => {
    const answer = await asked('ana', '/explain?code=main')
    answered++
    return (answer.json() as Explained).viewer.id
  })
  await many[0]
  assert.is((await asked('bob', '/menus')).status, 200)
  assert.ok(answered < 60, String(answered))
  assert.is(Math.max(...(await Promise.all(many))), 4)
})

test('E18: of more requests than 200 of an operator that wait, each is refused, and another operator is answered', async () => {
  const [, { ask }] = await openForScript(SITE)
  const asked = (user: string, path: string) => ask(`${API}${path}`, { headers: { 'x-user': user } })
  const many = Array.from({ length: 300 }, () => asked('ana', '/explain?code=main'))
  const refused = await Promise.any(
    many.map(async (each) => {
      const answer = await each
      return answer.status === 503 ? answer : Promise.reject(new Error(String(answer.status)))
    }),
  )
  assert.match(refused.text, '"code":"overloaded"')
  assert.is(refused.headers['retry-after'], '1')
  assert.is((await asked('bob', '/menus')).status, 200)
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  assert.ok(statuses.filter((status) => status === 200).length >= 200)
})

test.run()
