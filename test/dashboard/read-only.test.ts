import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { SiteOptions } from '../http/sites.js'
import { test } from '../support/test.js'
import { codeOf, MENU, openForScript, textOf, versionOf } from './managing.js'

/** A site whose state folder cannot be made, because a file is on its way. */
const NO_STATE: SiteOptions = {
  config: {
    state: { dir: 'file/state' },
    dashboard: { proxy_user_header: 'x-user' },
    server: { trusted_proxies: ['192.0.2.1'] },
  },
  prepare: (dir) => writeFileSync(join(dir, 'file'), ''),
}

test('B4: where nothing can be kept, everything is read and judged, and nothing is written', async () => {
  const [script, site] = await openForScript(NO_STATE)
  for (const path of ['/menus', '/menu?file=main.yaml', '/drafts', '/history?file=main.yaml', '/export'])
    assert.is((await script('GET', path)).status, 200, path)
  const version = await versionOf(script)
  const body = [{ op: 'replace', path: '/name', value: 'x' }]
  assert.is((await script('PATCH', '/menu?file=main.yaml&dry_run=true', { body, version })).status, 200)
  assert.is(codeOf(await script('PATCH', '/menu?file=main.yaml', { body, version })), '503 read-only')
  assert.is(codeOf(await script('POST', '/menus', { body: { code: 'a' } })), '503 read-only')
  assert.is(codeOf(await script('POST', '/drafts?file=main.yaml')), '503 read-only')
  const refused = await script('DELETE', '/menu?file=main.yaml', { version })
  assert.is(codeOf(refused), '503 read-only')
  // What it was called before.
  assert.is((refused.json() as { alias: string }).alias, 'read_only')
  assert.is(textOf(site), MENU)
  assert.ok(site.events.some(({ event }) => event === 'state_unusable'))
})

test('B4: the session says up front whether anything can be written, and why not', async () => {
  const stored = async (options: SiteOptions) => {
    const [script] = await openForScript(options)
    const { writable, reason, commit } = (await script('GET', '/session')).json() as Record<string, unknown>
    return { writable, isReasoned: typeof reason === 'string', commit }
  }
  assert.equal(await stored({}), { writable: true, isReasoned: false, commit: 'none' })
  assert.equal(await stored(NO_STATE), { writable: false, isReasoned: true, commit: 'none' })
})

test('A state folder that is lost while the service runs is said in the answer, and the log has the reason', async () => {
  const [script, site] = await openForScript()
  site.folder.remove('.menuscript/drafts')
  writeFileSync(join(site.folder.dir, '.menuscript/drafts'), '')
  const answer = await script('POST', '/drafts?file=main.yaml')
  assert.is(codeOf(answer), '503 not-written')
  assert.not.match(answer.text, site.folder.dir)
  assert.ok(site.events.some(({ event }) => event === 'request_failed'))
  site.folder.remove('.menuscript/drafts')
  mkdirSync(join(site.folder.dir, '.menuscript/drafts'))
  assert.is((await script('POST', '/drafts?file=main.yaml')).status, 201)
})

test.run()
