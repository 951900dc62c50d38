import * as assert from 'uvu/assert'
import { MENU, PROXIED, renamed, type Script, scriptAs } from '../dashboard/managing.js'
import type { OpenSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createHub, type Hub } from '../support/hub.js'
import { createMenusFolder } from '../support/menus-folder.js'
import type { Running } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { startMenuscript } from './command.js'

/** A service on a hub, in a process and a folder of its own, and a script of ana's. */
async function startOn(hub: Hub): Promise<readonly [script: Script, server: Running]> {
  const storage = { git: { remote: hub.url, path: 'menus' } }
  const config = { ...PROXIED.config, storage }
  const folder = closing(createMenusFolder({ 'menuscript.config.json': JSON.stringify(config) }))
  const server = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  closing({ close: () => server.stop() })
  const [, url = ''] = await server.waitFor(/^listening on (\S+)$/m)
  const ask: OpenSite['ask'] = (target, options) => get(url, { target, ...options })
  return [await scriptAs('ana', { url, ask } as OpenSite), server]
}

const note = (text: string): readonly object[] => [{ op: 'add', path: '/x-note', value: text }]

/** The journal of the one draft in a hub. */
function journalIn(hub: Hub): string {
  const ref = hub
    .git('for-each-ref', '--format=%(refname)', 'refs/menuscript/drafts')
    .split('\n')
    .find((each) => !each.endsWith('/known'))
  return hub.git('show', `${ref}:journal`)
}

test('an operator whose replica is killed goes on at another one, and lacks only the steps since the last pause', async () => {
  const hub = closing(createHub({ 'menus/main.yaml': MENU }))
  const [first, killed] = await startOn(hub)
  const [second] = await startOn(hub)
  const { id } = (await first('POST', '/drafts?file=main.yaml')).json() as { id: string }
  const draft = `/drafts/${id}`
  for (const step of ['S', 'Sh', 'Shop'])
    assert.is((await first('PATCH', draft, { body: renamed(step) })).status, 200)
  await eventually(() => assert.match(journalIn(hub), '"Shop"'))
  assert.is((await first('PATCH', draft, { body: note('typed last') })).status, 200)
  killed.send('SIGKILL')
  await killed.ended
  const isLast = journalIn(hub).includes('typed last')
  await eventually(async () => {
    const { revision } = (await second('GET', draft)).json() as { revision: number }
    assert.is(revision, isLast ? 4 : 3)
  })
  assert.match((await second('GET', draft)).text, '"name":"Shop"')
  if (isLast) await second('POST', `${draft}/undo`)
  assert.is((await second('POST', `${draft}/undo`)).status, 200)
  assert.match((await second('GET', draft)).text, '"name":"Sh"')
  assert.is((await second('POST', `${draft}/redo`)).status, 200)
  assert.is((await second('POST', `${draft}/publish`)).status, 200)
  assert.is(hub.textOf('menus/main.yaml'), MENU.replace('name: Main', 'name: Shop'))
})

test('SIGTERM pushes drafts before the service ends', async () => {
  const hub = closing(createHub({ 'menus/main.yaml': MENU }))
  const [script, server] = await startOn(hub)
  const { id } = (await script('POST', '/drafts?file=main.yaml')).json() as { id: string }
  await script('PATCH', `/drafts/${id}`, { body: note('typed last') })
  assert.is(await server.stop(), 0)
  assert.match(journalIn(hub), 'typed last')
})

test.run()
