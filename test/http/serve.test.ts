import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startMenuscript } from '../cli/command.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import type { Running } from '../support/process.js'
import { menuText } from './sites.js'

// The command as a user starts it: a process, a folder, a port.

interface Served {
  readonly url: string
  readonly running: Running
}

const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'Home') })
folder.write(
  'policies.mjs',
  `export const resolveMenuCode = (request, hint) => {
    if (hint === 'bad') throw new Error('secret')
    return hint
  }
  export const prepareRequest = (request) => new Promise((done) => setTimeout(done, request.url.includes('slow') ? (console.error('asked'), 500) : 0))`,
)
folder.write('menuscript.config.yaml', 'policies: ./policies.mjs\n')
test.after(() => folder.close())

async function startServe(): Promise<Served> {
  const running = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  const [, url = ''] = await running.waitFor(/listening on (\S+)/)
  return { url, running }
}

test('The command serves a folder of menus, follows its changes, survives its hooks, and ends with 0', async () => {
  const { url, running } = await startServe()
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match((await get(`${url}/api/menu/main`)).text, /"label":"Home"/)
  folder.write('menus/main.yaml', menuText('main', 'Changed'))
  await eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, /"label":"Changed"/))
  const failed = await get(`${url}/api/menu/bad`)
  const { id } = failed.json() as { id: string }
  assert.is(failed.status, 500)
  assert.not.match(failed.text, /secret/)
  await running.waitFor(new RegExp(id))
  assert.is((await get(`${url}/livez`)).status, 200)
  assert.is(await running.stop(), 0)
})

test('A file that breaks while it runs stays served as it was, with a report, until it is fixed', async () => {
  folder.write('menus/main.yaml', menuText('main', 'Good'))
  const { url, running } = await startServe()
  const labelIs = (label: string) =>
    eventually(async () => assert.match((await get(`${url}/api/menu/main`)).text, new RegExp(label)))
  const statusIs = (status: string) =>
    eventually(async () =>
      assert.match((await get(`${url}/readyz`)).text, new RegExp(`"status":"${status}"`)),
    )
  await labelIs('Good')
  folder.write('menus/main.yaml', 'version: 1\ncode: [main\n')
  await statusIs('degraded')
  assert.match((await get(`${url}/readyz`)).text, /main\.yaml:\d+:\d+/)
  await labelIs('Good')
  folder.write('menus/main.yaml', menuText('main', 'Fixed'))
  await labelIs('Fixed')
  await statusIs('ok')
  assert.is(await running.stop(), 0)
})

test('E13: a signal lets the requests under way finish', async () => {
  const { url, running } = await startServe()
  const underWay = get(`${url}/api/menu/main?slow`)
  await running.waitFor(/asked/)
  running.send('SIGTERM')
  assert.is((await underWay).status, 200)
  assert.is((await running.ended).code, 0)
})

test.run()
