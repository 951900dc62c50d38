// A16, A17 and A27 on a real mount that reports no changes (network-mount.program.ts), in a user namespace of its own. Where
// the machine does not allow that, these tests say so and try nothing; no-events.waiting.test.ts tries what is left.
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../cli/command.js'
import { eventually } from '../../support/eventually.js'
import { figure, timesFigure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'
import { programOf } from '../../support/programs.js'
import { createVisitor, labelIn, labelOf, readinessOf, reload } from './live-service.js'
import { type MountTimes, startOnNetworkMount, WORLD } from './own-world.js'

const TICKING = programOf('hostile/files/change-in-ticks.program.ts')
const PATIENT = { within: 60_000, every: 20 }
const TRIES = 5
const RARELY = 3_600

interface Mounted extends Running {
  readonly folder: MenusFolder
  readonly url: string
  /** Has the server of the mount answer nobody any more, or again. */
  readonly setSilent: (isSilent: boolean) => void
}

function hasMounts(): boolean {
  if (!WORLD.mounts)
    console.log('    This machine does not allow mounts of one’s own: this is not tried here.')
  return WORLD.mounts
}

async function onNetworkMount(
  rescanSeconds: number,
  work: (mounted: Mounted) => Promise<void>,
  times?: MountTimes,
): Promise<void> {
  if (!hasMounts()) return
  const files = { 'export/main.yaml': menuText('main', 'v0'), 'export/a/side.yaml': menuText('side', 'v0') }
  const folder = createMenusFolder({ ...files, 'menus/hidden.yaml': menuText('hidden') })
  const child = startOnNetworkMount(folder.dir, rescanSeconds, times)
  try {
    const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
    assert.equal([await labelOf(url), await labelOf(url, 'hidden')], ['v0', null])
    // The start itself ends with a look.
    await sleep(700)
    const setSilent = (isSilent: boolean): void => {
      process.kill(child.pid, isSilent ? 'SIGSTOP' : 'SIGCONT')
    }
    await work({ ...child, folder, url, setSilent })
  } finally {
    await child.stop()
    folder.close()
  }
}

test('A16: on a mount without events a change is live within five seconds, and so are new and deleted files', async () => {
  await onNetworkMount(5, async ({ url, folder }) => {
    const start = performance.now()
    folder.write('export/main.yaml', menuText('main', 'v1'))
    folder.write('export/a/b/new.yaml', menuText('new', 'v1'))
    folder.remove('export/a/side.yaml')
    const read = async (): Promise<unknown> =>
      Promise.all([labelOf(url), labelOf(url, 'new'), labelOf(url, 'side')])
    await eventually(async () => assert.equal(await read(), ['v1', 'v1', null]), PATIENT)
    figure(
      'a mount without events, changes are live',
      `${Math.round(performance.now() - start)} ms`,
      '5,000 ms',
    )
    assert.is((await readinessOf(url)).status, 'ok')
  })
})

test('A16: a change that no part of stat shows is found by its content, within twelve rescans', async () => {
  await onNetworkMount(0.2, async ({ url, folder }) => {
    const file = join(folder.dir, 'export/main.yaml')
    const at = new Date(2020, 1, 1)
    folder.write('export/main.yaml', menuText('main', 'v1'))
    utimesSync(file, at, at)
    await eventually(async () => assert.is(await labelOf(url), 'v1'), PATIENT)
    const start = performance.now()
    // Of one size, at one place, and with one time, which is all that this server tells.
    folder.write('export/main.yaml', menuText('main', 'v2'))
    utimesSync(file, at, at)
    await eventually(async () => assert.is(await labelOf(url), 'v2'), PATIENT)
    figure(
      'content alone changed',
      `live after ${Math.round(performance.now() - start)} ms`,
      '12 looks, here 2,400 ms',
    )
  })
})

// 10 ms are the tick of Linux before 6.13 at its coarsest, 1,000 ms that of old file systems and of some servers.
for (const tick of [10, 1_000]) {
  test(`A17: with times in ticks of ${tick} ms, a file that changes in the instant after a rescan is seen`, async () => {
    if (!hasMounts()) return
    const folder = createMenusFolder({ 'export/main.yaml': menuText('main', 'v000'), 'menus/.keep': '' })
    const child = startOnNetworkMount(folder.dir, RARELY, tick, TICKING)
    const { code } = await child.ended
    assert.is(code, 0, child.stderr())
    folder.close()
  })
}

test('A17: where the times of a file change at each rescan, its content decides whether it holds still', async () => {
  const work = async ({ url, folder }: Mounted): Promise<void> => {
    for (const name of ['v1', 'v2']) {
      folder.write('export/main.yaml', menuText('main', name))
      const start = performance.now()
      await eventually(async () => assert.is(await labelOf(url), name), PATIENT)
      const took = `${Math.round(performance.now() - start)} ms`
      figure('times that never hold still, a change is live', took, '5,000 ms')
    }
  }
  await onNetworkMount(0.5, work, 'restless')
})

test('A27: a file that cannot be read (EIO) keeps its last good version, is reported, and heals', async () => {
  await onNetworkMount(0.3, async ({ url, folder, waitFor }) => {
    folder.write('export/main.yaml.eio', '')
    folder.write('export/main.yaml', menuText('main', 'not to be read'))
    await eventually(async () => assert.is((await readinessOf(url)).status, 'degraded'), PATIENT)
    const { problems, httpStatus } = await readinessOf(url)
    assert.equal(
      [httpStatus, problems.map(({ at, code }) => `${at} ${code}`)],
      [200, ['main.yaml:1:1 unreadable-file']],
    )
    assert.match(problems[0]?.what ?? '', 'EIO')
    assert.is(await labelOf(url), 'v0')
    await waitFor(/"event":"menu_problem","code":"unreadable-file","path":"main\.yaml"/)
    rmSync(join(folder.dir, 'export/main.yaml.eio'))
    await eventually(async () => assert.is(await labelOf(url), 'not to be read'), PATIENT)
    assert.is((await readinessOf(url)).status, 'ok')
    assert.is(await reload(url), 200)
  })
})

/** Has the server answer nobody any more. A look that is under way in that moment waits for it: then once more. */
async function silence({ url, setSilent }: Pick<Mounted, 'url' | 'setSilent'>): Promise<void> {
  for (let left = TRIES; left > 0; left--) {
    setSilent(true)
    const isTold = async (): Promise<void> => {
      const { text } = await get(`${url}/readyz`, { within: 5_000 })
      assert.match(text, '"status":"degraded"')
    }
    const told = await eventually(isTold, { within: 10_000, every: 20 }).then(
      () => true,
      () => false,
    )
    if (told) return
    setSilent(false)
    await sleep(700)
  }
  throw new Error(`In none of ${TRIES} tries the service went on.`)
}

test('A16, A27: a mount that no longer answers keeps no request waiting, is reported, and heals', async () => {
  await onNetworkMount(0.5, async ({ url, folder, setSilent }) => {
    await silence({ url, setSilent })
    const visitor = createVisitor(url, '/api/menu/main', 5)
    // Some looks more, of which none may wait.
    await sleep(3_000)
    const asked = visitor.times.length
    await eventually(() => assert.ok(visitor.times.length > asked + 5, 'No request is answered.'))
    const { problems, httpStatus } = await readinessOf(url)
    assert.equal([httpStatus, problems.map(({ code }) => code)], [200, ['folder-missing']])
    assert.match(problems[0]?.what ?? '', 'it does not respond')
    assert.is((await get(`${url}/livez`)).status, 200)
    assert.is(await reload(url), 200)
    setSilent(false)
    folder.write('export/main.yaml', menuText('main', 'v1'))
    await eventually(async () => assert.is(await labelOf(url), 'v1'), PATIENT)
    assert.is((await readinessOf(url)).status, 'ok')
    await visitor.end()
    assert.equal(
      visitor.answers.map(({ text }) => labelIn(text)),
      ['v0', 'v1'],
    )
    // A look that waited for the mount would have kept them until it answered, and what is above would not have come.
    timesFigure('requests while a mount does not answer', visitor.times, '50 ms')
  })
})

test.run()
