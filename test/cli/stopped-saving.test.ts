import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { figure } from '../support/figures.js'
import { get } from '../support/http.js'
import { type Service, serving } from './command.js'

const TOKEN = 'an-admin-token-of-more-than-32-characters'
const ITEMS = Array.from({ length: 2_000 }, (_, at) => `  - label: Item ${at}\n    url: /${at}\n`)
const MENU = `version: 1\ncode: main\nname: Main\nitems:\n${ITEMS.join('')}`

/** A save whose service is told to stop some milliseconds after the request: how both ended, and the text then. */
async function stoppedSaving(pause: number) {
  let outcome = { status: 0, code: null as number | null, text: '' }
  const env = { MENUSCRIPT_ADMIN_TOKEN: TOKEN }
  await serving(
    { 'menus/main.yaml': MENU },
    async ({ url, folder, send, ended }) => {
      const target = '/admin/menus/api/menu?file=main.yaml'
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
      const version = (await get(url, { target, headers })).headers['etag'] ?? ''
      const body = JSON.stringify([{ op: 'replace', path: '/name', value: 'Front' }])
      const asked = { target, method: 'PATCH', headers: { ...headers, 'if-match': version }, body }
      const saving = get(url, asked).then(
        ({ status }) => status,
        () => 0,
      )
      await sleep(pause)
      send('SIGTERM')
      const { code } = await ended
      const text = readFileSync(join(folder.dir, 'menus/main.yaml'), 'utf8')
      outcome = { status: await saving, code, text }
    },
    { env },
  )
  return outcome
}

test('B16: a save that has begun when SIGTERM comes is completed and answered, and the service ends with 0', async () => {
  // On a busy machine, a request may come later than the signal, and is not taken then.
  for (const pause of [50, 200, 1_000, 5_000]) {
    const { status, code, text } = await stoppedSaving(pause)
    assert.is(code, 0)
    assert.is(text, status === 200 ? MENU.replace('name: Main', 'name: Front') : MENU)
    if (status === 200) return
    assert.is(status, 0)
  }
  assert.unreachable('no request came before the signal')
})

/** A service that has written a save, and whose git hangs at its commit. */
async function savedWithHangingGit(
  run: (
    service: Service,
    saving: Promise<{ readonly status: number; readonly text: string }>,
  ) => Promise<void>,
): Promise<void> {
  const files = {
    'menus/main.yaml': MENU,
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/refs/x': '',
    '.git/objects/x': '',
  }
  await serving(
    files,
    async (service) => {
      const { url, folder } = service
      execFileSync('mkfifo', [join(folder.dir, '.git/index')])
      const target = '/admin/menus/api/menu?file=main.yaml'
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
      const version = (await get(url, { target, headers })).headers['etag'] ?? ''
      const body = JSON.stringify([{ op: 'replace', path: '/name', value: 'Front' }])
      const saving = get(url, { target, method: 'PATCH', headers: { ...headers, 'if-match': version }, body })
      saving.catch(() => {})
      await eventually(() => assert.is(readFileSync(join(folder.dir, 'menus/main.yaml'), 'utf8'), SAVED))
      await run(service, saving)
      assert.is(readFileSync(join(folder.dir, 'menus/main.yaml'), 'utf8'), SAVED)
    },
    { env: { MENUSCRIPT_ADMIN_TOKEN: TOKEN } },
  )
}

const SAVED = MENU.replace('name: Main', 'name: Front')

test('B16: where git hangs when SIGTERM comes, the save is answered as uncommitted, and the service ends with 0', async () => {
  await savedWithHangingGit(async ({ send, ended }, saving) => {
    const begun = performance.now()
    send('SIGTERM')
    const { status, text } = await saving
    assert.is(status, 200)
    assert.match(text, /"kind":"uncommitted","reason":"[^"]*the service is stopping"/)
    assert.is((await ended).code, 0)
    figure('SIGTERM while git hangs', `${Math.round(performance.now() - begun)} ms`, '10 s')
  })
})

test('B16: a second SIGTERM during a save ends the service at once, with a file that is whole', async () => {
  await savedWithHangingGit(async ({ send, ended }, saving) => {
    const begun = performance.now()
    send('SIGTERM')
    // Two signals within half a second count as one.
    await sleep(1_000)
    send('SIGTERM')
    assert.is((await ended).code, 1)
    const took = Math.round(performance.now() - begun)
    figure('a second SIGTERM during a save', `${took} ms`, '1 s after the first')
    await saving.then(
      () => assert.unreachable(),
      () => {},
    )
  })
})

test.run()
