import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  createMenuHandler,
  createMenuService,
  type Log,
  openMenus,
  openStore,
  registerMenuGlobals,
} from '../../src/index.js'
import { ENGINES } from '../nunjucks/engines.js'
import { get } from '../support/http.js'
import { listening } from '../support/listening.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { test } from '../support/test.js'

/** A log as loggers are: its methods ask the instance that they belong to. */
class Logger implements Log {
  readonly #events: string[] = []
  get events(): readonly string[] {
    return this.#events
  }
  debug(event: string): void {
    this.#events.push(event)
  }
  info(event: string): void {
    this.#events.push(event)
  }
  warn(event: string): void {
    this.#events.push(event)
  }
  error(event: string): void {
    this.#events.push(event)
  }
}

/** A log that takes nothing any more. */
const FULL = new Proxy({} as Log, {
  get: () => () => {
    throw new Error('no space left on device')
  },
})

const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n  - { label: Home, url: / }\n'
const folder = createMenusFolder({ 'main.yaml': MENU, 'broken.yaml': MENU.replace('label', 'lable') })
const POLICIES = {
  resolveViewer: () => {
    throw new Error('nobody knows')
  },
}

/** Has everything fail that a site sees of menus; what is left of a page, and the status of the endpoint. */
async function failEverywhere(
  log: Log,
): Promise<{ readonly pages: readonly string[]; readonly status: number }> {
  const store = await openStore(folder.dir, { log })
  const service = createMenuService(store, { log, policies: POLICIES })
  const pages = ENGINES.map((engine) => {
    const environment = engine.create()
    registerMenuGlobals(environment, service, { log })
    return environment.renderString("A page.{{ dashboard_menu_html('main') }}", { request: { headers: {} } })
  })
  const handler = createMenuHandler(service, { log })
  const url = await listening((request, response) => handler(request, response))
  const { status } = await get(`${url}/api/menu/main`)
  return { pages, status }
}

test('A log may be an instance of a class, whose methods know it', async () => {
  const log = new Logger()
  const { pages, status } = await failEverywhere(log)
  assert.equal([new Set(pages), status], [new Set(['A page.']), 500])
  for (const event of ['menu_problem', 'menus_loaded', 'hook_failed', 'template_failed', 'request_failed'])
    assert.ok(log.events.includes(event), event)
})

test('A log may be a function that has the methods', async () => {
  const events: string[] = []
  const note = (event: string): void => void events.push(event)
  const log = Object.assign((): void => {}, { debug: note, info: note, warn: note, error: note })
  assert.is((await failEverywhere(log)).status, 500)
  assert.ok(events.includes('template_failed') && events.includes('request_failed'), events.join())
  const menus = await openMenus({ folder: folder.dir, menus: '.', environment: {}, watch: false, log })
  await menus.close()
})

test('A log without one of the methods is refused, because its lines would be lost', async () => {
  const { debug, info, warn, error } = new Logger()
  const store = await openStore(folder.dir, { log: FULL })
  for (const log of [{}, () => {}, { debug, info, warn }, { debug, info, warn, error: 'yes' }, 'console']) {
    assert.throws(
      () => createMenuService(store, { log: log as unknown as Log }),
      /log must be a logger with the methods debug, info, warn and error\./,
    )
  }
  assert.ok(createMenuService(store, { log: { debug, info, warn, error } }))
  await store.close()
})

test('A log that fails takes neither a page nor the endpoint down', async () => {
  const { pages, status } = await failEverywhere(FULL)
  assert.equal([new Set(pages), status], [new Set(['A page.']), 500])
})

test('A log that reports a failure later ends nothing', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const later = () => Promise.reject(new Error('no space left on device'))
  await failEverywhere({ debug: later, info: later, warn: later, error: later } as unknown as Log)
  await sleep(50)
  process.off('unhandledRejection', note)
  assert.equal(unhandled, [])
})

test.run()
