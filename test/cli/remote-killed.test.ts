import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.js'
import { figure, sized } from '../support/figures.js'
import { get } from '../support/http.js'
import { createHub } from '../support/hub.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { menuText, startMenuscript } from './command.js'

// A service clones, follows and publishes while people push, and is killed at a random moment, sometimes with its processes of
// git. Another one goes on in the same folders. What the hub has afterwards is judged by git and by the YAML library.

const KILLS = sized(6, 300)
const LONGEST_RUN_MS = 4_000
const FILE = 'menus/main.yaml'
const TOKEN = 'a-token-of-at-least-thirty-two-characters'
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` }
const MENU = '/admin/menus/api/menu?file=main.yaml'

test('a service that is killed at any moment loses and doubles nothing that it has acknowledged', async () => {
  const hub = closing(createHub({ [FILE]: menuText('main'), 'menus/other.yaml': menuText('other') }))
  const git = { remote: hub.url, interval: 1 }
  const config = JSON.stringify({ storage: { git } })
  const folder = closing(createMenusFolder({ 'menuscript.config.json': config }))
  const acknowledged: string[] = []
  let pushes = 0
  let ends = 0

  const start = () =>
    startMenuscript(['serve', '--port', '0'], { cwd: folder.dir, env: { MENUSCRIPT_ADMIN_TOKEN: TOKEN } })
  const publishOn = async (url: string, label: string): Promise<boolean> => {
    const { headers } = await get(url, { target: MENU, headers: AUTHORIZED })
    const answer = await get(url, {
      target: MENU,
      method: 'PATCH',
      headers: { ...AUTHORIZED, 'content-type': 'application/json', 'if-match': headers['etag'] ?? '' },
      body: JSON.stringify([{ op: 'add', path: '/items/-', value: { label, url: `/${label}` } }]),
    })
    if (answer.status === 200) acknowledged.push(label)
    return answer.status === 200
  }

  for (let turn = 0; turn < KILLS; turn++) {
    const service = start()
    const isOver = { value: false }
    const work = (async () => {
      const [, url = ''] = await service.waitFor(/^listening on (\S+)$/m)
      for (let n = 0; !isOver.value; n++) await publishOn(url, `turn-${turn}-${n}`)
    })().catch(() => {})
    const killing = sleep(Math.random() * LONGEST_RUN_MS)
    const pushing = (async () => {
      while (!isOver.value) {
        try {
          hub.push({ 'menus/other.yaml': menuText('other', `Push ${pushes + 1}`) })
          pushes++
        } catch {
          // The service pushed at the same moment: people try again.
        }
        await sleep(Math.random() * 300)
      }
    })()
    await killing
    const children = spawnSync('pgrep', ['-P', String(service.pid)], { encoding: 'utf8' }).stdout.trim()
    service.send('SIGKILL')
    if (turn % 2 === 1) for (const pid of children.split('\n').filter(Boolean)) tryKill(Number(pid))
    await service.ended
    isOver.value = true
    ends++
    await Promise.all([work, pushing])
  }
  assert.is(ends, KILLS)
  figure(
    'killed while following',
    `${KILLS} kills, ${acknowledged.length} publishes, ${pushes} pushes`,
    'none lost',
  )

  const last = start()
  const [, url = ''] = await last.waitFor(/^listening on (\S+)$/m)
  await eventually(async () => assert.ok(await publishOn(url, 'at-the-end')))
  const text = hub.textOf(FILE)
  const labels = (parse(text) as { items: { label: string }[] }).items.map(({ label }) => label)
  assert.is(new Set(labels).size, labels.length, 'nothing is doubled')
  for (const label of acknowledged) assert.ok(labels.includes(label), `${label} was acknowledged`)
  assert.is(hub.git('fsck', '--no-dangling'), '')
  const served = async (code: string): Promise<readonly string[]> =>
    ((await get(`${url}/api/menu/${code}`)).json() as { label: string }[]).map(({ label }) => label)
  await eventually(async () => assert.equal(await served('main'), labels))
  await eventually(async () => assert.equal(await served('other'), [labelOf(hub.textOf('menus/other.yaml'))]))
  assert.is(await last.stop(), 0)
})

function labelOf(text: string): string {
  return (parse(text) as { items: { label: string }[] }).items[0]?.label ?? ''
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

test.run()
