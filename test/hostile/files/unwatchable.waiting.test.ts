// A15: a test cannot change the limits of the machine, and must not use them up for everybody else. Where Linux allows
// a user namespace, the service runs in one with limits of its own, which the kernel keeps like those of the machine:
// fs.watch fails with the very errors. Elsewhere the tests say so, and only the look without any event is tried
// (no-events.waiting.test.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from '../../cli/command.js'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import type { Running } from '../../support/process.js'
import { labelOf, readinessOf } from './live-service.js'
import { type LimitedOptions, startLimited, WORLD } from './own-world.js'

const PATIENT = { within: 50_000, every: 20 }
const FILES = { 'menus/main.yaml': menuText('main', 'v0'), 'menus/a/b/side.yaml': menuText('side', 'v0') }

interface Limited extends Running {
  readonly folder: MenusFolder
  readonly url: string
}

async function underLimits(limits: LimitedOptions, work: (limited: Limited) => Promise<void>): Promise<void> {
  if (!WORLD.limits) {
    console.log('    This machine does not allow limits of one’s own: A15 is not tried here.')
    return
  }
  const folder = createMenusFolder(FILES)
  const child = startLimited(folder.dir, limits)
  try {
    const [, url = ''] = await child.waitFor(/^listening on (\S+)$/m)
    // The start itself ends with a look.
    await sleep(700)
    await work({ ...child, folder, url })
  } finally {
    await child.stop()
    folder.close()
  }
}

const LIMITS: readonly (readonly [error: string, limits: LimitedOptions, hint: string])[] = [
  ['ENOSPC', { watches: 2 }, 'fs.inotify.max_user_watches'],
  ['EMFILE', { instances: 0 }, 'fs.inotify.max_user_instances'],
]

for (const [error, limits, hint] of LIMITS) {
  const rule = `${error} (${JSON.stringify(limits)})`
  test(`A15: ${rule}: the start is not held up, the log names ${hint}, /readyz is degraded and names it`, async () => {
    await underLimits(limits, async ({ url, waitFor }) => {
      const [line] = await waitFor(/^.*"event":"watch_failed".*$/m)
      assert.match(line, hint)
      assert.is(await labelOf(url), 'v0')
      const { status, httpStatus } = await eventually(async () => {
        const readiness = await readinessOf(url)
        assert.is(readiness.status, 'degraded')
        return readiness
      })
      assert.equal([status, httpStatus], ['degraded', 200])
      assert.match((await get(`${url}/readyz`)).text, hint)
    })
  })
}

test('A15: without a single watch the periodic rescan continues, and the failure is reported once', async () => {
  await underLimits({ watches: 0 }, async ({ url, folder, stderr, waitFor }) => {
    await waitFor(/"event":"watch_failed"/)
    const start = performance.now()
    folder.write('menus/main.yaml', menuText('main', 'v1'))
    folder.write('menus/new/n.yaml', menuText('new', 'v1'))
    await eventually(async () => {
      assert.equal([await labelOf(url), await labelOf(url, 'new')], ['v1', 'v1'])
    }, PATIENT)
    figure('unwatched, a change is live', `${Math.round(performance.now() - start)} ms`, '5,000 ms')
    assert.is(stderr().split('"event":"watch_failed"').length, 2, stderr())
  })
})

test('A15: a limit that is reached while running is reported, and unwatched folders are rescanned', async () => {
  await underLimits({ watches: 12, rescanSeconds: 1 }, async ({ url, folder, waitFor }) => {
    assert.is((await readinessOf(url)).status, 'ok')
    const codes = Array.from({ length: 20 }, (_, place) => `n${place}`)
    for (const code of codes) folder.write(`menus/${code}/menu.yaml`, menuText(code, 'v0'))
    await waitFor(/"event":"watch_failed"/)
    await eventually(async () => assert.is((await readinessOf(url)).status, 'degraded'))
    await eventually(async () => assert.is(await labelOf(url, 'n19'), 'v0'), PATIENT)
    for (const code of codes) folder.write(`menus/${code}/menu.yaml`, menuText(code, 'v1'))
    await eventually(async () => {
      for (const code of codes) assert.is(await labelOf(url, code), 'v1')
    }, PATIENT)
  })
})

test('A15: once the limit is raised, watching is taken up again and /readyz is ok', async () => {
  await underLimits({ watches: 0, rescanSeconds: 0.5 }, async ({ url, folder, waitFor }) => {
    await waitFor(/"event":"watch_failed"/)
    folder.write('raise', '')
    await eventually(async () => assert.is((await readinessOf(url)).status, 'ok'), PATIENT)
    const start = performance.now()
    folder.write('menus/main.yaml', menuText('main', 'v1'))
    await eventually(async () => assert.is(await labelOf(url), 'v1'), PATIENT)
    figure('watched again, a change is live', `${Math.round(performance.now() - start)} ms`, '500 ms')
  })
})

test.run()
