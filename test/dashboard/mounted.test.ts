import { existsSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import polka from 'polka'
import * as assert from 'uvu/assert'
import { type Handler, openMenus } from '../../src/index.js'
import { createEventLog, type LoggedEvent } from '../service/services.js'
import { get } from '../support/http.js'
import { listening } from '../support/listening.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { type Dashboard, PASSWORD, userLine } from './access/dashboards.js'
import { ADMIN, API, MENU } from './managing.js'
import { createVisitor, HOME, textOfPage, type Visitor } from './visiting.js'

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void
interface ExpressApp extends RequestListener {
  readonly use: (handler: Middleware) => void
}
interface FastifyApp {
  readonly addHook: (name: 'onRequest', hook: unknown) => void
  readonly ready: () => Promise<unknown>
  readonly routing: RequestListener
  readonly close: () => Promise<void>
}
const require = createRequire(import.meta.url)
const express = require('express') as { (): ExpressApp; urlencoded(options: object): Middleware }
const fastify = require('fastify') as () => FastifyApp

/** How programs mount the handler; `own` answers what is not ours. */
const HOSTS: Readonly<Record<string, (handler: Handler, own: Middleware) => Promise<RequestListener>>> = {
  Polka: async (handler, own) => {
    const app = polka().use(handler as never, own as never)
    return (request, response) => void app.handler(request as never, response, undefined as never)
  },
  Express: async (handler, own) => {
    const app = express()
    app.use(handler)
    app.use(own)
    return app
  },
  'Express behind a parser of forms': async (handler, own) => {
    const app = express()
    app.use(express.urlencoded({ extended: true }))
    app.use(handler)
    app.use(own)
    return app
  },
  Fastify: async (handler, own) => {
    const app = fastify()
    app.addHook('onRequest', handler)
    app.addHook(
      'onRequest',
      (request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack(): void }) => {
        reply.hijack()
        own(request.raw, reply.raw, () => {})
      },
    )
    await app.ready()
    return app.routing
  },
}

interface Mounted {
  readonly ask: Dashboard['ask']
  readonly visitor: Visitor
  readonly dir: string
  readonly events: readonly LoggedEvent[]
}

/** A program that mounts the handler of `openMenus`. */
async function openMounted(
  host: keyof typeof HOSTS,
  files: Readonly<Record<string, string>>,
  prepare: Middleware = (_request, _response, next) => next(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Mounted> {
  const folder = createMenusFolder({ 'menus/main.yaml': MENU, ...files })
  const { log, events } = createEventLog()
  const menus = await openMenus({ folder: folder.dir, environment, watch: false, log })
  const own: Middleware = (request, response) => void response.end(`own ${request.url}`)
  const listener = await HOSTS[host]?.(menus.handler, own)
  closing(folder)
  closing(menus)
  const url = await listening((request, response) =>
    prepare(request, response, () => listener?.(request, response)),
  )
  const ask: Dashboard['ask'] = (target, options) => get(url, { target, ...options })
  return { ask, visitor: createVisitor(ask, url), dir: folder.dir, events }
}

const USERS = { '.menuscript/users': userLine('ana') }

for (const host of Object.keys(HOSTS)) {
  test(`Mounted in ${host}, a dashboard with a login signs in, makes a menu, and leaves other paths alone`, async () => {
    const {
      visitor: { look, send, fill },
      dir,
    } = await openMounted(host, USERS)
    assert.is((await look('/own')).text, 'own /own')
    assert.is((await look(`${HOME}x`)).text, `own ${HOME}x`)
    assert.is((await look('/api/menu/main')).status, 200)
    assert.is((await send(`${HOME}/sign-in`, { name: 'ana', password: PASSWORD })).status, 303)
    assert.match(textOfPage(await look(HOME)), '1 menu')
    assert.is((await fill(`${HOME}/new`, { code: 'footer' })).status, 303)
    assert.ok(existsSync(join(dir, 'menus/footer.yaml')))
  })
}

for (const host of Object.keys(HOSTS)) {
  test(`D24: mounted in ${host}, signing in keeps the cookies that the host has set`, async () => {
    const {
      visitor: { send },
    } = await openMounted(host, USERS, (_, response, next) => {
      response.setHeader('Set-Cookie', ['one=1', 'two=2'])
      next()
    })
    const { rawHeaders } = await send(`${HOME}/sign-in`, { name: 'ana', password: PASSWORD })
    const cookies = rawHeaders.filter((_, at) => /^set-cookie$/i.test(rawHeaders[at - 1] ?? ''))
    assert.equal(
      cookies.map((cookie) => cookie.split('=')[0]),
      ['one', 'two', '__Host-menuscript', '__Host-menuscript-device'],
    )
  })
}

test('Mounted without a login there is no dashboard, which is logged once, and nothing is written', async () => {
  const {
    visitor: { look, send },
    dir,
    events,
  } = await openMounted('Express', {})
  for (const path of [HOME, `${HOME}/sign-in?link=x`, `${HOME}/api/menus`])
    assert.is((await look(path)).text, `own ${path}`)
  assert.is((await send(`${HOME}/sign-in`, { link: 'x' })).text, `own ${HOME}/sign-in`)
  assert.is(events.filter(({ event }) => event === 'dashboard_closed').length, 1)
  assert.not.ok(existsSync(join(dir, '.menuscript')))
})

test('Mounted with a login, the admin token of the environment opens the management API; alone it is no login', async () => {
  const headers = { authorization: `Bearer ${ADMIN}` }
  const environment = { MENUSCRIPT_ADMIN_TOKEN: ADMIN }
  for (const [files, text] of [
    [USERS, /"file":"main.yaml"/],
    [{}, /^own /],
  ] as const) {
    const { ask } = await openMounted('Express', files, undefined, environment)
    const answer = await ask(`${API}/menus`, { headers })
    assert.is(answer.status, 200, answer.text)
    assert.match(answer.text, text)
  }
})

test('An admin token that no header can carry rejects, without showing it', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': MENU })
  const environment = { MENUSCRIPT_ADMIN_TOKEN: 'swordfish' }
  try {
    await openMenus({ folder: folder.dir, environment, watch: false })
    assert.unreachable()
  } catch (thrown) {
    assert.match(String(thrown), 'MENUSCRIPT_ADMIN_TOKEN needs 32 characters or more')
    assert.not.match(String(thrown), 'swordfish')
  }
  folder.close()
})

test('A program that never asks for the dashboard gets no state folder', async () => {
  const { visitor, dir } = await openMounted('Polka', {
    'menuscript.config.json': '{"dashboard":{"enabled":true}}',
  })
  assert.is((await visitor.look('/api/menu/main')).status, 200)
  assert.not.ok(existsSync(join(dir, '.menuscript')))
})

test('A body that the host has read and kept nothing of is answered, and not waited for', async () => {
  const {
    visitor: { send },
  } = await openMounted('Polka', USERS, (request, _response, next) => void request.resume().once('end', next))
  const answer = await send(`${HOME}/sign-in`, { name: 'ana', password: PASSWORD })
  assert.is(answer.status, 500)
})

test.run()
